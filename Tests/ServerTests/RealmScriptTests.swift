import AdapterRuntime
import Core
import Foundation
import JavaScriptEngine
import Logging
import NIOHTTP1
import TestSupport
import Testing
import WorklightProject

@testable import Installation

@Suite("Authenticators and login modules of a project's own", .defaultTimeLimit)
struct RealmScriptTests {
    private static func files(
        authenticator: String = tutorial, module: String = tutorialModule,
        moduleClass: String = "com.example.MyLoginModule"
    ) -> [String: String] {
        [
            "server/conf/authenticationConfig.xml": """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
            <securityTests>
            <customSecurityTest name="T"><test realm="R" isInternalUserID="true"/></customSecurityTest></securityTests>
            <realms><realm name="R" loginModule="M"><className>com.example.MyAuthenticator</className>
            <parameter name="welcome" value="hello"/></realm></realms>
            <loginModules><loginModule name="M"><className>\(moduleClass)</className></loginModule></loginModules>
            </tns:loginConfiguration>
            """,
            "server/authentication/MyAuthenticator.js": authenticator,
            "server/authentication/MyLoginModule.js": module,
            "adapters/A/A.xml": adapterXML("A", procedures: ["open"]).replacing(
                "</wl:adapter>", with: #"<procedure name="who" securityTest="T"/></wl:adapter>"#),
            "adapters/A/A-impl.js": """
            function open() { return { open: true } }
            function who() {
                var user = WL.Server.getActiveUser();
                return { user: user.userId, name: user.displayName, secret: user.credentials, since: user.attributes.since };
            }
            """,
        ]
    }

    /// The script of IBM's tutorial: a separate address takes a form, and JSON says what is required.
    private static let tutorial = """
        var username = null, password = null, welcome = null;
        function init(options) { welcome = options.welcome; }
        function write(response, object) {
            response.setContentType('application/json; charset=UTF-8');
            response.setHeader('Cache-Control', 'no-cache, must-revalidate');
            response.getWriter().print(JSON.stringify(object));
        }
        function processRequest(request, response, isAccessToProtectedResource) {
            if (request.getRequestURI().indexOf('my_custom_auth_request_url') >= 0) {
                username = request.getParameter('username');
                password = request.getParameter('password');
                if (username && password) { return AuthenticationResult.createFrom(AuthenticationStatus.SUCCESS); }
                write(response, { authStatus: 'required', errorMessage: 'Please enter username and password' });
                return AuthenticationResult.createFrom(AuthenticationStatus.CLIENT_INTERACTION_REQUIRED);
            }
            if (!isAccessToProtectedResource) {
                return AuthenticationResult.createFrom(AuthenticationStatus.REQUEST_NOT_RECOGNIZED);
            }
            write(response, { authStatus: 'required', welcome: welcome });
            return AuthenticationResult.createFrom(AuthenticationStatus.CLIENT_INTERACTION_REQUIRED);
        }
        function getAuthenticationData() { return { username: username, password: password }; }
        function processAuthenticationFailure(request, response, errorMessage) {
            write(response, { authStatus: 'required', errorMessage: errorMessage });
            return AuthenticationResult.createFrom(AuthenticationStatus.CLIENT_INTERACTION_REQUIRED);
        }
        function changeResponseOnSuccess(request, response) {
            if (request.getRequestURI().indexOf('my_custom_auth_request_url') < 0) { return false; }
            write(response, { authStatus: 'complete' });
            return true;
        }
        """

    private static let tutorialModule = """
        var user = null, word = null, failures = 0;
        function login(data) {
            user = data.username; word = data.password;
            if (word !== 'p-' + user) { failures += 1; throw new Error('Invalid credentials ' + failures); }
            return true;
        }
        function createIdentity(loginModule) {
            return new UserIdentity(loginModule, user, null, null, { since: 'today' }, word);
        }
        function logout() { WL.Logger.info('logged out', user); user = word = null; }
        function abort() { user = word = null; }
        """

    private static let address = "/apps/services/my_custom_auth_request_url"

    @discardableResult
    private func submit(
        _ client: WireClient, _ user: String, _ password: String
    ) async throws -> WireClient.Answer {
        try await client.sendOnce(.POST, Self.address, [("username", user), ("password", password)])
    }

    @Test("the tutorial's flow: required, refused, complete, and the identity is set, for two users each")
    func tutorialFlow() async throws {
        let log = LogRecorder()
        try await RunningServer.run(files: Self.files(), log: log) { (server) async throws in
            let (ann, bob) = (WireClient(server, device: "a"), WireClient(server, device: "b"))
            for client in [ann, bob] {
                let asked = try await client.call("who")
                #expect(asked.status == 200 && asked.text == #"{"authStatus":"required","welcome":"hello"}"#)
                #expect(asked.headers.first(name: "Cache-Control") == "no-cache, must-revalidate")
                #expect(asked.headers.first(name: "Content-Type") == "application/json; charset=UTF-8")
            }
            #expect(try await submit(ann, "ann", "")["errorMessage"] == "Please enter username and password")
            #expect(try await submit(ann, "ann", "x")["errorMessage"] == "Invalid credentials 1")
            #expect(try await submit(ann, "ann", "x")["errorMessage"] == "Invalid credentials 2")
            #expect(try await submit(bob, "bob", "x")["errorMessage"] == "Invalid credentials 1")
            #expect(try await ann.call("who")["authStatus"] == "required")
            for (client, name) in [(ann, "ann"), (bob, "bob")] {
                #expect(try await submit(client, name, "p-" + name)["authStatus"] == "complete")
            }
            for (client, name) in [(ann, "ann"), (bob, "bob")] {
                let who = try await client.call("who")
                #expect(who["user"] == .string(name) && who["name"] == .string(name) && who["since"] == "today")
                #expect(who["secret"] == .string("p-" + name))
                #expect(!(try await client.act("getuserinfo").text.contains("p-" + name)))
            }
            try await ann.act("logout", [("realm", "R")])
            #expect(try await ann.call("who")["authStatus"] == "required")
            #expect(try await bob.call("who")["user"] == "bob")
            #expect(log.text.contains("logged out ann") && !log.text.contains("p-ann"))
        }
    }

    @Test("init runs once for each session's authenticator")
    func initialization() async throws {
        let log = LogRecorder()
        let counting = Self.tutorial.replacing(
            "function init(options) {",
            with: "var inits = 0; function init(options) { WL.Logger.info('init ' + ++inits);")
        try await RunningServer.run(files: Self.files(authenticator: counting), log: log) { (server) async throws in
            for device in ["a", "b"] {
                let client = WireClient(server, device: device)
                for _ in 0..<2 { #expect(try await client.call("who")["welcome"] == "hello") }
                #expect(try await submit(client, "ann", "p-ann")["authStatus"] == "complete")
            }
        }
        #expect(log.messages(at: .info).filter { $0.hasPrefix("init ") } == ["init 1", "init 1"])
    }

    /// A script whose login data has a card number and no user name.
    private static let cards = files(
        authenticator: tutorial.replacing("return { username: username,", with: "return { card: username,"),
        module: tutorialModule.replacing("data.username", with: "data.card"))

    @Test("Three typing errors of others behind an address do not delay a login whose data has no user name")
    func nameless() async throws {
        // A pause would not end, since nobody moves the clock.
        try await RunningServer.run(files: Self.cards, time: ManualTime()) { (server) async throws in
            let (ann, bob) = (WireClient(server, device: "a"), WireClient(server, device: "b"))
            for client in [ann, bob] { try await client.call("who") }
            for number in 1...3 {
                #expect(try await submit(bob, "2", "x")["errorMessage"] == .string("Invalid credentials \(number)"))
            }
            #expect(try await submit(ann, "1", "p-1")["authStatus"] == "complete")
        }
    }

    @Test("loginKeys names the member that identifies a login: two refused cards delay the third attempt for that card")
    func loginKey() async throws {
        let time = ManualTime()
        try await RunningServer.run(files: Self.cards, time: time, change: { $0.loginKeys = ["R": "card"] }) {
            (server) async throws in
            let (ann, bob) = (WireClient(server, device: "a"), WireClient(server, device: "b"))
            for client in [ann, bob] { try await client.call("who") }
            for _ in 1...2 { #expect(try await submit(bob, "2", "x")["authStatus"] == "required") }
            // The success of another card clears nothing.
            #expect(try await submit(ann, "1", "p-1")["authStatus"] == "complete")
            let (beginning, status) = (time.elapsed, AwaitableValue<JSONValue?>(nil))
            let third = Task {
                let answer = try await submit(bob, "2", "p-2")
                status.update { $0 = answer["authStatus"] }
            }
            try await waitUntil {
                guard status.value == nil else { return true }
                // A response shows that the server still runs its tasks, so that the clock is not far ahead of them.
                _ = try await server.send(.GET, "/apps/services/reach")
                time.advance(by: .milliseconds(100))
                return false
            }
            try await third.value
            #expect(status.value == "complete" && time.elapsed - beginning >= 0.99)
        }
    }

    @Test("reports a realm in loginKeys that is not defined")
    func unknownLoginKey() async throws {
        try await RunningServer.run(files: Self.cards, change: { $0.loginKeys = ["S": "card"] }) { server in
            #expect(
                server.installation.problems.map(\.message).contains {
                    $0.hasPrefix("loginKeys names the realm 'S', which is not defined")
                })
        }
    }

    @Test("returns 404 for an address that no authenticator recognizes, and 403 for other sites' posts")
    func otherAddresses() async throws {
        try await RunningServer.run(files: Self.files()) { (server) async throws in
            let client = WireClient(server, device: "a")
            try await client.call("open")
            #expect(try await client.sendOnce(.POST, "/apps/services/nothing").status == 404)
            let foreign = try await client.sendOnce(
                .POST, Self.address, [("username", "ann"), ("password", "p-ann")],
                headers: [("Origin", "https://evil.example.com"), ("Sec-Fetch-Site", "cross-site")])
            #expect(foreign.status == 403)
            #expect(try await client.call("who")["authStatus"] == "required")
        }
    }

    @Test(
        "a script that throws, loops, or returns no user is refused, and the log has the reason",
        arguments: [
            ("function processRequest() { throw new Error('broken') }", tutorialModule, "broken"),
            ("function processRequest() { while (true) {} }", tutorialModule, "was stopped"),
            (
                "function processRequest() { return true }", tutorialModule,
                "returned null; expected AuthenticationStatus.SUCCESS"
            ),
            ("function processRequest() { return 'success' }", tutorialModule, #"returned "success""#),
            (
                "function init() { throw new Error('no option') } function processRequest() { return 'SUCCESS' }",
                tutorialModule, "no option"
            ),
            (
                "function processRequest() { return 'SUCCESS' } function getAuthenticationData() { throw new Error('data') }",
                tutorialModule, "data"
            ),
            (
                "function processRequest() { return 'SUCCESS' }", "function login() { return 'true' }",
                "a login was refused"
            ),
            ("function processRequest() { return 'SUCCESS' }", "function login() { return true }", "names no user"),
            (
                "function processRequest() { return 'SUCCESS' }",
                "function login() { return true } function createIdentity() { return { userId: 'a\\nb' } }",
                "names no user"
            ),
            (
                "function processRequest() { return 'SUCCESS' }",
                "function login() { return true } function createIdentity() { throw new Error('identity') }", "identity"
            ),
            ("function nothing() {}", tutorialModule, "returned null"),
        ])
    func broken(authenticator: String, module: String, message: String) async throws {
        let log = LogRecorder()
        let change = { @Sendable (settings: inout InstallationSettings) in
            settings.runtime.calls.cpuTime = .milliseconds(300)
        }
        try await RunningServer.run(
            files: Self.files(authenticator: authenticator, module: module), log: log, change: change
        ) { (server) async throws in
            let client = WireClient(server, device: "a")
            for _ in 0..<2 { #expect(try await client.call("who").status == 403) }
            #expect(try await client.act("getuserinfo")["R"]?["userId"] == .null)
            #expect(try await client.call("open")["open"] == true)
            #expect(log.text.contains(message), "\(log.text)")
        }
    }

    @Test("errors after the login log out; mistakes in login stay hidden; non-string credentials stay")
    func afterwards() async throws {
        let throwing = Self.tutorial.replacing(
            "function changeResponseOnSuccess(request, response) {",
            with: """
                function changeResponseOnSuccess(request, response) {
                    if (username === 'gina') { throw new Error('late') }
                """)
        let module = """
            function login(data) {
                if (data.password === 'mistake') { return nothing.at.all; }
                return true;
            }
            var user = null;
            function createIdentity(module) { return new UserIdentity(module, 'u', null, null, null, { token: 1 }); }
            """
        try await RunningServer.run(files: Self.files(authenticator: throwing, module: module)) {
            (server) async throws in
            let client = WireClient(server, device: "a")
            try await client.call("who")
            #expect(try await submit(client, "gina", "x").status == 403)
            #expect(try await client.call("who")["authStatus"] == "required")
            let mistake = try await submit(client, "ann", "mistake")
            #expect(mistake.status == 403 && !mistake.text.contains("nothing"))
            #expect(try await submit(client, "ann", "x")["authStatus"] == "complete")
            #expect(try await client.call("who")["secret"] == nil)
        }
    }

    @Test("a link of another site and an oversized form are refused")
    func links() async throws {
        try await RunningServer.run(files: Self.files()) { (server) async throws in
            let client = WireClient(server, device: "a")
            try await client.call("who")
            let query = "?username=ann&password=p-ann"
            let stranger = WireClient(server, device: "b", environment: "iphone")
            #expect(
                try await stranger.sendOnce(.GET, stranger.root + "my_custom_auth_request_url" + query).status == 403)
            #expect(try await client.sendOnce(.GET, Self.address + query)["authStatus"] == "complete")
            let large = String(repeating: "x", count: 70_000)
            #expect(try await submit(client, "bob", large).status == 413)
        }
    }

    @Test("a challenge by setJson goes out as Worklight's own, and its challenge response logs in")
    func protocolChallenge() async throws {
        let authenticator = """
            var data = null;
            function processRequest(request, response, isAccess) {
                var answer = getChallengeResponse(request);
                if (!isAccess) { return AuthenticationStatus.REQUEST_NOT_RECOGNIZED; }
                if (answer === null) { return challenge({ authStatus: 'credentialsRequired', realm: getRealmName() }); }
                data = answer;
                return AuthenticationStatus.SUCCESS;
            }
            function challenge(json) {
                var result = AuthenticationResult.createFrom(AuthenticationStatus.CLIENT_INTERACTION_REQUIRED);
                result.setJson(json);
                return result;
            }
            function getAuthenticationData() { return data; }
            var attempts = 0;
            function processAuthenticationFailure(request, response, message) {
                if (++attempts < 2) { return challenge({ authStatus: 'credentialsRequired', errorMessage: message }); }
                var result = AuthenticationResult.createFrom(AuthenticationStatus.FAILURE);
                result.setJson({ failureReason: 'too many attempts' });
                return result;
            }
            """
        try await RunningServer.run(files: Self.files(authenticator: authenticator)) { (server) async throws in
            func ask(_ client: WireClient, _ answer: String? = nil) async throws -> WireClient.Answer {
                try await client.sendOnce(
                    .POST, client.root + "query", [("adapter", "A"), ("procedure", "who"), ("parameters", "[]")],
                    headers: answer.map { [("Authorization", $0)] } ?? [])
            }
            let (ann, bob) = (WireClient(server, device: "a"), WireClient(server, device: "b"))
            try await ann.call("open")
            try await bob.call("open")
            let first = try await ask(ann)
            #expect(first.status == 401)
            #expect(first["challenges"]?["R"] == ["authStatus": "credentialsRequired", "realm": "R"])
            let wrong = try await ask(ann, #"{"R":{"username":"ann","password":"x"}}"#)
            #expect(wrong.status == 401 && wrong["challenges"]?["R"]?["errorMessage"] == "Invalid credentials 1")
            let right = try await ask(ann, #"{"R":{"username":"ann","password":"p-ann"}}"#)
            #expect(right["user"] == "ann" && right["WL-Authentication-Success"]?["R"]?["userId"] == "ann")
            #expect(try await ask(ann)["user"] == "ann")

            _ = try await ask(bob, #"{"R":{"username":"bob","password":"x"}}"#)
            let failed = try await ask(bob, #"{"R":{"username":"bob","password":"x"}}"#)
            #expect(failed.status == 403)
            #expect(failed["WL-Authentication-Failure"]?["R"]?["failureReason"] == "too many attempts")
        }
    }

    @Test("combines an authenticator's script with a built-in login module, and a form with a login module's script")
    func mixed() async throws {
        let believing = "com.worklight.core.auth.ext.NonValidatingLoginModule"
        try await RunningServer.run(files: Self.files(moduleClass: believing)) { (server) async throws in
            let client = WireClient(server, device: "a")
            try await client.call("who")
            #expect(try await submit(client, "anybody", "x")["authStatus"] == "complete")
            #expect(try await client.call("who")["user"] == "anybody")
        }
        var files = Self.files()
        files["server/conf/authenticationConfig.xml"] = files["server/conf/authenticationConfig.xml"]?.replacing(
            "com.example.MyAuthenticator", with: "com.worklight.core.auth.ext.FormBasedAuthenticator")
        try await RunningServer.run(files: files) { (server) async throws in
            let client = WireClient(server, device: "a")
            #expect(try await client.call("who").text.contains("j_security_check"))
            #expect(try await client.logIn("ann", "x").text.contains("Invalid credentials 1"))
            try await client.logIn("ann", "p-ann")
            let who = try await client.call("who")
            #expect(who["user"] == "ann" && who["secret"] == "p-ann")
        }
    }

    @Test("requests of a logged-in user go to processRequestAlreadyAuthenticated, which may challenge again")
    func alreadyAuthenticated() async throws {
        let authenticator =
            Self.tutorial + """

                var seen = 0;
                function processRequestAlreadyAuthenticated(request, response) {
                    seen += 1;
                    if (seen < 3) { return AuthenticationStatus.REQUEST_NOT_RECOGNIZED; }
                    if (seen === 3) {
                        write(response, { authStatus: 'again' });
                        return AuthenticationStatus.CLIENT_INTERACTION_REQUIRED;
                    }
                    return AuthenticationStatus.FAILURE;
                }
                """
        try await RunningServer.run(files: Self.files(authenticator: authenticator)) { (server) async throws in
            let client = WireClient(server, device: "a")
            try await client.call("who")
            try await submit(client, "ann", "p-ann")
            for _ in 0..<2 { #expect(try await client.call("who")["user"] == "ann") }
            #expect(try await client.call("who")["authStatus"] == "again")
            #expect(try await client.call("who").status == 403)
            #expect(try await client.call("who")["authStatus"] == "required")
        }
    }
}
