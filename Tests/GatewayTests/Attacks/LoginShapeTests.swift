import Gateway
import NIOHTTP1
import PushModel
import TestSupport
import Testing
import Transport

/// Login procedures as authors of adapters write them.
@Suite("Guessing passwords, whatever shape the login has")
struct LoginShapeTests {
    private static let end = """

        function onLogout() { WL.Server.setActiveUser('Adapters', null) }
        function ofAdapters() { return { user: WL.Server.getActiveUser('Adapters').userId } }
        """
    private static let asking = """

        function onAuthRequired(headers, message) { return { authRequired: true, errorMessage: message || null } }
        """

    private static func run(
        _ script: String, procedures: [String], time: any TimeSource = ManualTime(), other: String? = nil,
        _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        func xml(_ name: String, _ procedures: [String]) -> String {
            let declared = procedures.map { "<procedure name=\"\($0)\" securityTest=\"wl_unprotected\"/>" }.joined()
            return """
                <wl:adapter xmlns:wl="http://www.worklight.com/integration" name="\(name)">
                \(declared)<procedure name="ofAdapters" securityTest="Adapters"/>
                </wl:adapter>
                """
        }
        var files = AttackedProject.files
        files["adapters/A/A-impl.js"] = script + end
        files["adapters/A/A.xml"] = xml("A", procedures)
        if let other {
            files["adapters/C/C-impl.js"] = other + "\nfunction ofAdapters() { return {} }"
            files["adapters/C/C.xml"] = xml("C", ["login"])
        }
        try await RunningServer.run(files: files, time: time, body)
    }

    private static func isStopped(_ answer: WireClient.Answer) -> Bool { answer.text.contains("Too many attempts") }

    private static let methodScripts = [
        """
        var Auth = {};
        Auth.check = function (user, password) {
            if (password !== 'right') return onAuthRequired(null, 'wrong');
            WL.Server.setActiveUser('Adapters', { userId: user });
            return { authRequired: false };
        };
        function submit(user, password) { return Auth.check(user, password) }
        """,
        """
        function Auth() {}
        Auth.prototype.login = function (user, password) {
            if (password !== 'right') return onAuthRequired(null, 'wrong');
            WL.Server.setActiveUser('Adapters', { userId: user });
            return { authRequired: false };
        };
        function submit(user, password) { return new Auth().login(user, password) }
        """,
    ]

    @Test("is stopped after five where a method logs in", arguments: methodScripts)
    func methods(script: String) async throws {
        try await Self.run(script + Self.asking, procedures: ["submit"]) { (server) async throws in
            for number in 0..<5 {
                #expect(try await WireClient(server).call("submit", #"["ann","\#(number)"]"#)["authRequired"] == true)
            }
            #expect(Self.isStopped(try await WireClient(server).call("submit", #"["ann","right"]"#)))
            #expect(try await WireClient(server).call("submit", #"["bob","right"]"#)["authRequired"] == false)
        }
    }

