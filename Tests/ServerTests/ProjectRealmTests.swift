import Foundation
import NIOHTTP1
import TestSupport
import Testing
import WorklightProject

@Suite("Realms as projects declare them", .defaultTimeLimit)
struct ProjectRealmTests {
    private static func files(
        realm: String, application: String = "<android version='1.0'/>", more: [String: String] = [:]
    ) -> [String: String] {
        [
            "server/conf/authenticationConfig.xml": """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
            <securityTests>
            <customSecurityTest name="T"><test realm="R" isInternalUserID="true"/></customSecurityTest></securityTests>
            <realms><realm name="R" loginModule="M">\(realm)</realm></realms>
            <loginModules><loginModule name="M">
            <className>com.worklight.core.auth.ext.NonValidatingLoginModule</className></loginModule></loginModules>
            </tns:loginConfiguration>
            """,
            "apps/App/application-descriptor.xml": """
            <application id="App" platformVersion="5.0" xmlns="http://www.worklight.com/application-descriptor">
            <displayName>App</displayName>\(application)</application>
            """,
            "adapters/A/A.xml": adapterXML("A", procedures: ["open"]).replacing(
                "</wl:adapter>", with: #"<procedure name="who" securityTest="T"/></wl:adapter>"#),
            "adapters/A/A-impl.js": """
            function open() { return { open: true } }
            function who() { return { user: WL.Server.getActiveUser('R').userId } }
            """,
        ].merging(more) { $1 }
    }

    private static func form(_ parameters: [String: String] = [:]) -> String {
        "<className>com.worklight.core.auth.ext.FormBasedAuthenticator</className>"
            + parameters.map { #"<parameter name="\#($0)" value="\#($1)"/>"# }.joined()
    }

    // MARK: usage

    @Test("usage onStartup: init requires the realm's login")
    func onStartup() async throws {
        let usage = #"<usage requireAuthentication="onStartup"><realm name="R"/></usage><android version="1.0"/>"#
        try await RunningServer.run(files: Self.files(realm: Self.form(), application: usage)) {
            (server) async throws in
            let client = WireClient(server, device: "phone")
            #expect(try await client.act("init").text.contains("j_security_check"))
            try await client.logIn("ann", "p")
            #expect(try await client.act("init")["userInfo"]?["R"]?["userId"] == "ann")
            #expect(try await client.call("open")["open"] == true)
        }
    }

    @Test(
        "usage onDemand and never: init requires no login, a protected procedure does",
        arguments: ["onDemand", "never"])
    func onDemand(moment: String) async throws {
        let usage = #"<usage requireAuthentication="\#(moment)"><realm name="R"/></usage><android version="1.0"/>"#
        try await RunningServer.run(files: Self.files(realm: Self.form(), application: usage)) {
            (server) async throws in
            let client = WireClient(server, device: "phone")
            #expect(try await client.act("init")["userInfo"] != nil)
            #expect(try await client.call("open")["open"] == true)
            #expect(try await client.call("who").text.contains("j_security_check"))
        }
    }

    // MARK: auth-redirect

    @Test("auth-redirect: the server sends clients to the project's page, which it has, and the form logs in")
    func redirect() async throws {
        let page = "<form action='j_security_check'>OURS ${errorMessage}</form>"
        let files = Self.files(
            realm: Self.form(["auth-redirect": "/pages/log in.html"]), more: ["server/webapp/pages/log in.html": page])
        try await RunningServer.run(files: files) { (server) async throws in
            let client = WireClient(server, device: "phone")
            let answer = try await client.call("who")
            #expect(answer.status == 302 && answer.text.isEmpty)
            let location = try #require(answer.headers.first(name: "Location"))
            #expect(location == "/apps/services/log%20in.html")
            #expect(try await client.sendOnce(.GET, location).text == "<form action='j_security_check'>OURS </form>")
            try await client.logIn("ann", "p")
            #expect(try await client.call("who")["user"] == "ann")
        }
    }

    @Test("auth-redirect may be a page elsewhere")
    func elsewhere() async throws {
        let files = Self.files(realm: Self.form(["auth-redirect": "https://login.example.com/?a=1&amp;b=2"]))
        try await RunningServer.run(files: files) { (server) async throws in
            let client = WireClient(server, device: "phone")
            let answer = try await client.call("who")
            #expect(answer.status == 302)
            #expect(answer.headers.first(name: "Location") == "https://login.example.com/?a=1&b=2")
            #expect(try await client.logIn("", "p").status == 302)
            try await client.logIn("ann", "p")
            #expect(try await client.call("who")["user"] == "ann")
        }
    }

    // MARK: Persistent cookies

    @Test("cookie-name: a browser gets a cookie of that name, which keeps its user in a later session")
    func persistentCookie() async throws {
        let realm = """
            <className>com.worklight.core.auth.ext.PersistentCookieAuthenticator</className>
            <parameter name="cookie-name" value="VISITOR"/>
            """
        try await RunningServer.run(files: Self.files(realm: realm)) { (server) async throws in
            let first = WireClient(server, device: "phone")
            let user = try #require(try await first.call("who")["user"]?.string)
            let cookie = try #require(first.cookies["VISITOR"])
            #expect(!cookie.contains(user) && !user.contains(cookie))
            let again = try await first.call("who")
            #expect(again["user"]?.string == user && !again.headers["Set-Cookie"].contains { $0.hasPrefix("VISITOR") })

            let later = WireClient(server, device: "phone")
            later.cookies["VISITOR"] = cookie
            #expect(try await later.call("who")["user"]?.string == user)
            #expect(later.cookies["VISITOR"] == cookie)

            for made in [nil, user, "x"] {
                let other = WireClient(server, device: "other")
                other.cookies["VISITOR"] = made
                let name = try await other.call("who")["user"]?.string
                #expect(name != nil && name != user)
                #expect(other.cookies["VISITOR"] != made)
            }
        }
    }
}
