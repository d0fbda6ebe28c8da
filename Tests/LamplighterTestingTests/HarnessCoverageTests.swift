import AdapterRuntime
import Core
import LamplighterTesting
import Testing

@Suite("Coverage of an adapter under test")
struct HarnessCoverageTests {
    @Test("Executed lines are counted over all sessions, and the others are listed")
    func lines() async throws {
        let collector = CoverageCollector()
        var options = AdapterHarness.Options()
        options.coverage = collector
        let harness = try await AdapterHarness(
            adapter: "A",
            script: """
                var calls = 0;
                function run(x) {
                    calls++;
                    if (x > 1) {
                        return "large";
                    }
                    return "small";
                }
                """, options: options)
        try await harness.call("run", 0)
        try await harness.user("ann").call("run", 1)
        let script = try #require(collector.result.first)
        #expect(script.file == "adapters/A/A-impl.js")
        let lines = script.lines
        #expect(lines[3] == 2)
        #expect(lines[5] == 0)
        #expect(lines[7] == 2)
    }

    @Test("A failure in a counted and translated script names the author's position")
    func places() async throws {
        var options = AdapterHarness.Options()
        options.coverage = CoverageCollector()
        let harness = try await AdapterHarness(
            adapter: "A",
            script: "function run(list) {\n  for each (var x in list) { if (x) { x.y.z; } }\n}", options: options)
        let failure = try await #require(throws: CallError.self) { try await harness.call("run", [1]) }
        #expect(failure.description.contains("run@adapters/A/A-impl.js:2:42"))
    }
}
