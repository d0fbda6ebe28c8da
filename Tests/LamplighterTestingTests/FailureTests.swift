import LamplighterTesting
import Testing

// Imports nothing but the library, as other packages do: the library exports the types that a test must name.

@Suite("Failures of tests")
struct FailureTests {
    private static let script = """
        WL.Server.createEventSource({ name: "S", poll: { interval: 10, onPoll: look } });
        function look() { throw new Error("no stock"); }
        function get() { return WL.Server.invokeHttp({ method: "get", path: "/x" }); }
        function loop() { for (;;) {} }
        function tell() {
            var subscription = WL.Server.getUserNotificationSubscription("A.S", "ann");
            WL.Server.notifyAllDevices(subscription, WL.Server.createDefaultNotification("hello", 1, {}));
        }
        function header() { return WL.Server.getClientRequest().getHeader("X-Shop"); }
        function logIn() { WL.Server.setActiveUser("user", { userId: "ann" }); }
        """

    private func harness() async throws -> AdapterHarness {
        try await AdapterHarness(adapter: "A", script: Self.script)
    }

    private func place(_ line: Int) -> String { "LamplighterTestingTests/FailureTests.swift:\(line): " }

    @Test("A thrown error names the line of the test")
    func places() async throws {
        let harness = try await harness()
        try await harness.user("ann").device("phone").subscribe(to: "S")
        try await harness.call("tell")
        let sent = try #require(try harness.sent.first)
        var lines: [(line: Int, error: (any Error)?)] = []
        lines.append((#line, await #expect(throws: CallError.self) { try await harness.call("look") }))
        lines.append((#line, await #expect(throws: CallError.self) { try await harness.user("u").call("look") }))
        lines.append(
            (#line, await #expect(throws: PollRunError.self) { try await harness.advance(by: .seconds(10)) }))
        lines.append((#line, await #expect(throws: EvaluationError.self) { try await harness.evaluate("missing") }))
        lines.append((#line, #expect(throws: PayloadMismatchError.self) { try sent.expect(body: [:]) }))
        lines.append((#line, #expect(throws: PayloadMismatchError.self) { try sent.body.expect([:]) }))
        for (line, error) in lines { #expect(error.map { "\($0)" }?.hasPrefix(place(line)) == true, "\(line)") }
    }

    @Test("A failing statement of the test is reported with its SQL")
    func statement() async throws {
        let harness = try await AdapterHarness(adapter: "A", script: Self.script, connection: .sql)
        let database = try harness.database()
        let failure = try #require(throws: HarnessDatabaseError.self) { try database.query("select x from y") }
        #expect(failure.description.hasPrefix(place(#line - 1)))
        #expect(failure.message == "no such table: y in: select x from y")
    }

    @Test("An expectation in a stub is one of the test that set it")
    func stubs() async throws {
        let harness = try await harness()
        harness.backEnd().get("/x") { request in
            #expect(request.parameter("limit") == "5")
            return .json([:])
        }
        await withKnownIssue { try await harness.call("get") }
        harness.backEnd().get("/x") { request in
            try #require(request.method == "POST")
            return .json([:])
        }
        await withKnownIssue {
            let failure = try await #require(throws: CallError.self) { try await harness.call("get") }
            #expect(failure.reason == "the stub of GET /x failed: a requirement in it was not met")
        }
    }

    @Test("A stub sees the task-local values of the test, separately in each call")
    func taskLocals() async throws {
        let harness = try await harness()
        harness.backEnd().get("/x") { _ in .json(["n": .number(Double(Self.number))]) }
        for number in 1...20 {
            try await Self.$number.withValue(number) {
                try await harness.call("get").expect(containing: ["n": .number(Double(number))])
            }
        }
    }

    @TaskLocal private static var number = 0

    @Test("A wait for messages that are never sent ends with an error")
    func waiting() async throws {
        let harness = try await harness()
        let failure = try await #require(throws: TooFewSentError.self) {
            _ = try await harness.sent(atLeast: 1, within: .milliseconds(20))
        }
        #expect(failure.message.hasPrefix("sent within 0.02 seconds: none; expected at least 1"))
    }

    @Test("compares a value with a complete expectation or with a part")
    func values() throws {
        let value: JSONValue = ["a": 1, "b": [["c": 2, "d": 3]]]
        try value.expect(["b": [["d": 3, "c": 2]], "a": 1])
        try value.expect(containing: ["b": [["d": 3]]])
        #expect(throws: PayloadMismatchError.self) { try value.expect(["a": 1]) }
        #expect(throws: PayloadMismatchError.self) { try value.expect(containing: ["b": [["d": 4]]]) }
        #expect(throws: PayloadMismatchError.self) { try value.expect(containing: ["b": []]) }
        #expect(throws: PayloadMismatchError.self) { try value.expect(containing: ["e": .null]) }
    }

    @Test("A part of a payload can be compared, where the rest is random", arguments: [Platform.apple, .web])
    func partialPayload(platform: Platform) async throws {
        let harness = try await harness()
        try await harness.user("ann").device("page", platform: platform).subscribe(to: "S")
        try await harness.call("tell")
        let sent = try #require(try harness.sent.first)
        try sent.expect(bodyContaining: platform == .web ? ["alert": "hello"] : ["aps": ["alert": ["body": "hello"]]])
    }

    @Test("A test sets the limits of calls")
    func limits() async throws {
        var options = AdapterHarness.Options()
        options.runtime.calls.cpuTime = .milliseconds(100)
        let harness = try await AdapterHarness(adapter: "A", script: Self.script, options: options)
        let failure = try await #require(throws: CallError.self) { try await harness.call("loop") }
        #expect(failure.reason.contains("raise cpuTime in options.runtime.calls of the harness if it needs more\n"))
        #expect(harness.log.contains { $0.level == .error && $0.adapter == "A" })
    }

    @Test("A poll that does not end fails with the name of its limit")
    func pollLimits() async throws {
        var options = AdapterHarness.Options()
        options.runtime.polls.cpuTime = .milliseconds(100)
        let harness = try await AdapterHarness(
            adapter: "A",
            script:
                "WL.Server.createEventSource({ name: 'S', poll: { interval: 1, onPoll: function () { for (;;); } } });",
            options: options)
        let failure = try await #require(throws: PollRunError.self) { try await harness.advance(by: .seconds(1)) }
        #expect(failure.message.contains("raise cpuTime in options.runtime.polls of the harness if it needs more\n"))
    }

    @Test("A user whom the adapter has logged in can subscribe")
    func loggedIn() async throws {
        let harness = try await harness()
        let client = harness.client()
        try await client.call("logIn")
        try await client.device("phone").subscribe(to: "S")
        try await harness.call("tell")
        #expect(try harness.sent.map(\.user) == ["ann"])
    }
}
