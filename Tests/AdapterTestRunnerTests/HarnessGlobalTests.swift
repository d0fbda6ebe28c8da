import AdapterRuntime
import AdapterTestRunner
import JavaScriptEngine
import Testing

@Suite("The global harness")
struct HarnessGlobalTests {
    private static let adapter = """
        WL.Server.createEventSource({ name: "Prices", poll: { interval: 60, onPoll: "look" },
            onDeviceSubscribe: "arrived" });
        var last = null;
        function arrived() { WL.Logger.warn("arrived"); }
        function look() {
            var price = WL.Server.invokeHttp({ method: "get", path: "/prices", parameters: { of: "ACME" } }).price;
            var user = WL.Server.getUserNotificationSubscription("A.Prices", "ann");
            if (user) WL.Server.notifyAllDevices(user, WL.Server.createDefaultNotification("ACME " + price, 1, {}));
        }
        function run(x) {
            if (x === "boom") throw new TypeError("boom");
            if (x === "who") { var user = WL.Server.getActiveUser(); return { user: user && user.userId }; }
            if (x === "log") { WL.Logger.warn("careful"); return; }
            if (x === "get") return WL.Server.invokeHttp({ method: "get", path: "/prices" });
            if (x === "last") return last;
            last = x;
            return { got: x };
        }
        """

    @Test("Users, devices, back ends, the clock and what is sent work together")
    func together() async throws {
        let outcome = try await run(
            """
            it("tells ann the price each minute", () => {
                var asked = [];
                harness.backEnd().get("/prices", request => {
                    asked.push(request.query.of);
                    return { json: { price: 10 + asked.length } };
                });
                harness.user("ann").device("phone", { platform: "Android" }).subscribe("Prices", { alias: "prices" });
                expect(harness.log.filter(line => line.message === "arrived")).toHaveLength(1);
                var runs = harness.clock.advance(130);
                expect(runs.length).toBe(asked.length);
                expect(asked).toEqual(runs.map(() => "ACME"));
                expect(harness.sent).toHaveLength(runs.length);
                expect(harness.sent[0]).toMatchObject({ platform: "Android", user: "ann", device: "phone",
                    eventSource: "A.Prices", service: "FCM" });
                expect(JSON.stringify(harness.sent[0].body)).toContain("ACME 11");
                expect(harness.backEnd().requests[0]).toMatchObject({ method: "GET", path: "/prices" });
                harness.sent.clear();
                expect(harness.sent).toEqual([]);
                expect(harness.clock.elapsed).toBe(130);
                expect(harness.polls).toHaveLength(runs.length);
            });
            """, adapter: Self.adapter)
        #expect(outcome.messages == [])
    }

    @Test("Each test has a separate world")
    func isolation() async throws {
        let outcome = try await run(
            """
            const ann = () => harness.user("ann");
            it("one", () => { ann().call("run", 1); expect(ann().call("run", "last")).toBe(1); });
            it("two", () => expect(ann().call("run", "last")).toBe(null));
            """, adapter: Self.adapter)
        #expect(outcome.messages == [])
    }

    @Test("Users and sessions call for themselves")
    func people() async throws {
        let outcome = try await run(
            """
            it("x", () => {
                expect(harness.user("ann").call("run", "who").user).toBe("ann");
                var client = harness.client();
                expect(client.call("A/run", "who").user).toBe(null);
                client.end();
                expect(harness.reply("run", "boom")).toMatchObject({ isSuccessful: false });
                expect(harness.user("ann").identity("user").userId).toBe("ann");
                harness.call("run", "log");
                expect(harness.log).toContainEqual({ level: "warning", adapter: "A", message: "careful" });
            });
            """, adapter: Self.adapter)
        #expect(outcome.messages == [])
    }

