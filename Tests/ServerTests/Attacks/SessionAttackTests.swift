import Core
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import Installation

@Suite("Attacks on sessions")
struct SessionAttackTests {
    /// Calls that wait for a back end until they may go on, and then say who is logged in.
    private static let waiting = """
        function wait(path) {
            WL.Server.invokeHttp({ method: 'get', path: path, returnedContentType: 'plain' });
            var user = WL.Server.getActiveUser('Forms');
            return { user: user === null ? 'nobody' : user.userId };
        }
        function waitAsUser() {
            WL.Server.invokeHttp({ method: 'get', path: '/held', returnedContentType: 'plain' });
            return { user: WL.Server.getActiveUser('Basic').userId };
        }
        function ofForms() { return { user: WL.Server.getActiveUser('Forms').userId } }
        """

    /// A project whose procedures wait for a back end.
    private static func waiting(for backEnd: HeldBackEnd) -> [String: String] {
        var files = AttackedProject.files
        files["adapters/A/A-impl.js"] = waiting
        files["adapters/A/A.xml"] = """
            <wl:adapter xmlns:wl="http://www.worklight.com/integration" xmlns:http="http://www.worklight.com/integration/http"
                xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="A">
            \(backEnd.connectivity)<procedure name="wait"/><procedure name="ofForms" securityTest="Forms"/>
            <procedure name="waitAsUser" securityTest="Basic"/></wl:adapter>
            """
        return files
    }

