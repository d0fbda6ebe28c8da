import Core
import Foundation
import NIOHTTP1
import PushModel
import Testing

@testable import Installation

@Suite("/oauth/token of 6.2")
struct TokenEndpointTests {
    private func request(
        _ client: WireClient, scope: String? = nil, grant: String = "client_credentials",
        named name: String? = "WLapp App:android"
    ) async throws -> WireClient.Answer {
        client.headers = name.map { [("wl-oauth-client", $0)] } ?? []
        return try await client.send(
            "/oauth/token", [("grant_type", grant)] + (scope.map { [("scope", $0)] } ?? []))
    }

    @Test(
        "A client of an application gets a token once its device has identified itself",
        arguments: WireProtocol.any)
    func token(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = WireClient(server, device: "phone")
            client.headers = [("wl-oauth-client", "WLapp App:android")]
            let first = try await client.sendOnce(
                .POST, "/oauth/token", [("grant_type", "client_credentials")])
            #expect(first.status == 401)
            #expect(first["challenges"]?["wl_deviceNoProvisioningRealm"] != nil)
            let answer = try await request(client)
            #expect(answer.status == 200)
            #expect(answer["scope"] == "RegisteredClient" && answer["token_type"] == "Bearer")
            let token = try #require(answer["access_token"]?.string)
            #expect(try await server.adapter("echo", "[1]", token: "Bearer \(token)")["got"] == [1])
            #expect(try await server.adapter("ofForms", token: "Bearer \(token)").status == 403)
        }
    }

    @Test(
        "A scope is a realm, whose user must be logged in; the token opens what it guards",
        arguments: WireProtocol.any)
    func scope(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = WireClient(server, device: "phone")
            let page = try await request(client, scope: "RegisteredClient Forms")
            #expect(page.text.contains("j_security_check"))
            try await client.logIn("ann", "right-ann-secret")
            let answer = try await request(client, scope: "RegisteredClient Forms")
            #expect(answer["scope"] == "RegisteredClient Forms")
            let (access, identity) = (answer["access_token"]?.string ?? "", answer["id_token"]?.string ?? "")
            let called = try await server.adapter("ofForms", token: "Bearer \(access) \(identity)")
            #expect(called["user"] == "ann", "\(called.text)")
        }
    }

    @Test("wl-default-scope asks for the users of the application's test, and the response names it")
    func defaultScope() async throws {
        var files = AttackedProject.files
        files["apps/App/application-descriptor.xml"] = files["apps/App/application-descriptor.xml"]?
            .replacing("<android version=\"1.0\">", with: "<android version=\"1.0\" securityTest=\"Forms\">")
        try await RunningServer.run(files: files) { (server) async throws in
            let client = WireClient(server, device: "phone")
            #expect(try await request(client, scope: "wl-default-scope").text.contains("j_security_check"))
            try await client.logIn("ann", "right-ann-secret")
            let answer = try await request(client, scope: "wl-default-scope")
            #expect(answer["scope"] == "wl-default-scope")
            let long = try await request(client, scope: "wl-default-scope" + String(repeating: " ", count: 5000))
            #expect(long.status == 400 && long["error"] == "invalid_scope")
            let (access, identity) = (answer["access_token"]?.string ?? "", answer["id_token"]?.string ?? "")
            #expect(try await server.adapter("ofForms", token: "Bearer \(access) \(identity)")["user"] == "ann")
        }
    }

    @Test(
        "refuses the token of a version that the operator has disabled since, and accepts it when enabled again",
        arguments: WireProtocol.any)
    func disabledLater(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = WireClient(server, device: "phone")
            client.headers = [("wl-oauth-client", "WLapp App:android"), ("x-wl-app-version", "1.0")]
            let answer = try await client.send("/oauth/token", [("grant_type", "client_credentials")])
            let bearer = "Bearer \(try #require(answer["access_token"]?.string))"
            try server.setRule(application: "App", environment: "android", access: .disabled, message: "no")
            let refused = try await server.adapter("echo", "[1]", token: bearer)
            #expect(refused.status == 403)
            #expect(refused["WL-Authentication-Failure"]?["wl_remoteDisableRealm"]?["message"] == "no")
            try server.setRule(application: "App", environment: "android", access: .active)
            #expect(try await server.adapter("echo", "[1]", token: bearer)["got"] == [1])
        }
    }

    @Test("refuses the token of a device that was blocked since, with and without a cookie")
    func blockedLater() async throws {
        try await RunningServer.attacked(over: .http1) { (server) async throws in
            let client = WireClient(server, device: "phone")
            let bearer = "Bearer \(try #require(try await request(client)["access_token"]?.string))"
            try server.installation.security.blocks.block(
                BlockedDevice(applicationID: "App", deviceID: "phone", blockedAt: .now))
            #expect(try await server.adapter("echo", "[1]", token: bearer).status == 403)
            let raw = try await server.sendRaw(
                "GET", "/adapters/A/echo",
                headers: ["Cookie: JSESSIONID=\(client.session ?? "")", "Authorization: \(bearer)"])
            #expect(raw.hasPrefix("HTTP/1.1 403 "), "\(raw)")
        }
    }

    @Test("An empty version in a request with a token is none: that of the token counts")
    func emptyVersion() async throws {
        try await RunningServer.attacked(over: .http1) { (server) async throws in
            let client = WireClient(server, device: "phone")
            client.headers = [("wl-oauth-client", "WLapp App:android"), ("x-wl-app-version", "1.0")]
            let answer = try await client.send("/oauth/token", [("grant_type", "client_credentials")])
            let bearer = "Bearer \(try #require(answer["access_token"]?.string))"
            try server.setRule(application: "App", environment: "android", access: .disabled, message: "no")
            let raw = try await server.sendRaw(
                "GET", "/adapters/A/echo", headers: ["x-wl-app-version: ", "Authorization: \(bearer)"])
            #expect(raw.hasPrefix("HTTP/1.1 403 "), "\(raw)")
        }
    }

    @Test(
        "A token from before a login in the same session does not run as its user, and learns no cookie",
        arguments: WireProtocol.any)
    func plantedToken(version: WireProtocol) async throws {
        var files = AttackedProject.files
        files["adapters/A/A-impl.js"] = """
            function submit(user, password) {
                WL.Server.setActiveUser('Adapters', { userId: user });
                return { authRequired: false };
            }
            function echo() {
                var user = WL.Server.getActiveUser('Forms');
                return { user: user === null ? 'nobody' : user.userId };
            }
            """
        files["adapters/A/A.xml"] = """
            <wl:adapter xmlns:wl="http://www.worklight.com/integration" name="A"><procedure name="echo"/>
            <procedure name="submit" securityTest="wl_unprotected"/></wl:adapter>
            """
        try await RunningServer.run(files: files, over: version) { (server) async throws in
            let planter = WireClient(server, device: "phone")
            let answer = try await request(planter, scope: "RegisteredClient wl_anonymousUserRealm")
            let bearer = "Bearer \(try #require(answer["access_token"]?.string))"
            let victim = WireClient(server, device: "phone")
            (victim.cookies, victim.instanceID) = (planter.cookies, planter.instanceID)
            #expect(try await victim.act("login", [("realm", "Forms")]).text.contains("j_security_check"))
            #expect(try await victim.logIn("ann", "right-ann-secret").text == "/*-secure-\n{}*/")
            #expect(try await victim.call("echo")["user"] == "ann")
            let cookie = "JSESSIONID=\(planter.session ?? "")"
            for headers in [[], ["Cookie: \(cookie)"]] {
                for (target, own) in [
                    ("/adapters/A/echo", #""user":"nobody""#),
                    ("/adapters/A/submit?params=%5B%22eve%22,%22x%22%5D", #""authRequired":false"#),
                ] {
                    let raw = try await server.sendRaw("GET", target, headers: headers + ["Authorization: \(bearer)"])
                    #expect(raw.hasPrefix("HTTP/1.1 200 ") && raw.contains(own), "\(raw)")
                    #expect(!raw.lowercased().contains("set-cookie"), "\(raw)")
                }
            }
            #expect(try await victim.call("echo")["user"] == "ann")
        }
    }

    @Test("Everything else is refused with OAuth's errors", arguments: WireProtocol.any)
    func refused(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = WireClient(server, device: "phone")
            #expect(try await request(client, grant: "password")["error"] == "unsupported_grant_type")
            #expect(try await request(client, scope: "Nowhere")["error"] == "invalid_scope")
            for name in [nil, "App", "WLapp App", "WLapp Other:android", "WLapp App:iphone"] {
                let answer = try await request(client, named: name)
                #expect(answer.status == 400)
                #expect(answer["error"] == "invalid_client", "\(name ?? "")")
            }
            // An alias of the endpoint of 7.x.
            #expect(try await request(client, grant: "authorization_code")["error"] == "unauthorized_client")
        }
    }
}
