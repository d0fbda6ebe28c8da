import Gateway
import NIOHTTP1
import PushModel
import TestSupport
import Testing
import Transport

@Suite("Guessing passwords by procedures that log users in")
struct AdapterLoginAttacks {
    /// How a client may call a procedure.
    enum Way: String, CaseIterable, Sendable {
        case query, invoke
    }

    private static func submit(
        _ client: WireClient, _ user: String, _ password: String, by way: Way = .query, procedure: String = "submit"
    ) async throws -> WireClient.Answer {
        let parameters = JSONValue.array([.string(user), .string(password)]).text
        let fields = [("adapter", "A"), ("procedure", procedure), ("parameters", parameters)]
        return way == .query ? try await client.act("query", fields) : try await client.send("/invoke", fields)
    }

    private static func isStopped(_ answer: WireClient.Answer) -> Bool { answer.text.contains("Too many attempts") }

    @Test(
        "are stopped after five wrong passwords for a user, in whatever session, until time has passed",
        arguments: WireProtocol.cases(Way.allCases))
    func user(way: Way, version: WireProtocol) async throws {
        let time = ManualTime()
        try await RunningServer.attacked(over: version, time: time) { (server) async throws in
            for attempt in 0..<5 {
                let answer = try await Self.submit(WireClient(server), "ann", "guess-\(attempt)", by: way)
                #expect(answer.text.contains("the password is wrong"))
            }
            let client = WireClient(server)
            let refused = try await Self.submit(client, "ann", "adapter-secret", by: way)
            #expect(Self.isStopped(refused) && refused["isSuccessful"] == false && refused.status == 200)
            #expect(Self.isStopped(try await Self.submit(client, " ANN", "adapter-secret", by: way)))
            #expect(try await client.call("ofAdapters")["user"] == nil)
            #expect(
                try await Self.submit(WireClient(server), "bob", "adapter-secret", by: way)["authRequired"] == false)
            time.advance(by: .seconds(2))
            #expect(try await Self.submit(client, "ann", "adapter-secret", by: way)["authRequired"] == false)
            #expect(try await client.call("ofAdapters")["user"] == "ann")
        }
    }

    @Test(
        "are stopped after fifty wrong passwords from an address, whoever they are for",
        arguments: WireProtocol.any)
    func address(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version, time: ManualTime()) { (server) async throws in
            let client = WireClient(server)
            for number in 0..<50 { _ = try await Self.submit(client, "user-\(number)", "summer") }
            #expect(Self.isStopped(try await Self.submit(client, "bob", "adapter-secret")))
            // The same count as for forms.
            #expect(try await client.call("ofForms").text.contains("j_security_check"))
            #expect(try await client.logIn("bob", "right-bob-secret").text.contains("Too many attempts"))
        }
    }

    @Test("are stopped with a token of the OAuth layer, too")
    func token() async throws {
        try await RunningServer.attacked(time: ManualTime()) { (server) async throws in
            let token = try await TokenClient(server).token()
            for attempt in 0..<5 {
                _ = try await server.adapter("submit", #"["ann","\#(attempt)"]"#, token: token.bearer)
            }
            let answer = try await server.adapter("submit", #"["ann","adapter-secret"]"#, token: token.bearer)
            #expect(Self.isStopped(answer))
        }
    }

    @Test("are not mistaken for calls of other procedures, nor for logins that succeed")
    func others() async throws {
        try await RunningServer.attacked(time: ManualTime()) { (server) async throws in
            let client = WireClient(server)
            for _ in 0..<60 {
                #expect(try await client.call("echo", #"["ann","x"]"#)["got"] != nil)
                #expect(try await Self.submit(client, "ann", "adapter-secret")["authRequired"] == false)
            }
        }
    }

    /// Arguments that hide the user whose password is guessed, and that `submit` reads as the plain ones.
    private static let disguises: [String: @Sendable (_ password: String, _ number: Int) -> String] = [
        "too deep to be read here": { password, _ in
            #"["ann","\#(password)",\#(String(repeating: "[", count: 600))\#(String(repeating: "]", count: 600))]"#
        },
        "half of a character": { password, _ in #"["ann","\#(password)","\ud800"]"# },
        "another user behind": { password, number in #"["ann","\#(password)",{"user":"made-up-\#(number)"}]"# },
        "many users behind": { password, number in
            let users = (0..<20).map { #"{"user":"made-up-\#(number)-\#($0)"}"# }.joined(separator: ",")
            return #"["ann","\#(password)",\#(users)]"#
        },
        "single quotes": { password, _ in "['ann','\(password)']" },
        "no brackets": { password, _ in #""ann", "\#(password)""# },
        "a text in arrays": { password, _ in #"[[[[[["ann"]]]]],"\#(password)"]"# },
    ]

    @Test("are stopped, however the arguments hide the user", arguments: disguises.keys.sorted())
    func disguised(name: String) async throws {
        let disguise = try #require(Self.disguises[name])
        try await RunningServer.attacked(time: ManualTime()) { (server) async throws in
            let call = { (password: String, number: Int) in
                try await WireClient(server).call("submit", disguise(password, number))
            }
            for number in 0..<5 {
                #expect(try await call("guess-\(number)", number).text.contains("the password is wrong"))
            }
            let answer = try await call("adapter-secret", 5)
            #expect(Self.isStopped(answer), "\(answer.text.prefix(300))")
        }
    }

    // MARK: Other adapters

    private static func run(_ script: String, _ body: @Sendable (RunningServer) async throws -> Void) async throws {
        var files = AttackedProject.files
        files["adapters/A/A-impl.js"] = script
        files["adapters/A/A.xml"] = """
            <wl:adapter xmlns:wl="http://www.worklight.com/integration" name="A">
            <procedure name="first" securityTest="wl_unprotected"/><procedure name="second" securityTest="wl_unprotected"/>
            <procedure name="balance" securityTest="wl_unprotected"/><procedure name="leave" securityTest="wl_unprotected"/>
            <procedure name="ofAdapters" securityTest="Adapters"/>
            </wl:adapter>
            """
        try await RunningServer.run(files: files, time: ManualTime(), body)
    }

    private static let steps = """
        var known = null;
        function onAuthRequired(headers, message) { return { authRequired: true, errorMessage: message } }
        function first(user, password) {
            if (password !== 'right') return onAuthRequired(null, 'wrong');
            known = user;
            return { authRequired: true, question: 'colour?' };
        }
        function logIn(user) { WL.Server.setActiveUser('Adapters', { userId: user }) }
        function second(answer) {
            if (known === null || answer !== 'blue') return onAuthRequired(null, 'wrong');
            logIn(known);
            return { authRequired: false };
        }
        function balance(account, currency) { return WL.Server.getActiveUser('Adapters') ? { sum: 1 } : { sum: 0 } }
        function leave(user) { WL.Server.setActiveUser('Adapters', null); return {} }
        function onLogout() {}
        function ofAdapters() { return { user: WL.Server.getActiveUser('Adapters').userId } }
        """

    @Test("are stopped at the first of two steps, and people who pass both are not counted")
    func twoSteps() async throws {
        try await Self.run(Self.steps) { (server) async throws in
            let honest = WireClient(server)
            for _ in 0..<60 {
                #expect(try await honest.call("first", #"["ann","right"]"#)["question"] == "colour?")
                #expect(try await honest.call("second", #"["blue"]"#)["authRequired"] == false)
                try await honest.act("logout", [("realm", "Adapters")])
            }
            let thief = WireClient(server)
            for number in 0..<5 { _ = try await thief.call("first", #"["ann","\#(number)"]"#) }
            #expect(Self.isStopped(try await thief.call("first", #"["ann","right"]"#)))
        }
    }

    @Test("are stopped at the second step, too, where the user is not named again")
    func secondStep() async throws {
        try await Self.run(Self.steps) { (server) async throws in
            let thief = WireClient(server)
            _ = try await thief.call("first", #"["ann","right"]"#)
            for number in 0..<5 { _ = try await thief.call("second", #"["colour-\#(number)"]"#) }
            #expect(Self.isStopped(try await thief.call("second", #"["blue"]"#)))
        }
    }

    @Test("are counted for their user, whatever user an earlier step of the session was about")
    func otherStep() async throws {
        let script = """
            function onAuthRequired() { return { authRequired: true } } function onLogout() {}
            function first(user) { return onAuthRequired() }
            function second(user, password) {
                if (password === 'right') WL.Server.setActiveUser('Adapters', { userId: user });
                return {};
            }
            function balance() {} function leave() {} function ofAdapters() {}
            """
        try await Self.run(script) { (server) async throws in
            for number in 0..<5 {
                let thief = WireClient(server)
                _ = try await thief.call("first", #"["made-up-\#(number)"]"#)
                _ = try await thief.call("second", #"["ann","guess"]"#)
            }
            #expect(Self.isStopped(try await WireClient(server).call("second", #"["ann","right"]"#)))
        }
    }

    @Test("are not made good by a login as somebody else")
    func ownAccount() async throws {
        try await Self.run(Self.steps) { (server) async throws in
            let thief = WireClient(server)
            for number in 0..<5 {
                _ = try await thief.call("first", #"["ann","\#(number)"]"#)
                _ = try await thief.call("first", #"["eve","right"]"#)
                let answer = try await thief.call("second", #"["blue"]"#)
                // Both users count for a session that has tried both.
                #expect(answer["authRequired"] == false || number >= 2)
                try await thief.act("logout", [("realm", "Adapters")])
            }
            #expect(Self.isStopped(try await thief.call("first", #"["ann","right"]"#)))
        }
    }

    @Test("are not what asking or logging out without a login is")
    func harmless() async throws {
        try await Self.run(Self.steps) { (server) async throws in
            let client = WireClient(server)
            for _ in 0..<60 {
                #expect(try await client.call("balance", #"["ann","EUR"]"#)["sum"] == 0)
                #expect(try await client.call("leave", #"["ann"]"#)["isSuccessful"] == true)
            }
        }
    }

    @Test(
        "are found however the script is written",
        arguments: [
            "var auth = { check: function (u, p) { if (p === 'right') WL.Server.setActiveUser('Adapters', { userId: u }) } };"
                + "function first(u, p) { auth.check(u, p); return {} }",
            "function first(u, p) { var s = WL.Server; if (p === 'right') s['setActiveUser']('Adapters', { userId: u }) }",
            "check = function (u, p) { if (p === 'right') WL.Server.setActiveUser('Adapters', { userId: u }) };"
                + "function first(u, p) { check(u, p) }",
            "function first(o) { if (o.password === 'right') WL.Server.setActiveUser('Adapters', { userId: o.user }) }",
        ])
    func spellings(script: String) async throws {
        let rest = """
            function onAuthRequired() { return { authRequired: true } } function onLogout() {}
            function second() {} function balance() {} function leave() {} function ofAdapters() {}
            """
        try await Self.run(script + rest) { (server) async throws in
            let takesObject = script.contains("o.password")
            let arguments = { (password: String) in
                takesObject ? #"[{"password":"\#(password)","user":"ann"}]"# : #"["ann","\#(password)"]"#
            }
            for number in 0..<5 { _ = try await WireClient(server).call("first", arguments("\(number)")) }
            #expect(Self.isStopped(try await WireClient(server).call("first", arguments("right"))))
        }
    }
}
