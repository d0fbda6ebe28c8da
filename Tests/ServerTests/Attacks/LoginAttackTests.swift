import Core
import NIOHTTP1
import TestSupport
import Testing

@testable import Installation

@Suite("Attacks on logins")
struct LoginAttackTests {
    private static let success = "/*-secure-\n{}*/"

    /// A browser that has been shown the login page.
    private func asked(_ server: RunningServer) async throws -> WireClient {
        let client = WireClient(server)
        #expect(try await client.call("ofForms").text.contains("j_security_check"))
        return client
    }

    @Test(
        "A login form that another site's page posts is refused",
        arguments: WireProtocol.allCases)
    func crossSite(version: WireProtocol) async throws {
        let cases: [[String]] = [
            ["Origin: http://evil.example"], ["Origin: null"], ["Origin: http://localhost:1"],
            ["Referer: http://evil.example/"], ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: same-site"],
            ["Origin: http://localhost", "Referer: http://evil.example/"],
            ["Origin: http://evil.example", "Sec-Fetch-Site: cross-site"],
            ["Origin: http://evil.example", "X-Requested-With: com.facebook.katana"],
            ["Origin: null", "X-Requested-With: com.example.app"],
            ["Sec-Fetch-Site: cross-site", "X-Requested-With: com.facebook.katana"],
            ["Origin: http://evil.example", "Sec-Fetch-Site: cross-site", "X-Requested-With: XMLHttpRequest"],
            ["Origin: null", "Sec-Fetch-Site: cross-site", "X-Requested-With: XMLHttpRequest"],
            ["Sec-Fetch-Site: cross-site", "X-Requested-With: XMLHttpRequest"],
            ["X-Requested-With: com.facebook.katana"],
        ]
        try await RunningServer.attacked(over: version) { (server) async throws in
            for marks in version.some(of: cases) {
                let victim = try await asked(server)
                for path in [victim.root + "j_security_check", "/apps/services/j_security_check"] {
                    for cookie in [[], ["Cookie: JSESSIONID=\(victim.session ?? "")"]] {
                        let answer = try await server.sendRaw(
                            "POST", path,
                            headers: ["Content-Type: application/x-www-form-urlencoded"] + marks + cookie,
                            body: "j_username=ann&j_password=right-ann-secret")
                        #expect(answer.hasPrefix("HTTP/1.1 403"), "\(path)")
                        #expect(!answer.contains(Self.success), "\(marks)")
                    }
                }
                #expect(try await victim.call("ofForms")["user"] == nil, "\(marks)")
            }
        }
    }

    @Test(
        "A login form that the own page posts, as browsers, hybrid apps and native clients do, logs in",
        arguments: WireProtocol.allCases)
    func ownSite(version: WireProtocol) async throws {
        let cases: [[String]] = [
            ["Origin: http://localhost"], ["Referer: http://localhost/page", "Origin: http://localhost"],
            ["Sec-Fetch-Site: same-origin", "Origin: https://behind.a.proxy.example"],
            ["Origin: file://", "X-Requested-With: XMLHttpRequest"],
            ["Origin: null", "X-Requested-With: XMLHttpRequest"],
            ["Origin: file://", "Sec-Fetch-Site: cross-site", "X-Requested-With: XMLHttpRequest"],
            ["Origin: http://localhost", "X-Requested-With: com.facebook.katana"],
        ]
        try await RunningServer.attacked(over: version) { (server) async throws in
            for marks in version.some(of: cases) {
                let client = try await asked(server)
                let answer = try await server.sendRaw(
                    "POST", client.root + "j_security_check",
                    headers: [
                        "Content-Type: application/x-www-form-urlencoded", "Cookie: JSESSIONID=\(client.session ?? "")",
                    ] + marks, body: "j_username=ann&j_password=right-ann-secret")
                #expect(answer.contains(Self.success), "\(answer)")
            }
        }
    }