    @Test("Simultaneous requests with the user's password log in once, and stay logged in")
    func loginsAtOnce() async throws {
        let backEnd = try HeldBackEnd()
        var files = Self.waiting(for: backEnd)
        // Calls of one session wait for each other otherwise.
        files["server/conf/worklight.properties", default: ""] += "\nmfp.session.independent=true\n"
        try await RunningServer.run(files: files) { (server) async throws in
            let client = WireClient(server, device: "phone-1")
            #expect(try await client.act("init").status == 200)
            let headers = [
                "Cookie: \(client.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))",
                "WL-Instance-Id: \(client.instanceID ?? "")", "Content-Type: application/x-www-form-urlencoded",
                "Authorization: Basic \(Data("ann:right-ann-secret".utf8).base64EncodedString())",
            ]
            let target = client.root + "query"
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await server.sendRaw(
                            "POST", target, headers: headers, body: "adapter=A&procedure=waitAsUser&parameters=%5B%5D")
                    }
                }
                // All have logged in before the first gets a response.
                try await backEnd.arrivals(4)
                backEnd.open()
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let cookies = answers.compactMap { $0.firstMatch(of: /JSESSIONID=([^;]+)/).map { String($0.1) } }
            #expect(cookies.count == 1, "\(answers)")
            client.cookies["JSESSIONID"] = cookies.first
            #expect(try await client.call("waitAsUser")["user"] == "ann")
        }
    }

    @Test("One of two simultaneous adapter logins must retry, and then both users are logged in")
    func adapterLoginsAtOnce() async throws {
        let backEnd = try HeldBackEnd()
        var files = Self.waiting(for: backEnd)
        files["server/conf/worklight.properties", default: ""] += "\nmfp.session.independent=true\n"
        files["adapters/A/A-impl.js"] = """
            function wait(realm) {
                WL.Server.invokeHttp({ method: 'get', path: '/held', returnedContentType: 'plain' });
                WL.Server.setActiveUser(realm, { userId: 'of ' + realm });
                return { authRequired: false };
            }
            function waitAsUser() { return {} }
            function ofForms() {
                return { users: ['Forms', 'Adapters'].map(function (r) { return WL.Server.getActiveUser(r).userId }) };
            }
            """
        try await RunningServer.run(files: files) { (server) async throws in
            let client = WireClient(server, device: "phone-1")
            #expect(try await client.act("init").status == 200)
            let (cookies, instanceID) = (client.cookies, client.instanceID)
            let clients = try await withThrowingTaskGroup(
                of: (status: Int, realm: String, cookies: [String: String]).self
            ) { group in
                for realm in ["Forms", "Adapters"] {
                    group.addTask {
                        let own = WireClient(server, device: "phone-1")
                        (own.cookies, own.instanceID) = (cookies, instanceID)
                        let fields = [("adapter", "A"), ("procedure", "wait"), ("parameters", #"["\#(realm)"]"#)]
                        let answer = try await own.sendOnce(.POST, own.root + "query", fields)
                        #expect((answer["authRequired"] == false) == (answer.status == 200))
                        return (answer.status, realm, own.cookies)
                    }
                }
                try await backEnd.arrivals(2)
                backEnd.open()
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let winner = try #require(clients.first { $0.status == 200 })
            let loser = try #require(clients.first { $0.status == 401 })
            client.cookies = winner.cookies
            #expect(try await client.call("wait", #"["\#(loser.realm)"]"#)["authRequired"] == false)
            #expect(try await client.call("ofForms")["users"] == ["of Forms", "of Adapters"])
        }
    }

    @Test(
        "A request running in a planted session gets neither new cookies nor the user who logs in",
        arguments: WireProtocol.any)
    func underWay(version: WireProtocol) async throws {
        let backEnd = try HeldBackEnd()
        let files = Self.waiting(for: backEnd)
        try await RunningServer.run(files: files, over: version) { (server) async throws in
            let planter = WireClient(server, device: "phone-1")
            #expect(try await planter.act("init").status == 200)
            let victim = WireClient(server, device: "phone-1")
            (victim.cookies, victim.instanceID) = (planter.cookies, planter.instanceID)
            let headers = [
                "Cookie: \(planter.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))",
                "WL-Instance-Id: \(planter.instanceID ?? "")", "Content-Type: application/x-www-form-urlencoded",
            ]
            let target = planter.root + "query"
            async let answer = server.sendRaw(
                "POST", target, headers: headers, body: "adapter=A&procedure=wait&parameters=%5B%22%2Fheld%22%5D")
            try await backEnd.arrivals(1)
            #expect(try await victim.act("login", [("realm", "Forms")]).text.contains("j_security_check"))
            #expect(try await victim.logIn("ann", "right-ann-secret").text == "/*-secure-\n{}*/")
            backEnd.open()
            let raw = try await answer
            #expect(raw.contains(#""user":"nobody""#) && !raw.lowercased().contains("set-cookie"), "\(raw)")
            #expect(victim.session != planter.session)
            #expect(try await victim.call("wait", #"["/free"]"#)["user"] == "ann")
        }
    }

    @Test("refuses a made-up instance id", arguments: WireProtocol.any)
    func madeUpInstance(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = WireClient(server)
            try await client.act("init")
            client.instanceID = "abcdefghijklmnopqrstuvwxyz"
            let answer = try await client.sendOnce(
                .POST, client.root + "query", [("adapter", "A"), ("procedure", "kept")])
            #expect(answer.status == 401)
            #expect(answer["value"] == nil)
        }
    }

    @Test("refuses another session's instance id", arguments: WireProtocol.any)
    func foreignInstance(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let (victim, thief) = (WireClient(server), WireClient(server))
            try await victim.act("init")
            try await thief.act("init")
            thief.instanceID = victim.instanceID
            let answer = try await thief.sendOnce(
                .POST, thief.root + "query", [("adapter", "A"), ("procedure", "kept")])
            #expect(answer.status == 401)
        }
    }

    @Test(
        "Guessing instance ids endlessly gets 403, and the right one still works",
        arguments: WireProtocol.any)
    func guessing(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = WireClient(server)
            try await client.act("init")
            let own = client.instanceID
            client.instanceID = "wrong"
            var statuses: [Int] = []
            for _ in 0..<12 { statuses.append(try await client.sendOnce(.POST, client.root + "heartbeat").status) }
            #expect(statuses.first == 401)
            #expect(statuses.last == 403)
            client.instanceID = own
            #expect(try await client.sendOnce(.POST, client.root + "heartbeat").status == 200)
        }
    }

    @Test("refuses the cookie and instance id of an expired session", arguments: WireProtocol.any)
    func replayAfterEnd(version: WireProtocol) async throws {
        let time = ManualTime()
        try await RunningServer.attacked(over: version, time: time, change: { $0.sessionTimeout = .seconds(600) }) {
            (server) async throws in
            let client = WireClient(server)
            try await client.call("keep", #"["mine"]"#)
            let (session, instance) = (client.session, client.instanceID)
            time.advance(by: .seconds(601))
            let answer = try await client.sendOnce(
                .POST, client.root + "query", [("adapter", "A"), ("procedure", "kept")])
            #expect(answer.status == 401)
            #expect(client.session != session)
            #expect(answer["challenges"]?["wl_antiXSRFRealm"]?["WL-Instance-Id"]?.string != instance)
        }
    }

    @Test(
        "Choosing a session's id: it is never adopted",
        arguments: WireProtocol.allCases)
    func chosenID(version: WireProtocol) async throws {
        let cases: [String] = [
            "0000chosen", "", "client 1", "0000" + String(repeating: "A", count: 32), "../x", "%00",
        ]
        try await RunningServer.attacked(over: version) { (server) async throws in
            for id in version.some(of: cases) {
                let client = WireClient(server)
                client.cookies["JSESSIONID"] = id
                try await client.act("init")
                #expect(client.session != id, "\(id)")
                #expect(client.session?.count == 36, "\(id)")
            }
        }
    }

    @Test(
        "Choosing a session's id in the path, as Java's servers let one: it is never adopted",
        arguments: WireProtocol.any)
    func chosenInPath(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let answer = try await server.sendRaw(
                "POST", "/apps/services/api/App/desktopbrowser/init;jsessionid=0000chosen")
            #expect(answer.contains("HTTP/1.1 401"))
            #expect(!answer.contains("0000chosen"))
        }
    }

    @Test(
        "Session fixation in a browser: a login changes the id, and the old one is invalid",
        arguments: WireProtocol.cases(["form", "adapter", "basic"]))
    func fixation(kind: String, version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let attacker = WireClient(server)
            try await attacker.act("init")
            let victim = WireClient(server)
            victim.cookies = attacker.cookies
            switch kind {
            case "form":
                try await victim.call("ofForms")
                #expect(try await victim.logIn("ann", "right-ann-secret").text == "/*-secure-\n{}*/")
                #expect(try await victim.call("ofForms")["user"] == "ann")
            case "adapter":
                try await victim.call("submit", #"["ann","adapter-secret"]"#)
                #expect(try await victim.call("ofAdapters")["user"] == "ann")
            default:
                victim.headers = [("Authorization", "Basic YW5uOnJpZ2h0LWFubi1zZWNyZXQ=")]
                #expect(try await victim.call("ofBasic")["user"] == "ann")
            }
            #expect(victim.session != attacker.session)
            for procedure in ["ofForms", "ofAdapters", "ofBasic"] {
                let answer = try await attacker.sendOnce(
                    .POST, attacker.root + "query", [("adapter", "A"), ("procedure", procedure)])
                #expect(answer["user"] == nil)
            }
        }
    }

    @Test(
        "Session fixation in a native client: the old id is invalid after a login",
        arguments: WireProtocol.cases(["form", "adapter", "basic", "form without a path", "token"]))
    func nativeFixation(kind: String, version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let attacker = WireClient(server, device: "phone-1")
            try await attacker.act("init")
            let victim = WireClient(server, device: "phone-1")
            victim.cookies = attacker.cookies
            switch kind {
            case "form":
                try await victim.call("ofForms")
                #expect(try await victim.logIn("ann", "right-ann-secret").text == "/*-secure-\n{}*/")
            case "form without a path":
                // The attacker goes as far as the login page, and has the form posted by the victim's browser.
                #expect(try await attacker.call("ofForms").text.contains("j_security_check"))
                let fields = [("j_username", "ann"), ("j_password", "right-ann-secret")]
                let answer = try await victim.sendOnce(.POST, "/apps/services/j_security_check", fields)
                #expect(answer.text == "/*-secure-\n{}*/")
            case "adapter": try await victim.call("submit", #"["ann","adapter-secret"]"#)
            case "basic":
                victim.headers = [("Authorization", "Basic YW5uOnJpZ2h0LWFubi1zZWNyZXQ=")]
                // The same header contains the response to the challenge for the device.
                victim.instanceID = attacker.instanceID
                #expect(try await victim.call("ofBasic")["user"] == "ann")
            default:
                // The session becomes that of the victim's client, which logs in with a token.
                let client = TokenClient(server)
                client.wire.cookies = attacker.cookies
                let token = try await client.token()
                #expect(client.wire.session == attacker.session)
                let answer = try await client.wire.sendOnce(
                    .POST, "/adapters/A/submit", [("params", #"["ann","adapter-secret"]"#)],
                    headers: [("Authorization", token.bearer)])
                #expect(answer["authRequired"] == false)
                victim.cookies = client.wire.cookies
            }
            #expect(victim.session != attacker.session)
            for procedure in ["ofForms", "ofAdapters", "ofBasic"] {
                let answer = try await attacker.sendOnce(
                    .POST, attacker.root + "query", [("adapter", "A"), ("procedure", procedure)])
                #expect(answer["user"] == nil, "\(procedure)")
            }
        }
    }

    @Test("The id that a session had before its login reveals nothing about it", arguments: WireProtocol.any)
    func formerID(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let victim = WireClient(server)
            try await victim.act("init")
            let thief = WireClient(server)
            thief.cookies = victim.cookies
            try await victim.call("ofForms")
            try await victim.logIn("ann", "right-ann-secret")
            // A thief who knows only the id, and tries it repeatedly.
            for _ in 0..<20 {
                let answer = try await thief.sendOnce(
                    .POST, thief.root + "query", [("adapter", "A"), ("procedure", "ofForms")])
                #expect(answer.status == 401)
                #expect(!answer.text.contains(victim.instanceID ?? ""))
                #expect(!answer.headers.description.contains(victim.session ?? ""))
            }
            #expect(try await victim.call("ofForms")["user"] == "ann")
        }
    }

    @Test(
        "Reaching the session of a client with a token by its id, which is not secret",
        arguments: WireProtocol.any)
    func clientSession(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let token = try await TokenClient(server).token()
            let kept = try await server.adapter("keep", #"["private"]"#, token: token.bearer)
            #expect(kept.status == 200)
            let thief = WireClient(server)
            thief.cookies["JSESSIONID"] = "client \(token.clientID)"
            #expect(try await thief.call("kept")["value"] == "nothing")
        }
    }

    @Test("a client cannot read another session's variables", arguments: WireProtocol.any)
    func variables(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let (victim, thief) = (WireClient(server), WireClient(server))
            try await victim.call("keep", #"["private"]"#)
            #expect(try await victim.call("kept")["value"] == "private")
            #expect(try await thief.call("kept")["value"] == "nothing")
            thief.cookies["WL_PERSISTENT_COOKIE"] = victim.cookies["WL_PERSISTENT_COOKIE"]
            #expect(try await thief.call("kept")["value"] == "nothing")
        }
    }

    @Test(
        "A logout in one session leaves others alone, and ends the own one's rights", arguments: WireProtocol.any)
    func logout(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let (one, other) = (WireClient(server), WireClient(server))
            for client in [one, other] { try await client.call("submit", #"["ann","adapter-secret"]"#) }
            try await one.act("logout", [("realm", "Adapters")])
            #expect(try await one.call("ofAdapters")["authRequired"] == true)
            #expect(try await other.call("ofAdapters")["user"] == "ann")
        }
    }
}
