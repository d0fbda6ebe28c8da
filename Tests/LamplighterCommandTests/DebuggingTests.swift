import Core
import Foundation
import TestSupport
import Testing

@Suite("Command line: debugging")
struct DebuggingTests {
    private static let script = """
        var count = 0;
        function run(what) {
            if (what === 'fail') inner();
            return { count: ++count };
        }
        function inner() { throw new Error('no'); }
        function work(n) { var s = 0; for (var i = 0; i < n; i++) s += Math.sqrt(i) % 7; return s }
        """

    private func project() throws -> TemporaryFolder {
        try makeProject(Self.script, procedures: ["run", "work"])
    }

    /// Runs a command that reads `input`.
    private func run(_ arguments: [String], input: String) async throws -> Command.Outcome {
        let (pipe, output, errors) = (Pipe(), Pipe(), Pipe())
        let process = try ChildProcess(Command.binary, arguments, input: pipe, output: output, errors: errors)
        try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try pipe.fileHandleForWriting.close()
        async let outputText = output.fileHandleForReading.allText()
        async let errorText = errors.fileHandleForReading.allText()
        return Command.Outcome(status: await process.exitStatus, output: await outputText, errors: await errorText)
    }

    @Test("call --trace writes the result to standard output and the tree to standard error")
    func trace() async throws {
        let project = try project()
        let outcome = try await Command.run(["call", "A/run", #"["x"]"#, "--trace", "--project", project.path])
        #expect(outcome.output == #"{"isSuccessful":true,"count":1}"# + "\n")
        #expect(outcome.status == 0)
        let lines = outcome.errors.split(separator: "\n").map { $0.drop { !($0.isLetter || $0 == "└") || $0 == "m" } }
        #expect(outcome.errors.contains("A is loaded  adapters/A/A-impl.js"))
        #expect(outcome.errors.contains(#"A/run("x") → {"count":1}"#), "\(lines)")
        #expect(outcome.errors.contains(#"└─ run("x") → {"count":1}  adapters/A/A-impl.js:2:1"#))
    }

    @Test("call --trace --json writes one object")
    func json() async throws {
        let project = try project()
        let outcome = try await Command.run([
            "call", "A/run", #"["fail"]"#, "--trace", "--json", "--project", project.path,
        ])
        #expect(outcome.status == 1)
        let answer = try JSONValue(parsing: outcome.output)
        #expect(answer["result"]?["isSuccessful"] == false)
        let nodes = try #require(answer["trace"]?["nodes"]?.array)
        #expect(nodes.map { $0["kind"] } == ["loading", "procedure"])
        // The stack is shown once, where the error arose.
        #expect(nodes[1].text.contains("at inner@adapters/A/A-impl.js:6:"))
    }

    @Test("call --trace --poll shows the calls of a poll, here and in a running server", arguments: [false, true])
    func tracedPoll(isServed: Bool) async throws {
        let project = try makeProject(
            """
            var polls = 0;
            WL.Server.createEventSource({ name: 'S', poll: { interval: 1000, onPoll: 'polled' } });
            WL.Server.createEventSource({ name: 'Quiet' });
            WL.Server.createEventSource({ name: 'Told', poll: { interval: 1000, onPoll: 'tell' } });
            function tell() { return { isSuccessful: false, told: 0 } }
            function polled() { polls++; WL.Logger.info(WL.Server.getClientRequest()); if (polls > 1) throw 'no' }
            function run() { return { polls: polls } }
            """)
        let server = isServed ? try await ServerProcess([project.path]) : nil
        let there = ["--project", project.path]
        let outcome = try await Command.run(["call", "A/S", "--trace", "--poll"] + there)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == #"{"isSuccessful":true}"# + "\n")
        #expect(outcome.errors.contains("S.onPoll") && outcome.errors.contains("└─ polled()"))
        #expect(outcome.errors.contains("WL.Server.getClientRequest() → null"))
        let told = try await Command.run(["call", "A/Told", "--trace", "--poll"] + there)
        #expect(told.output == #"{"isSuccessful":true,"result":{"isSuccessful":false,"told":0}}"# + "\n")
        #expect(
            told.status == 0 && told.errors.contains(#"└─ tell() → {"isSuccessful":false,"told":0}"#), "\(told.errors)")
        // It has a separate scope, so that it can be had again.
        #expect(try await Command.run(["call", "A/S", "--trace", "--poll"] + there).status == 0)
        let quiet = try await Command.run(["call", "A/Quiet", "--trace", "--poll"] + there)
        #expect(quiet.status == 1)
        #expect(quiet.output.contains("there is no polling event source 'Quiet'; there are: S, Told"))
        #expect(try await Command.run(["call", "A/S", "--poll"] + there).status == 2)
        if let server { #expect(await server.end(with: SIGTERM) == 0) }
    }

    @Test(
        "Callbacks of subscriptions and handlers of events are traced, here and in a running server",
        arguments: [false, true])
    func tracedCallbacks(isServed: Bool) async throws {
        let project = try makeProject(
            """
            WL.Server.createEventSource({ name: 'S', onDeviceSubscribe: 'arrived', onDeviceUnsubscribe: 'left' });
            function arrived(user) { WL.Logger.debug(user.userId) }
            function left() {}
            function run() {}
            WL.Server.setEventHandlers([
                WL.Server.createSMSEventHandler({ code: '1' }, function heard(message) { WL.Logger.debug(message.text) }, 'g')
            ]);
            """)
        let server = isServed ? try await ServerProcess([project.path]) : nil
        let there = ["--project", project.path]
        let device = ["A.S", "--user", "ann", "--device", "phone"]
        let subscribed = try await Command.run(
            ["subscribe"] + device + ["--platform", "Android", "--token", "t", "--trace"] + there)
        #expect(subscribed.status == 0, "\(subscribed.errors)")
        #expect(subscribed.output == #"{"isSuccessful":true,"subscription":"created"}"# + "\n")
        #expect(subscribed.errors.contains("S.onDeviceSubscribe") && subscribed.errors.contains("└─ arrived("))
        let ended = try await Command.run(["unsubscribe"] + device + ["--trace", "--json"] + there)
        let answer = try JSONValue(parsing: ended.output)
        #expect(answer["result"] == ["isSuccessful": true])
        #expect(answer["trace"]?["nodes"]?.array?.last?["name"] == "S.onDeviceUnsubscribe")
        #expect(try await Command.run(["unsubscribe"] + device + ["--trace"] + there).status == 1)

        let event = ["call", "A", #"{"code": "1", "text": "hello"}"#, "--trace", "--event"]
        let heard = try await Command.run(event + ["sms"] + there)
        #expect(heard.status == 0, "\(heard.errors)")
        #expect(heard.output == #"{"isSuccessful":true,"handlers":1,"answers":[null]}"# + "\n")
        #expect(heard.errors.contains("sms event") && heard.errors.contains(#"WL.Logger.debug("hello")"#))
        #expect(try await Command.run(event + ["client"] + there).output.contains(#""handlers":0"#))
        let wrong = try await Command.run(["call", "A", #"{"code": 1}"#, "--trace", "--event", "sms"] + there)
        #expect(wrong.status == 1 && wrong.errors.contains("expected an object of strings"), "\(wrong.errors)")
        if let server { #expect(await server.end(with: SIGTERM) == 0) }
    }

    @Test(
        "A terminal's repl survives a restart of its server and a line without a response",
        .defaultTimeLimit)
    func serverAnew() async throws {
        let project = try project()
        try project.write("limits:\n  request: 4\n", to: "lamplighter.yaml")
        let first = try await ServerProcess([project.path])
        let terminal = try TypedTerminal.repl(project)
        let after = { @Sendable (text: String) in "\(text)\r\n" + TypedTerminal.prompt }
        try await terminal.type("count = 41\r") { $0.hasSuffix(TypedTerminal.prompt) }
        try await terminal.type(".call run \"\(String(repeating: "x", count: 5000))\"\r") { $0.hasSuffix(after("41")) }
        try await terminal.text.wait { $0.contains("the request is longer than 4096 bytes (limits.request)") }
        #expect(await first.end(with: SIGKILL) == 128 + SIGKILL)
        try await terminal.type("count\r") { $0.hasSuffix("(limits.request)\r\n" + TypedTerminal.prompt) }
        try await terminal.text.wait { $0.contains("nothing listens at \(first.url)") }
        let second = try await ServerProcess([project.path])
        try await terminal.type("count\r") { $0.hasSuffix("check host and port\r\n" + TypedTerminal.prompt) }
        try await terminal.type("\u{04}") {
            $0.contains("the server was restarted; variables were reset\r\n") && $0.hasSuffix(after("0"))
        }
        #expect(await terminal.exitStatus == 0)
        #expect(await second.end(with: SIGTERM) == 0)
    }

    @Test("A running server traces, too, and evaluates lines")
    func server() async throws {
        let project = try project()
        let server = try await ServerProcess([project.path])
        let traced = try await Command.run(["call", "A/run", "[1]", "--trace", "--project", project.path])
        #expect(traced.output == #"{"isSuccessful":true,"count":1}"# + "\n")
        #expect(traced.errors.contains("└─ run(1)"))
        let repl = try await run(
            ["repl", "A", "--project", project.path], input: "count = 41\n.call run\ncount\nconsole.log('hello')\n")
        #expect(repl.status == 0)
        // A procedure that is called starts with a new scope, like every call without a session.
        #expect(repl.output.contains("41\n") && repl.output.contains(#""count":1"#) && repl.output.contains("\n41\n"))
        #expect(repl.errors == "hello\n")
        _ = await server.end(with: SIGTERM)
    }

    @Test("repl keeps declarations of every kind over twenty lines")
    func declarations() async throws {
        let project = try project()
        let lines = [
            ("var a = 1", "undefined"), ("let b = a + 1", "undefined"), ("const c = b + 1", "undefined"),
            ("function f(x) { return x + a }", "undefined"), ("f(c)", "4"),
            ("class P { constructor(n) { this.n = n } get twice() { return this.n * 2 } }", "undefined"),
            ("new P(f(1)).twice", "4"), ("late = 7", "7"), ("late + a", "8"),
            ("var { x, y: [z] } = { x: 8, y: [9] }", "undefined"), ("x + z", "17"),
            ("for (var i = 0; i < 3; i++) a += i", "4"), ("a", "4"),
            ("function* g() { yield 1; yield 2 }", "undefined"),
            ("Array.from(g())", "[ 1, 2 ]"), ("count = 10; run(); count", "11"), ("typeof run", "'function'"),
            ("String.prototype.shout = function () { return this + '!' }; 'hey'.shout()", "'hey!'"),
            ("this.named = 5; named + this.late", "12"), ("a = 100; f(0)", "100"),
        ]
        let outcome = try await run(
            ["repl", "A", "--project", project.path], input: lines.map(\.0).joined(separator: "\n") + "\n")
        #expect(outcome.status == 0)
        #expect(outcome.output == lines.map { $0.1 + "\n" }.joined())
    }

    @Test(
        "Flags that do not go together are wrong usage",
        arguments: [
            ["--poll"], ["--event", "sms"], ["--trace", "--event", "tea"], ["--trace", "--event", "sms"],
            ["--trace", "--poll", "--event", "sms"],
            ["--trace", "--server", "http://127.0.0.1:1"],
        ])
    func usage(flags: [String]) async throws {
        let project = try project()
        let outcome = try await Command.run(["call", "A/run"] + flags + ["--project", project.path])
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
    }

    @Test("repl reads lines from a pipe, and statements over several lines")
    func pipe() async throws {
        let project = try project()
        let outcome = try await run(
            ["repl", "A", "--project", project.path],
            input: "let x = 1\nfunction f() {\n  return x + 1 }\nf()\nnull.y\nx\n.nonsense\n.trace run [2]\n")
        #expect(outcome.status == 1, "a line failed")
        #expect(outcome.output.hasPrefix("undefined\nundefined\n2\n1\n"))
        #expect(outcome.errors.contains("TypeError: null is not an object (evaluating 'null.y') (repl:5:5)"))
        #expect(outcome.errors.contains("there is no command .nonsense"))
        #expect(outcome.errors.contains("└─ run(2)"))
        let early = try await run(["repl", "A", "--project", project.path], input: "f(\n")
        #expect(early.status == 1)
        #expect(early.errors.contains("ends too early"))
    }

    /// A function of 5,000 lines, with lines that could be mistaken for its end, and a call of it. A full check after each line whether it
    /// is complete would take minutes.
    private static let longStatement =
        "function long() {\n    var n = 0\n"
        + String(repeating: "    n += 1 // }\n    n -= /[}/]/.test(`\n}`) ? 1 : 0\n", count: 1666)
        + "    return n\n}\nlong()"

    @Test("A statement of thousands of lines is read at once from a pipe", .defaultTimeLimit)
    func longStatementFromPipe() async throws {
        let project = try project()
        let outcome = try await run(["repl", "A", "--project", project.path], input: Self.longStatement + "\nnull.y\n")
        #expect(outcome.output == "undefined\n0\n")
        #expect(outcome.errors.contains("(repl:5004:5)"), "lines are counted as they were read: \(outcome.errors)")
        let broken = "f(\n" + String(repeating: "  1,\n", count: 100) + "  1 2\n"
        let refused = try await run(["repl", "A", "--project", project.path], input: broken)
        #expect(refused.status == 1)
        #expect(
            refused.errors.contains("SyntaxError: ") && refused.errors.contains("(repl:102:5)"), "\(refused.errors)")
    }

    @Test("A statement of thousands of lines is pasted at once", .defaultTimeLimit)
    func longStatementPasted() async throws {
        let project = try project()
        let terminal = try TypedTerminal.repl(project)
        try await terminal.type(Self.longStatement.replacing("\n", with: "\r") + "\r") {
            $0.hasSuffix(TypedTerminal.prompt)
        }
        try await terminal.type("\u{04}") { $0.hasSuffix("0\r\n" + TypedTerminal.prompt) }
        #expect(await terminal.exitStatus == 0)
    }

    @Test("repl names the adapters when there is none of that name, and is refused in production")
    func refused() async throws {
        let project = try project()
        let unknown = try await run(["repl", "B", "--project", project.path], input: "1\n")
        #expect(unknown.status == 1)
        #expect(unknown.errors.contains("there is no adapter 'B'; there are: A"))
        try project.write("mode: production\n", to: "lamplighter.yaml")
        let production = try await run(["repl", "A", "--project", project.path], input: "1\n")
        #expect(production.status == 1)
        #expect(production.output == "")
        #expect(production.errors.contains("code is not evaluated in production"))
    }

    @Test("A terminal's lines are edited, completed, cancelled and remembered", .defaultTimeLimit)
    func terminal() async throws {
        let project = try project()
        let terminal = try TypedTerminal.repl(project)
        let lines = [
            "given up\u{03}", "1 + 2\r", "11\u{1B}[D2\r", "cou\t + 5\r", "\u{1B}[A\u{1B}[A\r", " 'hidden'\r", "\u{04}",
        ]
        for (index, line) in lines.enumerated() {
            try await terminal.type(line) {
                $0.components(separatedBy: "\r\n" + TypedTerminal.prompt).count > index + 1
            }
        }
        #expect(await terminal.exitStatus == 0)
        let shown = terminal.text.value
        for line in ["given up^C", "\r\n3\r\n", "\r\n121\r\n", "A> count + 5", "\r\n5\r\n", "'hidden'"] {
            #expect(shown.contains(line), "\(line) in \(shown)")
        }
        #expect(shown.components(separatedBy: "\r\n121\r\n").count == 3, "up twice is the line before the last")
        let history = try String(contentsOfFile: project.path + "/state/lamplighter/repl-history", encoding: .utf8)
        #expect(history == "1 + 2\n121\ncount + 5\n121\n")
    }

    @Test(
        "Ctrl-C ends what is being evaluated, here and in a server, and the prompt comes back",
        .defaultTimeLimit, arguments: [false, true])
    func interrupt(isServed: Bool) async throws {
        let project = try project()
        try project.write("limits:\n  cpuTime: 600\n  wallClock: 600\n", to: "lamplighter.yaml")
        let server = isServed ? try await ServerProcess([project.path]) : nil
        let terminal = try TypedTerminal.repl(project)
        let prompt = TypedTerminal.prompt
        try await terminal.type("var keep = 42\r") { $0.hasSuffix(prompt) }
        try await terminal.type("for (;;);\r") { $0.hasSuffix("undefined\r\n" + prompt) }
        try await terminal.type("\u{03}") { $0.contains("Ctrl-C cancels it") }
        try await terminal.type("keep\r") { $0.hasSuffix("cancelled\r\n" + prompt) }
        try await terminal.type("\u{04}") { $0.hasSuffix("42\r\n" + prompt) }
        #expect(await terminal.exitStatus == 0)
        if let server { #expect(await server.end(with: SIGTERM) == 0) }
    }

    @Test(
        "Ctrl-C ends a call and a trace as well, here and in a server, and the next call runs",
        .defaultTimeLimit, arguments: [".call", ".trace"], [false, true])
    func interruptCall(command: String, isServed: Bool) async throws {
        let script = "var keep = 0; function run() { for (;;) keep = 42; } function ok() { return { keep: keep } }"
        let project = try makeProject(script, procedures: ["run", "ok"])
        try project.write("limits:\n  cpuTime: 600\n  wallClock: 600\n", to: "lamplighter.yaml")
        let server = isServed ? try await ServerProcess([project.path]) : nil
        let terminal = try TypedTerminal.repl(project)
        let prompt = TypedTerminal.prompt
        try await terminal.type("\(command) run\r") { $0.hasSuffix(prompt) }
        try await terminal.type("\u{03}") { $0.contains("ing A/run, Ctrl-C cancels it") }
        try await terminal.type("keep === 0\r") {
            $0.hasSuffix("cancelled\r\n" + prompt)
        }
        try await terminal.type("\u{04}") { $0.hasSuffix("true\r\n" + prompt) }
        #expect(await terminal.exitStatus == 0)
        if let server {
            #expect(await server.end(with: SIGTERM) == 0)
            #expect(await server.wholeLog().contains("A/run was interrupted: the call was cancelled"))
        }
    }

    @Test(
        "Ctrl-C ends the wait for a back end that does not respond, and an SQL statement", .defaultTimeLimit,
        arguments: [false, true])
    func interruptWaiting(isServed: Bool) async throws {
        let silent = try Listener()
        let project = try makeProject("")
        let xml = { (name: String, connectivity: String) in
            _ = try project.write(
                adapterXML(name, connectivity: "<connectivity>\(connectivity)</connectivity>"),
                to: "adapters/\(name)/\(name).xml")
        }
        try xml(
            "A",
            """
            <connectionPolicy xsi:type="http:HTTPConnectionPolicyType" ><protocol>http</protocol><domain>127.0.0.1</domain>
            <port>\(silent.port)</port><socketTimeoutInMilliseconds>86400000</socketTimeoutInMilliseconds></connectionPolicy>
            """)
        try project.write(
            "function run() { return WL.Server.invokeHttp({ method: 'get', path: '/' }) }", to: "adapters/A/A-impl.js")
        try xml(
            "B",
            """
            <connectionPolicy xsi:type="sql:SQLConnectionPolicy"><dataSourceDefinition><driverClass>org.sqlite.JDBC</driverClass>
            <url>jdbc:sqlite::memory:</url></dataSourceDefinition></connectionPolicy>
            """)
        try project.write(
            """
            function run() {
                return WL.Server.invokeSQLStatement({ preparedStatement: WL.Server.createSQLStatement(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n") });
            }
            """, to: "adapters/B/B-impl.js")
        try project.write("limits:\n  cpuTime: 600\n  wallClock: 600\n", to: "lamplighter.yaml")
        let server = isServed ? try await ServerProcess([project.path]) : nil
        let terminal = try TypedTerminal.repl(project)
        let givenUp = "cancelled\r\n" + TypedTerminal.prompt
        try await terminal.type("run()\r") { $0.hasSuffix(TypedTerminal.prompt) }
        try await terminal.type("\u{03}") { $0.contains("evaluating in A, Ctrl-C cancels it") }
        try await terminal.type("WL.Server.invokeProcedure({ adapter: 'B', procedure: 'run' })\r") {
            $0.hasSuffix(givenUp)
        }
        try await terminal.type("\u{03}") {
            $0.components(separatedBy: givenUp).last?.contains("Ctrl-C cancels it") == true && $0.contains(givenUp)
        }
        try await terminal.type("6 * 7\r") { $0.hasSuffix(givenUp) && $0.components(separatedBy: givenUp).count > 2 }
        try await terminal.type("\u{04}") { $0.hasSuffix("42\r\n" + TypedTerminal.prompt) }
        #expect(await terminal.exitStatus == 0)
        if let server { #expect(await server.end(with: SIGTERM) == 0) }
    }
}