    @Test(
        "A bare form logs in a native client, and no page in an old browser",
        arguments: WireProtocol.any)
    func unmarked(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let phone = WireClient(server, device: "phone-1")
            #expect(try await phone.call("ofForms").text.contains("j_security_check"))
            for (client, path, isIn) in [
                (phone, phone.root + "j_security_check", true), (nil, "/apps/services/j_security_check", false),
                (try await asked(server), "/apps/services/j_security_check", false),
                (try await asked(server), "/apps/services/api/App/desktopbrowser/j_security_check", false),
            ] {
                let answer = try await server.sendRaw(
                    "POST", path,
                    headers: ["Content-Type: application/x-www-form-urlencoded"]
                        + (client?.session.map { ["Cookie: JSESSIONID=\($0)"] } ?? []),
                    body: "j_username=ann&j_password=right-ann-secret")
                #expect(answer.contains(Self.success) == isIn, "\(path)")
            }
        }
    }

    @Test(
        "A login by GET is refused, since logs and histories would keep its password", arguments: WireProtocol.any
    )
    func byGET(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = try await asked(server)
            for path in [client.root + "j_security_check", "/apps/services/j_security_check"] {
                let answer = try await client.sendOnce(.GET, path + "?j_username=ann&j_password=right-ann-secret")
                #expect(answer.status == 405)
                #expect(answer.headers["Allow"] == ["POST"])
            }
            #expect(try await client.call("ofForms")["user"] == nil)
        }
    }

    @Test("An unknown user and a wrong password get the same page", arguments: WireProtocol.any)
    func sameAnswer(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version, time: ManualTime()) { (server) async throws in
            let client = try await asked(server)
            let unknown = try await client.logIn("nobody-of-that-name", "x")
            let wrong = try await client.logIn("ann", "x")
            #expect(unknown.text == wrong.text)
            #expect(unknown.status == wrong.status)
        }
    }

    @Test(
        "An odd name or password is refused",
        arguments: WireProtocol.cases([
            ("", ""), ("ann", ""), ("", "right-ann-secret"), ("ann\u{0}", "right-ann-secret"),
            ("ann", "right-ann-secret\u{0}x"), ("ann:", "right-ann-secret"), ("*", "*"), ("ann' OR '1'='1", "x"),
            ("ann", " right-ann-secret"), ("ann\nbob", "right-bob-secret"), ("#", "x"),
        ]))
    func odd(credentials: (user: String, password: String), version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = try await asked(server)
            #expect(try await client.logIn(credentials.user, credentials.password).text != Self.success)
            #expect(try await client.call("ofForms")["user"] == nil)
        }
    }

    @Test("A name that holds a script is escaped", arguments: WireProtocol.any)
    func script(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = try await asked(server)
            let answer = try await client.logIn("<script>alert(1)</script>", #""><script>alert(2)</script>"#)
            #expect(!answer.text.contains("<script>"))
        }
    }

    @Test(
        "An unrequested form does not log in to a realm of another kind", arguments: WireProtocol.any)
    func unasked(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = WireClient(server)
            _ = try await client.act("init")
            try await client.logIn("ann", "right-ann-secret")
            for procedure in ["ofAdapters", "ofBasic", "ofProxy"] {
                #expect(try await client.call(procedure)["user"] == nil)
            }
        }
    }

    @Test(
        "No log has passwords, tokens or the bodies of logins, even at the most verbose level",
        arguments: WireProtocol.any)
    func logs(version: WireProtocol) async throws {
        let log = LogRecorder()
        let secrets = [
            "right-ann-secret", "wrong-secret", "adapter-secret", "back-end-secret", "bearer-secret", "basic-secret",
            "query-secret", "odd-secret",
        ]
        try await RunningServer.attacked(
            over: version, log: log,
            change: {
                $0.backEnds.token = "back-end-secret"
                $0.backEnds.user = "back"
                $0.backEnds.password = "back-end-secret"
            }
        ) { (server) async throws in
            let client = try await asked(server)
            try await client.logIn("ann", "wrong-secret")
            try await client.logIn("ann", "right-ann-secret")
            try await client.sendOnce(.GET, "/apps/services/j_security_check?j_username=ann&j_password=query-secret")
            try await client.call("submit", #"["ann","odd-secret"]"#)
            try await client.call("submit", #"["ann","odd-secret"#)
            try await client.call("submit", #"["ann","adapter-secret"]"#)
            // x:basic-secret and back:back-end-secret
            for header in [
                "Bearer bearer-secret", "Bearer back-end-secret", "Basic eDpiYXNpYy1zZWNyZXQ=",
                "Basic YmFjazpiYWNrLWVuZC1zZWNyZXQ=", #"{"wl_deviceNoProvisioningRealm":"odd-secret"}"#, "odd-secret",
            ] {
                client.headers = [("Authorization", header)]
                try await client.call("echo")
                try await client.call("ofBasic")
                for target in ["/invoke?adapter=A&procedure=echo", "/adapters/A/echo", "/management/v1/overview"] {
                    try await client.sendOnce(.GET, target)
                }
            }
            client.headers = []
            let token = try await TokenClient(server).token()
            _ = try await server.adapter("echo", token: token.bearer)
            _ = try await server.adapter("echo", token: token.bearer + "x")
            let words = log.lines.value.map { "\($0.message) \($0.metadata)" }
            #expect(!words.isEmpty)
            let hidden = secrets + [token.access, String(token.access.suffix(40)), server.note.managementKey]
            for secret in hidden + [client.session, client.instanceID].compactMap(\.self) {
                #expect(!words.contains { $0.contains(secret) }, "\(words.first { $0.contains(secret) } ?? "")")
            }
        }
    }
}