    @Test("An adapter's error fails the test with the adapter's stack, unless the test expects it")
    func thrown() async throws {
        let outcome = try await run(
            """
            it("expects", () => expect(() => harness.call("run", "boom")).toThrow("TypeError: boom"));
            it("fails", () => { harness.call("run", "boom"); });
            """, adapter: Self.adapter)
        #expect(outcome.summary == ["expects: passed", "fails: failed"])
        #expect(outcome.messages[0].contains("at run@adapters/A/A-impl.js:11:"))
        #expect(outcome.tests[1].failures[0].place?.line == 2)
        #expect(outcome.tests[1].log.contains { $0.contains("FWLSE0099E") })
    }

    @Test("an adapter's error has the class of the test's own language, and a class of the adapter's its name")
    func classes() async throws {
        let outcome = try await run(
            """
            const caught = what => { try { what(); } catch (error) { return error; } };
            it("call", () => {
                expect(() => harness.call("run", "type")).toThrow(TypeError);
                expect(() => harness.call("run", "type")).not.toThrow(RangeError);
                expect(caught(() => harness.user("ann").call("run", "range")) instanceof RangeError).toBe(true);
            });
            it("evaluate and poll", () => {
                expect(() => harness.evaluate("null.x")).toThrow(TypeError);
                expect(() => harness.clock.advance(1)).toThrow(SyntaxError);
            });
            it("custom", () => {
                const error = caught(() => harness.call("run", "own"));
                expect(error.name).toBe("StockError");
                expect(error).toBeInstanceOf(Error);
                expect(error instanceof TypeError).toBe(false);
            });
            it("text", () => expect(caught(() => harness.call("run", "text")).name).toBe("Error"));
            it("fails", () => { harness.call("run", "type"); });
            """,
            adapter: """
                WL.Server.createEventSource({ name: "S", poll: { interval: 1, onPoll: "poll" } });
                function StockError(message) { this.name = "StockError"; this.message = message; }
                StockError.prototype = Object.create(Error.prototype);
                function poll() { throw new SyntaxError("polled"); }
                function run(what) {
                    if (what === "type") throw new TypeError("no");
                    if (what === "range") throw new RangeError("no");
                    if (what === "own") throw new StockError("none left");
                    throw "text";
                }
                """)
        #expect(outcome.tests.map(\.status) == [.passed, .passed, .passed, .passed, .failed], "\(outcome.messages)")
        #expect(
            outcome.messages.first?.hasPrefix("A/run failed: adapters/A/A-impl.js:6:") == true, "\(outcome.messages)")
    }

    @Test("A back end without a stub, an invalid stub response and a throwing stub are reported")
    func backEnds() async throws {
        let outcome = try await run(
            """
            it("no stub", () => { harness.call("run", "get"); });
            it("wrong answer", () => { harness.backEnd().get("/prices", { jsn: 1 }); });
            it("throws", () => {
                harness.backEnd().get("/prices", () => { throw new Error("in the stub"); });
                expect(() => harness.call("run", "get")).toThrow("in the stub");
            });
            it("one after the other", () => {
                harness.backEnd().get("/prices", { json: { n: 1 } }, { status: 503, text: "later" }, { silence: true });
                expect(harness.call("run", "get").n).toBe(1);
                expect(harness.call("run", "get")).toMatchObject({ statusCode: 503, text: "later" });
                expect(harness.call("run", "get").isSuccessful).toBe(false);
            });
            """, adapter: Self.adapter)
        #expect(
            outcome.summary
                == ["no stub: failed", "wrong answer: failed", "throws: passed", "one after the other: passed"],
            "\(outcome.messages)")
        #expect(outcome.messages[0].contains("no stub for GET /prices at the back end of A"))
        #expect(outcome.messages[1].contains("a back end's response has no 'jsn'"))
    }

    @Test("Wrong responses, names and numbers are refused at the call that passes them")
    func wrongUse() async throws {
        let outcome = try await run(
            """
            it.each([
                [() => harness.backEnd().get("/a", { status: 1e30 })], [() => harness.backEnd().get("/a", { status: "404" })],
                [() => harness.backEnd().get("/a", { json: undefined })], [() => harness.backEnd().get("/a", { xml: 5 })],
                [() => harness.backEnd().get("/a?x=1", {})], [() => harness.backEnd().on("GTE", "/a", {})],
                [() => harness.backEnd().get("/a", () => {}, {})], [() => harness.backEnd("Typo").requests],
                [() => harness.database("Typo").query("select 1")], [() => harness.clock.advance(1e30)],
                [() => harness.clock.advance(Infinity)], [() => harness.user()],
                [() => harness.user("ann").device("phone").unsubscribe("Typo")]
            ])("%#", wrong => expect(wrong).toThrow());
            """, adapter: Self.adapter)
        #expect(outcome.messages == [])
        #expect(outcome.tests.count == 13)
    }

    @Test("An error in a callback of the adapter fails the test, unless the test expects it")
    func callbacks() async throws {
        let outcome = try await run(
            """
            const phone = () => harness.user("ann").device("phone");
            it("fails", () => { phone().subscribe("S"); });
            it("expects", () => { phone().subscribe("S", { tolerateFailures: true }); });
            """,
            adapter: """
                WL.Server.createEventSource({ name: "S", onDeviceSubscribe: "arrived" });
                function arrived() { throw new Error("in the callback"); }
                function run() {}
                """)
        #expect(outcome.summary == ["fails: failed", "expects: passed"])
        #expect(outcome.messages[0].contains("in the callback"))
        #expect(outcome.messages[0].contains("arrived@adapters/A/A-impl.js:2:"))
    }

    @Test("A user kept from an earlier test does not exist in the next")
    func keptUsers() async throws {
        let outcome = try await run(
            """
            let kept;
            it("a", () => { kept = harness.user("ann"); });
            it("b", () => { harness.user("bob"); expect(() => kept.identity("user")).toThrow("of another test"); });
            """)
        #expect(outcome.messages == [])
    }

    @Test("A stub may read the harness, but not call the adapter that waits for it")
    func nestedUse() async throws {
        let outcome = try await run(
            """
            it("looks", () => {
                harness.backEnd().get("/prices", () => ({ json: { at: harness.clock.elapsed } }));
                expect(harness.call("run", "get").at).toBe(0);
                expect(harness.call("run", "get").at).toBe(0);
            });
            it("calls", () => {
                harness.backEnd().get("/prices", () => { harness.call("run", 1); });
                expect(() => harness.call("run", "get")).toThrow("the adapter waits for this back end's response");
            });
            """, adapter: Self.adapter)
        #expect(outcome.messages == [])
    }

    @Test("Stubs that read the harness respond to polls that ask at the same time")
    func simultaneousQuestions() async throws {
        let sources = (0..<8).map {
            "WL.Server.createEventSource({ name: 'S\($0)', poll: { interval: 10, onPoll: look } });"
        }
        let outcome = try await run(
            """
            it("x", () => {
                var asked = 0;
                harness.backEnd().get("/x", () => {
                    for (var i = 0; i < 30; i++) harness.clock.elapsed;
                    asked++;
                    return { json: { t: harness.clock.elapsed } };
                });
                harness.clock.advance(40);
                expect(harness.polls.length).toBeGreaterThan(30);
                expect(asked).toBe(harness.polls.length);
            });
            """,
            adapter: sources.joined()
                + "function look() { WL.Server.invokeHttp({ method: 'get', path: '/x' }); } function run() {}"
        )
        #expect(outcome.messages == [])
    }

    @Test("An expectation that fails in a stub fails the test, also where failures of the adapter are tolerated")
    func failingStubs() async throws {
        let outcome = try await run(
            """
            const wrongPath = () => harness.backEnd().get("/prices", request => {
                expect(request.path).toBe("/never");
                return {};
            });
            it("reply", () => { wrongPath(); expect(harness.reply("run", "get").isSuccessful).toBe(false); });
            it("poll", () => { wrongPath(); harness.clock.advance(61, { tolerateFailures: true }); });
            it("callback", () => {
                wrongPath();
                harness.user("ann").device("phone").subscribe("Asking", { tolerateFailures: true });
            });
            it("evaluate", () => { wrongPath(); harness.evaluate("run('get')"); });
            """,
            adapter: Self.adapter
                + "WL.Server.createEventSource({ name: 'Asking', onDeviceSubscribe: function () { run('get'); throw 1; } });"
        )
        #expect(
            outcome.summary == ["reply: failed", "poll: failed", "callback: failed", "evaluate: failed"],
            "\(outcome.messages)")
        #expect(outcome.messages.allSatisfy { $0.contains("/never") }, "\(outcome.messages)")
    }

    @Test("A back end may lack a stub where failures are tolerated")
    func toleratedSilence() async throws {
        let outcome = try await run(
            """
            it("reply", () => { expect(harness.reply("run", "get").isSuccessful).toBe(false); });
            it("poll", () => { harness.clock.advance(61, { tolerateFailures: true }); });
            """, adapter: Self.adapter)
        #expect(outcome.messages == [])
    }

    @Test("The harness belongs to a test: outside of one it says so")
    func outside() async throws {
        #expect(try #require(await run("harness.call('run');").failure).message.contains("use it in tests"))
        let outcome = try await run("beforeAll(() => harness.call('run')); it('x', () => {});")
        #expect(outcome.messages[0].contains("use it in tests, beforeEach and afterEach"))
    }

    @Test("A call that does not return is abandoned with the test")
    func hangingCalls() async throws {
        let outcome = try await run(
            "it('x', () => { harness.call('run'); }, 300); it('y', () => {});",
            adapter: "function run() { while (true); }")
        #expect(outcome.summary == ["x: failed", "y: passed"])
    }

    @Test("An adapter that cannot be loaded fails each test with the reason")
    func brokenAdapter() async throws {
        let outcome = try await run("it('x', () => {});", adapter: "function run( {")
        #expect(outcome.summary == ["x: failed"])
        #expect(outcome.messages[0].contains("adapters/A/A-impl.js:1"))
    }

    @Test("Coverage is that of all tests together")
    func coverage() async throws {
        let collector = CoverageCollector()
        _ = try await run(
            "it('a', () => { harness.call('run', 1); }); it('b', () => { harness.call('run', 2); });",
            adapter:
                "function run(x) {\n  if (x === 1) {\n    return 'one';\n  }\n  return 'other';\n}\nfunction no() {\n  return 1;\n}"
        ) { $0.coverage = collector }
        let summary = CoverageSummary(collector.result)
        #expect(summary.files.map(\.path) == ["adapters/A/A-impl.js"])
        #expect(summary.files[0].missedLines == [8])
        #expect(summary.total.functions == .init(covered: 1, total: 2))
        #expect(summary.lcov.contains("DA:3,1\n") && summary.lcov.contains("DA:8,0\n"))
        #expect(summary.table.contains("adapters/A/A-impl.js"))
    }

    @Test("branches that were not taken are named in the table, unless their lines were not run")
    func branches() async throws {
        let collector = CoverageCollector()
        _ = try await run(
            "it('a', () => { harness.call('run', 1); });",
            adapter: """
                function run(x) {
                    for each (var y in [x]) { if (y > 0) x = y || 2; }
                    if (x > 5) {
                        return "never";
                    }
                    switch (x) { case 1: x = 1; break; default: x = 2; }
                    return x ? "yes" : "no";
                }
                function no(x) { if (x) return 1;
                    return 2;
                }
                """
        ) { $0.coverage = collector }
        let summary = CoverageSummary(collector.result)
        #expect(summary.files[0].missedLines == [4, 9, 10])
        #expect(
            summary.files[0].missedBranches == [
                "2:31 else", "2:51 right of ||", "6:40 default", "7:24 right of :",
            ])
        #expect(
            summary.table.contains("  4, 9-10, 2:31 else, 2:51 right of ||, 6:40 default, 7:24 right of :\n"),
            "\(summary.table)")
    }
}
