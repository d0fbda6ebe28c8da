import Core
import Foundation
import LamplighterTesting
import TestSupport
import Testing

@Suite("The clock of a test")
struct ClockTests {
    private static let script = """
        WL.Server.createEventSource({ name: "S", poll: { interval: 60, onPoll: "look" } });
        var looks = [];
        function look() { looks.push(new Date().toISOString()); }
        """

    @Test("A poll runs at exactly its times, however far the clock is moved at once")
    func times() async throws {
        let harness = try await AdapterHarness(adapter: "A", script: Self.script)
        let runs = try await harness.advance(by: .seconds(200))
        #expect(runs.map(\.elapsed) == [60, 120, 180] || runs.map(\.elapsed) == [0, 60, 120, 180])
        #expect(runs.allSatisfy { $0.eventSource.description == "A.S" && $0.failure == nil })
        let later = try await harness.advance(by: .seconds(40))
        #expect(later.map(\.elapsed) == [240])
        #expect(harness.pollRuns.count == runs.count + 1)
        #expect(harness.clock.elapsed == 240)
    }

    @Test("The script's own Date follows the clock")
    func scriptClock() async throws {
        let harness = try await AdapterHarness(
            adapter: "A",
            script: """
                function now() {
                    return [new Date().toISOString(), Date.now(), new Date(0).getTime(), new Date() instanceof Date,
                        typeof Date(), new Date(2020, 1, 1).getFullYear(), new Date().constructor === Date];
                }
                """)
        try await harness.advance(by: .seconds(90))
        let expected: JSONValue = [
            "2023-11-14T22:14:50.000Z", .number(1_700_000_090_000), 0, true, "string", 2020, true,
        ]
        #expect(try await harness.call("now") == expected)
    }

    @Test("A test sets the start of its clock")
    func start() async throws {
        var options = AdapterHarness.Options()
        options.start = Date(timeIntervalSince1970: 86_400)
        let harness = try await AdapterHarness(
            adapter: "A", script: "function now() { return new Date().toISOString(); }", options: options)
        #expect(try await harness.call("now") == "1970-01-02T00:00:00.000Z")
    }

    @Test("A poll that throws fails the test once the time is over, with its stack")
    func failure() async throws {
        let harness = try await AdapterHarness(
            adapter: "A",
            script: """
                WL.Server.createEventSource({ name: "S", poll: { interval: 10, onPoll: look } });
                function look() { throw new Error("no stock"); }
                """)
        let failure = try await #require(throws: PollRunError.self) { try await harness.advance(by: .seconds(25)) }
        #expect(failure.description.contains("the poll of A.S failed after"))
        #expect(failure.description.contains("Error: no stock"))
        #expect(failure.description.contains("look@adapters/A/A-impl.js:2:"))
        #expect(harness.clock.elapsed == 25)
        let runs = try await harness.advance(by: .seconds(10), toleratingFailures: true)
        #expect(runs.count == 1 && runs[0].failure != nil)
    }

    @Test("Two polls of different intervals interleave as they would in production")
    func interleaving() async throws {
        let harness = try await AdapterHarness(
            adapter: "A",
            script: """
                WL.Server.createEventSource({ name: "Fast", poll: { interval: 20, onPoll: f } });
                WL.Server.createEventSource({ name: "Slow", poll: { interval: 50, onPoll: f } });
                function f() {}
                """)
        try await harness.advance(by: .seconds(10))
        let runs = try await harness.advance(by: .seconds(90))
        let fast = runs.filter { $0.eventSource.name == "Fast" }.map(\.elapsed)
        let slow = runs.filter { $0.eventSource.name == "Slow" }.map(\.elapsed)
        #expect(fast == [20, 40, 60, 80, 100])
        #expect(slow == [50, 100])
    }
}