    @Test("is stopped where another adapter's procedure logs in, as soon as it has been seen to")
    func delegate() async throws {
        let script = """
            function submit(user, password) {
                if (password !== 'right') return onAuthRequired(null, 'wrong');
                WL.Server.setActiveUser('Adapters', { userId: user });
                return { authRequired: false };
            }
            """
        let other = """
            function login(user, password) {
                return WL.Server.invokeProcedure({ adapter: 'A', procedure: 'submit', parameters: [user, password] });
            }
            """
        try await Self.run(script + Self.asking, procedures: ["submit"], other: other) { (server) async throws in
            for number in 0..<6 {
                let answer = try await WireClient(server).call("login", #"["ann","\#(number)"]"#, adapter: "C")
                #expect(answer["authRequired"] == true)
            }
            #expect(Self.isStopped(try await WireClient(server).call("login", #"["ann","right"]"#, adapter: "C")))
        }
    }

    /// Two steps each, whose first one is right with `right` and whose second one is with `42`.
    private static let steps = [
        """
        var known = null;
        function first(user, password) {
            if (password !== 'right') return { authRequired: true, errorMessage: 'wrong password' };
            known = user;
            return { authRequired: true, otpRequired: true };
        }
        function second(otp) {
            if (known === null || otp !== '42') return { authRequired: true, errorMessage: 'wrong code' };
            WL.Server.setActiveUser('Adapters', { userId: 'id-of-' + known });
            return { authRequired: false };
        }
        function onAuthRequired() { return { authRequired: true } }
        """,
        """
        var known = null;
        function first(user, password) {
            if (password !== 'right') return onAuthRequired(null, 'wrong');
            known = user;
            return { authStatus: 'questionRequired', question: 'colour?' };
        }
        function second(answer) {
            if (known === null || answer !== '42') return { authStatus: 'questionRequired', errorMessage: 'wrong' };
            WL.Server.setActiveUser('Adapters', { userId: 'id-of-' + known });
            return { authStatus: 'complete' };
        }
        function onAuthRequired(h, message) { return { authStatus: 'credentialsRequired', errorMessage: message } }
        """,
        """
        var known = null;
        function first(user, password) {
            if (password !== 'right') return onAuthRequired(null, 'wrong');
            known = user;
            return onAuthRequired(null, null);
        }
        function second(otp) {
            if (known === null || otp !== '42') return onAuthRequired(null, 'wrong code');
            WL.Server.setActiveUser('Adapters', { userId: 'id-of-' + known });
            return { authRequired: false };
        }
        """ + asking,
    ]

    @Test("is stopped after five at the first step of two", arguments: steps)
    func firstStep(script: String) async throws {
        try await Self.run(script, procedures: ["first", "second"]) { (server) async throws in
            for number in 0..<5 {
                let answer = try await WireClient(server).call("first", #"["ann","\#(number)"]"#)
                #expect(!Self.isStopped(answer))
            }
            #expect(Self.isStopped(try await WireClient(server).call("first", #"["ann","right"]"#)))
            #expect(try await !Self.isStopped(WireClient(server).call("first", #"["bob","right"]"#)))
        }
    }

    @Test("is stopped after five at the second step of two, for that user everywhere", arguments: steps)
    func secondStep(script: String) async throws {
        try await Self.run(script, procedures: ["first", "second"]) { (server) async throws in
            let thief = WireClient(server)
            #expect(try await !Self.isStopped(thief.call("first", #"["ann","right"]"#)))
            for number in 0..<4 { #expect(try await !Self.isStopped(thief.call("second", #"["\#(number)"]"#))) }
            _ = try await thief.call("second", #"["x"]"#)
            #expect(Self.isStopped(try await thief.call("second", #"["42"]"#)))
            #expect(Self.isStopped(try await WireClient(server).call("first", #"["ann","right"]"#)))
        }
    }

    private func logIn(_ user: String, _ server: RunningServer) async throws {
        let client = WireClient(server)
        #expect(try await !Self.isStopped(client.call("first", #"["\#(user)","right"]"#)))
        #expect(try await !Self.isStopped(client.call("second", #"["42"]"#)))
        #expect(try await client.call("ofAdapters")["user"]?.string == "id-of-\(user)")
    }

    @Test(
        "Users who log in right in two steps are not stopped, whatever ids a database has for them",
        arguments: steps)
    func honest(script: String) async throws {
        try await Self.run(script, procedures: ["first", "second"]) { (server) async throws in
            for number in 0..<TestExtent.size(12, full: 60) { try await logIn("user-\(number)", server) }
        }
    }

    @Test("A user who logs in right in two steps again and again is not stopped", arguments: [steps[0], steps[2]])
    func again(script: String) async throws {
        try await Self.run(script, procedures: ["first", "second"]) { (server) async throws in
            for _ in 0..<12 { try await logIn("ann", server) }
        }
    }

    @Test("Registering users and beginning logins without a password stops nobody's login")
    func beginnings() async throws {
        let script =
            Self.steps[0] + """

                function registerUser(user, password) { return { registered: user } }
                function startLogin(device) { return { challenge: device } }
                """
        try await Self.run(script, procedures: ["first", "second", "registerUser", "startLogin"]) {
            (server) async throws in
            for number in 0..<60 {
                let client = WireClient(server)
                let registered = try await client.call("registerUser", #"["user-\#(number)","right"]"#)
                #expect(registered["registered"]?.string == "user-\(number)")
                #expect(try await client.call("startLogin", #"["phone"]"#)["challenge"] == "phone")
            }
            try await logIn("ann", server)
        }
    }

    @Test("Refused ordinary calls of one address stop nobody's login in two steps")
    func everybody() async throws {
        let script =
            Self.steps[2] + """

                function accounts(customer, page) {
                    if (!WL.Server.getActiveUser('Adapters')) return onAuthRequired(null, 'log in first');
                    return {};
                }
                """
        let proxies = try TrustedProxies(["127.0.0.1"])
        var files = AttackedProject.files
        files["adapters/A/A-impl.js"] = script + Self.end
        files["adapters/A/A.xml"] = """
            <wl:adapter xmlns:wl="http://www.worklight.com/integration" name="A">
            <procedure name="first" securityTest="wl_unprotected"/><procedure name="second" securityTest="wl_unprotected"/>
            <procedure name="accounts" securityTest="wl_unprotected"/><procedure name="ofAdapters" securityTest="Adapters"/>
            </wl:adapter>
            """
        try await RunningServer.run(files: files, time: ManualTime(), change: { $0.trustedProxies = proxies }) {
            (server) async throws in
            let flood = WireClient(server)
            flood.headers = [("X-Forwarded-For", "192.0.2.1")]
            for number in 0..<1010 { _ = try await flood.call("accounts", #"["x\#(number)","y\#(number)"]"#) }
            for address in ["192.0.2.1", "198.51.100.1"] {
                let client = WireClient(server)
                client.headers = [("X-Forwarded-For", address)]
                #expect(try await client.call("first", #"["ann","right"]"#)["authRequired"] == true)
                #expect(try await client.call("second", #"["42"]"#)["authRequired"] == false)
            }
        }
    }

    @Test("A name that a realm believes does not make room for guesses of the user's password")
    func believed() async throws {
        let script = """
            function submit(user, password) {
                if (password !== 'right') return onAuthRequired(null, 'wrong');
                WL.Server.setActiveUser('Adapters', null);
                WL.Server.setActiveUser('Adapters', { userId: user });
                return { authRequired: false };
            }
            """
        try await Self.run(script + Self.asking, procedures: ["submit"]) { (server) async throws in
            let thief = WireClient(server)
            // kim:x, in a realm whose login module believes everybody
            _ = try await thief.sendOnce(
                .POST, thief.root + "login", [("realm", "Unused")], headers: [("Authorization", "Basic a2ltOng=")])
            for number in 0..<4 {
                #expect(try await thief.call("submit", #"["kim","\#(number)"]"#)["authRequired"] == true)
            }
            #expect(try await thief.call("submit", #"["eve","right",{"user":"kim"}]"#)["authRequired"] == false)
            _ = try await thief.call("submit", #"["kim","x"]"#)
            #expect(Self.isStopped(try await WireClient(server).call("submit", #"["kim","right"]"#)))
        }
    }

    @Test(
        "is stopped for the parameter's user, whatever else the call names",
        arguments: [
            #"[{"user":"q1"},{"user":"q2"}]"#,
            "[" + (0..<17).map { #"{"user":"q\#($0)"}"# }.joined(separator: ",") + "]", #"{"user":"eve"}"#,
        ])
    func others(extra: String) async throws {
        let script = """
            function submit(user, password) {
                if (password !== 'right') return onAuthRequired(null, 'wrong');
                WL.Server.setActiveUser('Adapters', { userId: user });
                return { authRequired: false };
            }
            """
        let proxies = try TrustedProxies(["127.0.0.1"])
        var files = AttackedProject.files
        files["adapters/A/A-impl.js"] = script + Self.asking + Self.end
        files["adapters/A/A.xml"] = """
            <wl:adapter xmlns:wl="http://www.worklight.com/integration" name="A">
            <procedure name="submit" securityTest="wl_unprotected"/><procedure name="ofAdapters" securityTest="Adapters"/>
            </wl:adapter>
            """
        try await RunningServer.run(files: files, time: ManualTime(), change: { $0.trustedProxies = proxies }) {
            (server) async throws in
            for number in 0..<5 {
                let thief = WireClient(server)
                thief.headers = [("X-Forwarded-For", "192.0.2.\(number)")]
                let answer = try await thief.call("submit", #"["max","\#(number)",\#(extra)]"#)
                #expect(answer["authRequired"] == true && !Self.isStopped(answer))
            }
            let client = WireClient(server)
            client.headers = [("X-Forwarded-For", "198.51.100.1")]
            #expect(Self.isStopped(try await client.call("submit", #"["max","right"]"#)))
            #expect(try await client.call("submit", #"["q1","right"]"#)["authRequired"] == false)
        }
    }

    @Test("is stopped for another user whom a user names beside the own name")
    func besides() async throws {
        let script = """
            function submit(data) {
                if (data.password !== 'right') return { ok: false };
                WL.Server.setActiveUser('Adapters', { userId: data.nummer });
                return { ok: true };
            }
            """
        try await Self.run(script + Self.asking, procedures: ["submit"]) { (server) async throws in
            let thief = WireClient(server)
            #expect(try await thief.call("submit", #"[{"nummer":"eve","password":"right"}]"#)["ok"] == true)
            for number in 0..<5 {
                let guess = #"[{"nummer":"ann","password":"\#(number)","user":"eve"}]"#
                #expect(try await thief.call("submit", guess)["ok"] == false)
            }
            #expect(
                Self.isStopped(
                    try await thief.call("submit", #"[{"nummer":"ann","password":"right","user":"eve"}]"#)))
        }
    }

    @Test("Login calls of any length are read in little time, and count for their network")
    func long() async throws {
        let texts = "[" + String(repeating: #""[1","#, count: TestExtent.size(10_000, full: 60_000)) + "1]"
        try await RunningServer.attacked(time: ManualTime()) { (server) async throws in
            for _ in 0..<5 {
                #expect(try await WireClient(server).call("submit", texts).text.contains("the password is wrong"))
            }
            #expect(Self.isStopped(try await WireClient(server).call("submit", texts)))
        }
    }
}
