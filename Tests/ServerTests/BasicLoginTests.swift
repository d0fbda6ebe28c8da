import AdapterRuntime
import Authentication
import Foundation
import HTTPServer
import Installation
import NIOHTTP1
import TestSupport
import Testing

@Suite("Programs that call /invoke with HTTP Basic", .defaultTimeLimit)
struct BasicLoginTests {
    private static let files = [
        "server/conf/authenticationConfig.xml": """
        <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
        <securityTests>
        <customSecurityTest name="BasicTest"><test realm="Staff" isInternalUserID="true"/></customSecurityTest>
        <customSecurityTest name="DeviceTest"><test realm="wl_deviceNoProvisioningRealm" isInternalDeviceID="true"/>
        <test realm="Staff" isInternalUserID="true"/></customSecurityTest>
        <customSecurityTest name="FormTest"><test realm="Form" isInternalUserID="true"/></customSecurityTest>
        </securityTests>
        <realms>
        <realm name="Staff" loginModule="Own"><className>com.worklight.core.auth.ext.BasicAuthenticator</className>
        <parameter name="basic-realm-name" value="Shop staff"/></realm>
        <realm name="Form" loginModule="Own"><className>com.worklight.core.auth.ext.FormBasedAuthenticator</className></realm>
        </realms>
        <loginModules><loginModule name="Own"><className>com.acme.Own</className></loginModule></loginModules>
        </tns:loginConfiguration>
        """,
        "server/authentication/Own.js": """
        var name = null;
        function login(data) { name = data.username; return data.password === 'of ' + name; }
        function createIdentity(module) { return new UserIdentity(module, name, null, null, {}, null); }
        """,
        "adapters/A/A.xml": """
        <wl:adapter xmlns:wl="http://www.worklight.com/integration" name="A"><procedure name="basic" securityTest="BasicTest"/>
        <procedure name="device" securityTest="DeviceTest"/><procedure name="form" securityTest="FormTest"/></wl:adapter>
        """,
        "adapters/A/A-impl.js": """
        var seen = [];
        function basic() { seen.push(WL.Server.getActiveUser().userId); return { seen: seen }; }
        var device = basic, form = basic;
        """,
    ]

    private func run(
        change: (inout InstallationSettings) -> Void = { _ in }, _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        try await RunningServer.run(files: Self.files, change: change, body)
    }

    private static func credentials(_ user: String, _ password: String) -> (String, String) {
        ("Authorization", "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())")
    }

    private static let ann = credentials("ann", "of ann")
    private static let path = "/invoke?adapter=A&procedure=basic&parameters=[]"

    @Test("get the procedure's result as their user, without a cookie and without a session that stays")
    func answered() async throws {
        try await run { server in
            for user in ["ann", "bob", "ann"] {
                let answer = try await server.send(
                    .GET, Self.path, headers: [Self.credentials(user, "of \(user)")])
                #expect(answer.status == 200 && answer.body == #"{"isSuccessful":true,"seen":["\#(user)"]}"#)
                #expect(answer.headers["Set-Cookie"] == [])
            }
            #expect(server.installation.security.sessions.count == 0)
            try await waitUntil { server.installation.runtime.scopes.scopes == 0 }
        }
    }

    @Test("get 401 of the realm for a wrong password, and nothing runs")
    func refused() async throws {
        try await run { server in
            let answer = try await server.send(.GET, Self.path, headers: [Self.credentials("ann", "of bob")])
            #expect(answer.status == 401)
            #expect(answer.headers["WWW-Authenticate"] == ["Basic realm=\"Shop staff\", charset=\"UTF-8\""])
            #expect(
                answer.body.contains(#""errorMsg":"the user name or the password is wrong""#)
                    && answer.body.hasPrefix("{"))
        }
    }

    @Test(
        "must do what clients do if a page of another site, a session or another realm is involved",
        arguments: [
            (path, [("Origin", "https://evil.example")]), (path, [("Sec-Fetch-Site", "cross-site")]),
            (path, [("Referer", "https://evil.example/page")]), (path.replacing("basic", with: "device"), []),
            (path.replacing("basic", with: "form"), []),
        ])
    func challenged(path: String, headers: [(String, String)]) async throws {
        try await run { server in
            let answer = try await server.send(.GET, path, headers: headers + [Self.ann])
            #expect(answer.status == 401)
            #expect(answer.headers["WWW-Authenticate"] == ["WL-Composite-Challenge"])
        }
    }

    @Test("belong to the client whose session cookie they send")
    func inSession() async throws {
        try await run { server in
            let first = try await server.send(.GET, Self.path, headers: [("WL-Instance-Id", "x")])
            let cookie = try #require(first.headers["Set-Cookie"].first { $0.hasPrefix("JSESSIONID") })
            let answer = try await server.send(
                .GET, Self.path, headers: [("Cookie", String(cookie.prefix { $0 != ";" })), Self.ann])
            #expect(answer.headers["WWW-Authenticate"] == ["WL-Composite-Challenge"])
        }
    }

    @Test("end no session of a client behind the same address")
    func quota() async throws {
        let proxies = try TrustedProxies(["127.0.0.1"])
        let change: (inout InstallationSettings) -> Void = { settings in
            settings.sessions.limitPerNetwork = 1
            settings.trustedProxies = proxies
        }
        try await run(change: change) { server in
            let address = ("X-Forwarded-For", "203.0.113.7")
            _ = try await server.send(.GET, Self.path, headers: [address])
            let before = server.installation.security.sessions.newest().map { $0.session.id }
            #expect(before.count == 1)
            for user in ["ann", "bob"] {
                let answer = try await server.send(
                    .GET, Self.path, headers: [address, Self.credentials(user, "of \(user)")])
                #expect(answer.status == 200)
            }
            #expect(server.installation.security.sessions.newest().map { $0.session.id } == before)
        }
    }

    @Test("do not use up the guesses of the key of back ends, which the key still passes")
    func keys() async throws {
        let change: (inout InstallationSettings) -> Void = { settings in
            (settings.backEnds.user, settings.backEnds.password) = ("machine", "a long password")
        }
        try await run(change: change) { server in
            for _ in 0..<25 {
                let answer = try await server.send(.GET, Self.path, headers: [Self.ann])
                #expect(answer.status == 200 && answer.body.contains("ann"))
            }
            let key = Self.credentials("machine", "a long password")
            let form = try await server.send(.GET, Self.path.replacing("basic", with: "form"), headers: [key])
            // No user is logged in.
            #expect(form.status == 200 && form.body.contains(#""isSuccessful":false"#))
            let wrong = try await server.send(.GET, Self.path, headers: [Self.credentials("machine", "no")])
            #expect(
                wrong.status == 401 && wrong.headers["WWW-Authenticate"].first?.hasPrefix("Basic realm=\"Shop") == true)
        }
    }

    @Test("never count as wrong keys of back ends, also where they must do what clients do")
    func otherCalls() async throws {
        try await run(change: { $0.backEnds.token = "a long secret token" }) { server in
            for _ in 0..<25 {
                let answer = try await server.send(
                    .GET, Self.path, headers: [Self.ann, ("Origin", "https://evil.example")])
                #expect(answer.headers["WWW-Authenticate"] == ["WL-Composite-Challenge"])
            }
            let answer = try await server.send(.GET, Self.path, key: "a long secret token")
            #expect(answer.status == 200)
        }
    }
}
