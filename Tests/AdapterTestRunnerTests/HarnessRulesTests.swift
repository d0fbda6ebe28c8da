import AdapterTestRunner
import Foundation
import JavaScriptEngine
import TestSupport
import Testing
import WorklightProject

@Suite("Rules of the harness")
struct HarnessRulesTests {
    private static let asking = """
        function run(x) { return WL.Server.invokeHttp({ method: "get", path: "/a" }); }
        """

    @Test("The polls of other adapters run only on request")
    func othersPolls() async throws {
        let poll = "WL.Server.createEventSource({ name: 'S', poll: { interval: 60, onPoll: look } });"
        let folder = try TemporaryFolder([
            "adapters/A/A.xml": adapterXML("A"),
            "adapters/A/A-impl.js": "\(poll) function look() {} function run() {}",
            "adapters/B/B.xml": adapterXML("B"),
            "adapters/B/B-impl.js": "\(poll) function look() { throw new Error('B is broken'); } function run() {}",
            "adapters/A/A.test.js": """
            const sources = () => harness.polls.map(poll => poll.eventSource);
            it("own", () => { harness.clock.advance(60); expect(sources()).toEqual(["A.S"]); });
            it("all", () => {
                const runs = harness.clock.advance(60, { adapters: "all", tolerateFailures: true });
                expect(runs.map(run => run.eventSource).sort()).toEqual(["A.S", "B.S"]);
                harness.clock.advance(60);
                expect(sources().sort()).toEqual(["A.S", "A.S", "B.S"]);
            });
            it("fails", () => { harness.clock.advance(60, { adapters: "all" }); });
            """,
        ])
        let runner = AdapterTestRunner.patient(Project(reading: folder.url))
        let outcome = try #require(await runner.run(TestFile.all(in: folder.url)).files.first)
        #expect(outcome.summary == ["own: passed", "all: passed", "fails: failed"], "\(outcome.messages)")
        #expect(outcome.messages[0].contains("B is broken"))
    }

    @Test("Misspelt options and names that the project does not have are refused")
    func misspelt() async throws {
        let outcome = try await run(
            """
            const phone = () => harness.user("ann").device("phone");
            it.each([
                [() => harness.user("ann").device("x", { plattform: "Android" }), "has no option 'plattform'"],
                [() => harness.user("ann").device("x", { platform: "Andoid" }), "not a platform"],
                [() => phone().subscribe("S", { alais: "a" }), "has no option 'alais'"],
                [() => phone().unsubscribe("S", { tolerateFailure: true }), "has no option 'tolerateFailure'"],
                [() => harness.clock.advance(1, { tolerateFailure: true }), "has no option 'tolerateFailure'"],
                [() => harness.clock.advance(1, { adapters: "B" }), 'expected "own" or "all"'],
                [() => harness.database().query('select 1'), "no SQL back end"],
                [() => { const c = harness.client(); c.end(); c.call("run"); }, "this session has ended"]
            ])("%#", (wrong, reason) => expect(wrong).toThrow(reason));
            it("begins anew", () => {
                const first = harness.user("ann");
                first.end();
                expect(harness.user("ann").identity("user").userId).toBe("ann");
            });
            """)
        #expect(outcome.messages == [])
        #expect(outcome.tests.count == 9)
    }

    /// Applications and tags are asked for by a name that the project does not have.
    private static let strangers = """
        it("application", () => { harness.user("ann").device("p", { application: "nope" }); });
        it("tag", () => { harness.user("ann").device("p").subscribeToTag("nope"); });
        """

    @Test("An application or a tag that the project does not declare is refused")
    func undeclared() async throws {
        let folder = try TemporaryFolder([
            "apps/Shop/application-descriptor.xml": """
            <application id="Shop" platformVersion="6.2.0.0" xmlns="http://www.worklight.com/application-descriptor">
                <iphone bundleId="com.example.shop" version="1.0"/>
                <tags><tag><name>sport</name></tag></tags>
            </application>
            """,
            "adapters/A/A.xml": adapterXML("A", procedures: ["run"]), "adapters/A/A-impl.js": "function run() {}",
            "adapters/A/A.test.js": Self.strangers,
        ])
        let runner = AdapterTestRunner.patient(Project(reading: folder.url))
        let outcome = try #require(await runner.run(TestFile.all(in: folder.url)).files.first)
        try #require(outcome.messages.count == 2)
        #expect(outcome.messages[0] == "the project has no application 'nope'; there are: Shop")
        #expect(outcome.messages[1].contains("declares no tag 'nope'; there are: sport"))
    }

    @Test("Any name is accepted where a project declares no applications")
    func noApplications() async throws {
        #expect(try await run(Self.strangers).messages == [])
    }

