import Gateway
import PushModel
import TestSupport
import Testing
import Transport

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
            if (!WL.Server.getActiveUser('Adapters')) return onAuthRequired(null, 'log in first');
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

    /// One procedure logs in, another only asks who is logged in and may name a user.
    private static let loginAndAccount = """
        function submit(user, password) {
            if (password !== 'right') return { authRequired: true, errorMessage: 'wrong password' };
            WL.Server.setActiveUser('Adapters', { userId: user });
            return { authRequired: false };
        }
        function account(query) {
            if (query.user === 'nobody') WL.Server.setActiveUser('Adapters', { userId: 'guest' });
            return { branch: query.branch };
        }
        """ + realm

    @Test("calls of another procedure that name the user of refused logins go on, in the same session and in others")
    func otherProcedure() async throws {
        try await Self.run(Self.loginAndAccount, procedures: ["submit", "account"]) { (server) async throws in
            let guesser = WireClient(server)
            for number in 0..<5 { try await guesser.call("submit", #"["carol","guess-\#(number)"]"#) }
            #expect(Self.isStopped(try await guesser.call("submit", #"["carol","right"]"#)))
            #expect(try await guesser.call("account", #"[{"branch":"north"}]"#)["branch"] == "north")
            let other = try await WireClient(server).call("account", #"[{"user":"carol","branch":"north"}]"#)
            #expect(other["branch"] == "north", "\(other.text)")
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

    // MARK: Whom a login is about

    /// Arguments of a login as `bjones` with something else in each, however the client writes the name.
    private static let disguises: [String: @Sendable (_ number: Int, _ password: String) -> String] = [
        "another first text": { number, password in
            #"[{"z":"junk-\#(number)","customerId":"bjones","password":"\#(password)"}]"#
        },
        "another name": { number, password in
            #"[{"user":"junk-\#(number)","customerId":"bjones","password":"\#(password)"}]"#
        },
        "other letters": { number, password in
            let spellings = ["bjones", "BJONES", " bjones", "bjones ", "ｂｊｏｎｅｓ", "bj\u{F6}nes", "b\u{AD}jones"]
            return #"[{"customerId":"\#(spellings[number % 7])","password":"\#(password)"}]"#
        },
        "a name twice": { number, password in
            #"[{"customerId":"junk-\#(number)","customerId":"bjones","password":"\#(password)"}]"#
        },
        "a text that is JSON": { number, password in
            #"["{\"z\":\"junk-\#(number)\",\"customerId\":\"bjones\",\"password\":\"\#(password)\"}"]"#
        },
        "few texts more": { number, password in
            let more = (0..<8).map { #""z\#($0)":"junk-\#(number)-\#($0)""# }.joined(separator: ",")
            return #"[{\#(more),"customerId":"bjones","password":"\#(password)"}]"#
        },
        "very many texts more": { number, password in
            let more = (0..<200).map { #""z\#($0)":"junk-\#(number)-\#($0)""# }.joined(separator: ",")
            return #"[{\#(more),"customerId":"bjones","password":"\#(password)"}]"#
        },
        "blanks": { number, password in
            let blanks = String(repeating: " ", count: 300 + number)
            return #"[{"customerId":"\#(blanks)bjones","password":"\#(password)"}]"#
        },
    ]

    private static let customers = """
        function enter(data) {
            if (typeof data === 'string') data = JSON.parse(data);
            var id = data.customerId.trim().toLowerCase().normalize('NFKD').replace(/[^a-z]/g, '');
            if (id === 'bjones' && data.password !== 'right') return { ok: false };
            WL.Server.setActiveUser('Adapters', { userId: id });
            return { ok: true };
        }
        """ + realm

    @Test("guesses for one user are stopped, whatever else is sent", arguments: disguises.keys.sorted())
    func guessed(disguise: String) async throws {
        let arguments = try #require(Self.disguises[disguise])
        try await Self.run(Self.customers, procedures: ["enter"]) { (server) async throws in
            var passed = 0
            for number in 0..<12 {
                let answer = try await WireClient(server).call("enter", arguments(number, "guess-\(number)"))
                if !Self.isStopped(answer) { passed += 1 }
            }
            #expect(passed == 5)
            #expect(Self.isStopped(try await WireClient(server).call("enter", arguments(12, "right"))))
        }
    }

    private static func enter(_ client: WireClient, _ customer: String, _ password: String) async throws -> Bool {
        let parameters = #"[{"segment":"retail","lang":"en","customerId":"\#(customer)","password":"\#(password)"}]"#
        return try await client.call("enter", parameters)["ok"] == true
    }

    @Test("a text with which different users have logged in stops nobody")
    func shared() async throws {
        try await Self.run(Self.customers, procedures: ["enter"]) { (server) async throws in
            for customer in ["ann", "bob"] { #expect(try await Self.enter(WireClient(server), customer, "right")) }
            for number in 0..<5 { #expect(try await !Self.enter(WireClient(server), "bjones", "\(number)")) }
            #expect(try await !Self.enter(WireClient(server), "bjones", "right"))
            #expect(try await Self.enter(WireClient(server), "kim", "right"))
        }
    }

    @Test("a user's name is not taken for a text of all users because somebody with two accounts has sent it along")
    func taught() async throws {
        try await Self.run(Self.customers, procedures: ["enter"]) { (server) async throws in
            for customer in ["eve", "mallory"] {
                let decoys = #""z":"bjones","customerId":"bjones""#
                let answer = try await WireClient(server).call(
                    "enter", #"[{\#(decoys),"customerId":"\#(customer)","password":"right"}]"#)
                #expect(answer["ok"] == true)
            }
            for number in 0..<5 { #expect(try await !Self.enter(WireClient(server), "bjones", "\(number)")) }
            #expect(try await !Self.enter(WireClient(server), "bjones", "right"))
        }
    }

    @Test("a text that fails from one network stops nobody in another")
    func networks() async throws {
        var files = AttackedProject.files
        files["adapters/A/A-impl.js"] = Self.customers
        files["adapters/A/A.xml"] = """
            <wl:adapter xmlns:wl="http://www.worklight.com/integration" name="A">
            <procedure name="enter" securityTest="wl_unprotected"/></wl:adapter>
            """
        try await RunningServer.run(files: files, time: ManualTime()) { settings in
            settings.trustedProxies = try! TrustedProxies(["127.0.0.1"])
        } _: { (server) async throws in
            let thief = WireClient(server)
            thief.headers = [("X-Forwarded-For", "192.0.2.1")]
            for number in 0..<10 { #expect(try await !Self.enter(thief, "bjones", "\(number)")) }
            let honest = WireClient(server)
            honest.headers = [("X-Forwarded-For", "198.51.100.1")]
            #expect(try await Self.enter(honest, "ann", "right"))
        }
    }

    @Test(
        "guesses by a user who is logged in are stopped, and this user's other calls go on",
        arguments: ["onAuthRequired(null, 'wrong password')", "{ ok: false }"])
    func account(refusal: String) async throws {
        let script = """
            function enter(user, password) {
                if (password !== 'right') return \(refusal);
                WL.Server.setActiveUser('Adapters', { userId: user });
                return { ok: true };
            }
            """ + Self.realm
        try await Self.run(script, procedures: ["enter"]) { (server) async throws in
            let thief = WireClient(server)
            #expect(try await thief.call("enter", #"["eve","right"]"#)["ok"] == true)
            for number in 0..<5 {
                let answer = try await thief.call("enter", #"["ann","\#(number)"]"#)
                #expect(answer["ok"] != true && !Self.isStopped(answer))
            }
            #expect(Self.isStopped(try await thief.call("enter", #"["ann","right"]"#)))
            #expect(try await thief.call("ofAdapters")["user"] == "eve")
            #expect(try await WireClient(server).call("enter", #"["bob","right"]"#)["ok"] == true)
        }
    }

    /// Arguments by which a user hides whose password a call guesses.
    private static let hidden: [@Sendable (Int) -> String] = [
        { #"["ann","\#($0)",\#(String(repeating: "[", count: 600))\#(String(repeating: "]", count: 600))]"# },
        { guess in
            let fillers = (0..<64).map { #""a\#($0)":"eve""# }.joined(separator: ",")
            return #"[{\#(fillers),"userName":"ann","password":"\#(guess)"}]"#
        },
        { #"[{"a":"eve","kunde":"ann","password":"\#($0)"}]"# },
    ]

    @Test("guesses by a user who is logged in are stopped whatever hides the name", arguments: 0..<3)
    func hiddenName(index: Int) async throws {
        let script = """
            function enter(user, password) {
                var o = user && user.password ? user : { kunde: user, password: password };
                if (o.password !== 'right') return { ok: false };
                WL.Server.setActiveUser('Adapters', { userId: o.userName || o.kunde });
                return { ok: true };
            }
            """ + Self.realm
        try await Self.run(script, procedures: ["enter"]) { (server) async throws in
            let thief = WireClient(server)
            #expect(try await thief.call("enter", #"["eve","right"]"#)["ok"] == true)
            for number in 0..<5 {
                let answer = try await thief.call("enter", Self.hidden[index](number))
                #expect(answer["ok"] == false, "\(answer.text)")
            }
            #expect(Self.isStopped(try await thief.call("enter", Self.hidden[index](5))))
        }
    }

    @Test("guesses are stopped although users have logged in with members that look like the victim's place")
    func ambiguousPlace() async throws {
        let script = """
            function enter(o) {
                if (o.x.k !== 'right') return { ok: false };
                WL.Server.setActiveUser('Adapters', { userId: o.x.n });
                return { ok: true };
            }
            function login(o) { return enter(o) }
            """ + Self.realm
        try await Self.run(script, procedures: ["login"]) { (server) async throws in
            for user in ["mal1", "mal2"] {
                let own = #"[{"x.n":"w7","x":{"n":"\#(user)","k":"right"}}]"#
                #expect(try await WireClient(server).call("login", own)["ok"] == true)
            }
            for number in 0..<5 {
                let guess = #"[{"x":{"n":"w7","k":"guess-\#(number)"}}]"#
                #expect(try await WireClient(server).call("login", guess)["ok"] == false)
            }
            #expect(Self.isStopped(try await WireClient(server).call("login", #"[{"x":{"n":"w7","k":"right"}}]"#)))
        }
    }

    @Test("wrong passwords of several users with the same text beside their names stop no other user")
    func sharedBranch() async throws {
        let script = """
            function enter(user, password, branch) {
                if (password !== 'right') return { ok: false };
                WL.Server.setActiveUser('Adapters', { userId: 'id-of-' + user });
                return { ok: true };
            }
            """ + Self.realm
        try await Self.run(script, procedures: ["enter"]) { (server) async throws in
            for number in 0..<12 {
                #expect(
                    try await WireClient(server).call("enter", #"["user-\#(number)","typo","Main"]"#)["ok"] == false)
            }
            #expect(try await WireClient(server).call("enter", #"["ann","right","Main"]"#)["ok"] == true)
        }
    }
}
