import Gateway
import PushModel
import TestSupport
import Testing

@Suite("Which calls count as refused logins")
struct AdapterLoginCountTests {
    private static func run(
        _ script: String, procedures: [String], time: any TimeSource = ManualTime(),
        _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        var files = AttackedProject.files
        let declared = procedures.map { "<procedure name=\"\($0)\" securityTest=\"wl_unprotected\"/>" }.joined()
        files["adapters/A/A-impl.js"] = script
        files["adapters/A/A.xml"] = """
            <wl:adapter xmlns:wl="http://www.worklight.com/integration" name="A">
            \(declared)<procedure name="ofAdapters" securityTest="Adapters"/>
            </wl:adapter>
            """
        try await RunningServer.run(files: files, time: time, body)
    }

    private static func isStopped(_ answer: WireClient.Answer) -> Bool { answer.text.contains("Too many attempts") }

    private static let realm = """
        function onAuthRequired(headers, message) { return { authRequired: true, errorMessage: message || null } }
        function onLogout() { WL.Server.setActiveUser('Adapters', null) }
        function ofAdapters() { return { user: WL.Server.getActiveUser('Adapters').userId } }

        """

    // MARK: A procedure for everything

    private static let dispatcher = """
        function request(action, data) {
            if (action === 'login') {
                if (data.password !== 'right') return onAuthRequired(null, 'wrong password');
                WL.Server.setActiveUser('Adapters', { userId: data.user });
                return { authRequired: false };
            }
            if (action === 'getNews') return { news: data };
            if (action === 'register') throw new Error('no room');
            if (!WL.Server.getActiveUser('Adapters')) return onAuthRequired();
            return { accounts: data };
        }
        """ + realm

    private static func logIn(_ client: WireClient, _ user: String, _ password: String) async throws
        -> WireClient.Answer
    {
        try await client.call("request", #"["login",{"user":"\#(user)","password":"\#(password)"}]"#)
    }

    @Test("calls that ask for something else by the procedure that logs in are not, with or without a user")
    func dispatcher() async throws {
        try await Self.run(Self.dispatcher, procedures: ["request"]) { (server) async throws in
            for number in 0..<12 {
                let client = WireClient(server)
                for action in ["getNews", "getAccounts", "register"] {
                    let answer = try await client.call("request", #"["\#(action)",{"page":"1"}]"#)
                    #expect(!Self.isStopped(answer), "\(answer.text)")
                }
                #expect(try await Self.logIn(client, "user-\(number)", "right")["authRequired"] == false)
                for _ in 0..<6 {
                    let answer = try await client.call("request", #"["getAccounts",{"page":"1"}]"#)
                    #expect(answer["accounts"] != nil, "\(answer.text)")
                }
            }
        }
    }

    @Test("guesses by a procedure for everything are stopped, and other users log in by it")
    func guessedDispatcher() async throws {
        try await Self.run(Self.dispatcher, procedures: ["request"]) { (server) async throws in
            for number in 0..<5 { _ = try await Self.logIn(WireClient(server), "bjones", "guess-\(number)") }
            #expect(Self.isStopped(try await Self.logIn(WireClient(server), "bjones", "right")))
            #expect(try await Self.logIn(WireClient(server), "ann", "right")["authRequired"] == false)
            #expect(try await WireClient(server).call("request", #"["getNews",{}]"#)["news"] != nil)
        }
    }

    // MARK: A login on demand

    private static let onDemand = """
        function accounts(user, password) {
            if (!WL.Server.getActiveUser('Adapters')) {
                if (password !== 'right') return { error: 'wrong password' };
                WL.Server.setActiveUser('Adapters', { userId: user });
            }
            return { accounts: [user] };
        }
        """ + realm

    @Test("calls of a user who has logged in by the same procedure are not")
    func onDemand() async throws {
        try await Self.run(Self.onDemand, procedures: ["accounts"]) { (server) async throws in
            let client = WireClient(server)
            for _ in 0..<60 {
                #expect(try await client.call("accounts", #"["ann","right"]"#)["accounts"] != nil)
            }
            // Another session of hers is not stopped either.
            #expect(try await WireClient(server).call("accounts", #"["ann","right"]"#)["accounts"] != nil)
        }
    }

    @Test("guesses by a procedure that logs in on demand are stopped")
    func guessedOnDemand() async throws {
        try await Self.run(Self.onDemand, procedures: ["accounts"]) { (server) async throws in
            for number in 0..<5 {
                #expect(try await WireClient(server).call("accounts", #"["ann","\#(number)"]"#)["error"] != nil)
            }
            #expect(Self.isStopped(try await WireClient(server).call("accounts", #"["ann","right"]"#)))
        }
    }

    // MARK: A script that Lamplighter does not read

    /// Too deep for Lamplighter's parser.
    private static let unreadable =
        "var deep = \(String(repeating: "(", count: 450))7\(String(repeating: ")", count: 450));\n" + """
            function echo(text, more) { return { got: text } }
            function find(customer, page) { return { ok: false } }
            submit = function (user, password) {
                if (password !== 'right') return { ok: false };
                WL.Server.setActiveUser('Adapters', { userId: user });
                return { ok: true };
            };
            """ + realm

    @Test("calls of other procedures are not, in a script that cannot be read before it runs")
    func unreadable() async throws {
        try await Self.run(Self.unreadable, procedures: ["echo", "find", "submit"]) { (server) async throws in
            for _ in 0..<20 {
                #expect(try await WireClient(server).call("echo", #"["ann","x"]"#)["got"] == "ann")
                #expect(try await WireClient(server).call("find", #"["ann","1"]"#)["ok"] == false)
            }
        }
    }

    @Test("guesses are stopped in a script that cannot be read before it runs")
    func guessedUnreadable() async throws {
        try await Self.run(Self.unreadable, procedures: ["echo", "find", "submit"]) { (server) async throws in
            for number in 0..<5 {
                #expect(try await WireClient(server).call("submit", #"["ann","\#(number)"]"#)["ok"] == false)
            }
            #expect(Self.isStopped(try await WireClient(server).call("submit", #"["ann","right"]"#)))
            #expect(try await WireClient(server).call("submit", #"["bob","right"]"#)["ok"] == true)
        }
    }
}