    @Test("Date returns the harness's time in tests, and its start time outside of them")
    func dates() async throws {
        let outcome = try await run(
            """
            const loaded = new Date();
            it("x", () => {
                expect(loaded.toISOString()).toBe("2023-11-14T22:13:20.000Z");
                harness.clock.advance(90);
                expect(new Date().toISOString()).toBe("2023-11-14T22:14:50.000Z");
                expect(Date.now()).toBe(harness.clock.now().getTime());
                expect(harness.call("run", 1)).toMatchObject({ at: Date.now() });
                expect(loaded).toEqual(expect.any(Date));
                expect(new Date(5)).toEqual(new Date(5));
            });
            """, adapter: "function run() { return { at: Date.now() }; }")
        #expect(outcome.messages == [])
    }

    @Test("An adapter that does not end reports its position, and the test where it waited", .defaultTimeLimit)
    func loops() async throws {
        var outcome: FileOutcome
        // If the process is slow, the time may be over before the adapter is called; then the file is run again.
        repeat {
            try Task.checkCancellation()
            outcome = try await run(
                "it('x', () => {\n  harness.call('run');\n});", adapter: "function run() {\n  for (;;);\n}"
            ) { $0.timeLimit = .seconds(1) }
        } while !outcome.messages.contains(where: { $0.contains("run@") })
        let failure = try #require(outcome.tests[0].failures.first)
        #expect(failure.message.hasPrefix("the test was stopped: "), "\(failure.message)")
        #expect(failure.message.contains("run@adapters/A/A-impl.js:"), "\(failure.message)")
        #expect(failure.place?.line == 2)
        #expect(failure.stack.allSatisfy { !$0.contains("lamplighter:") && !$0.contains("native code") })
    }

    @Test("A thrown value without a location has that of its test", arguments: ["'hello'", "null", "{ code: 5 }"])
    func places(_ thrown: String) async throws {
        let outcome = try await run("\nit('x', () => { throw \(thrown); });")
        #expect(outcome.tests[0].failures.first?.place?.line == 2)
    }

    @Test("A failing expectation in a stub is reported as one, with its own location")
    func stubs() async throws {
        let outcome = try await run(
            """
            it("x", () => {
                harness.backEnd().get("/a", request => {
                    expect(request.path).toBe("/b");
                });
                harness.call("run");
            });
            """, adapter: Self.asking)
        let failure = try #require(outcome.tests[0].failures.first)
        #expect(failure.message.hasPrefix("expect(received).toBe(expected)"), "\(failure.message)")
        #expect(failure.place?.line == 3)
        #expect(outcome.tests[0].failures.count == 1)
        #expect(!outcome.tests[0].log.contains { $0.contains("lamplighter:") }, "\(outcome.tests[0].log)")
    }

    @Test("under a failure the log begins at info, and no poll's duration is logged")
    func logUnderFailure() async throws {
        let outcome = try await run(
            """
            it("x", () => {
                harness.clock.advance(3);
                console.log(harness.log.some(line => line.message === "quiet"), harness.log.some(line => / took /.test(line.message)));
                fail("no");
            });
            """,
            adapter: """
                WL.Server.createEventSource({ name: "S", poll: { interval: 1, onPoll: "poll" } });
                function poll() { WL.Logger.debug("quiet"); WL.Logger.info("loud"); }
                function run() {}
                """)
        #expect(outcome.tests[0].log == ["info A: loud", "info A: loud", "info A: loud"])
        #expect(outcome.tests[0].output == ["true false"])
    }

    @Test("harness.log has what the adapters logged, and nothing else")
    func log() async throws {
        let outcome = try await run(
            """
            it("x", () => {
                harness.clock.advance(60);
                expect(harness.log.filter(line => line.level !== "debug").map(line => line.message)).toEqual(["looked"]);
                expect(harness.log.filter(line => line.adapter === null)).toEqual([]);
            });
            """,
            adapter: """
                WL.Server.createEventSource({ name: 'S', poll: { interval: 60, onPoll: look } });
                function look() { WL.Logger.warn("looked"); }
                function run() {}
                """)
        #expect(outcome.messages == [])
    }

    @Test("A failure shows a notification without its redundant request")
    func notifications() async throws {
        let outcome = try await run(
            """
            it("x", () => {
                harness.user("ann").device("phone").subscribe("S");
                harness.call("run");
                expect(harness.sent[0].requests[0].service).toBe("APNs");
                expect(harness.sent).toEqual([]);
            });
            """,
            adapter: """
                WL.Server.createEventSource({ name: 'S' });
                function run() {
                    WL.Server.notifyAllDevices(WL.Server.getUserNotificationSubscription("A.S", "ann"),
                        WL.Server.createDefaultNotification("hello", 1, {}));
                }
                """)
        #expect(outcome.messages[0].ranges(of: "hello").count == 1, "\(outcome.messages)")
    }

    @Test("A file that the engine cannot parse has line and column, and a module is reported as one")
    func syntax() async throws {
        let broken = try #require(await run("it('x', () => {\n    const = 5;\n});").failure)
        #expect(broken.place?.line == 2)
        #expect(broken.place?.column != nil)
        let module = try #require(await run("import { x } from './x.js';\nit('x', () => {});").failure)
        #expect(module.message.contains("not a module"), "\(module.message)")
        #expect(module.place?.line == 1)
    }
}
