import TestSupport
import Testing

@Suite("The engine under stress", .serialized)
struct EngineStressTests {
    @Test(
        "A process whose machines are created, timed out and destroyed side by side lives on, also when files run out",
        .defaultTimeLimit, arguments: [[], ["96"]])
    func machines(descriptors: [String]) async throws {
        let outcome = try await Command.run(
            ["machines", TestExtent.size("1", full: "4")] + descriptors, of: "runtime-benchmark")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let line = try #require(
            outcome.output.firstMatch(of: /(\d+) machines destroyed, (\d+) scripts stopped, (\d+) machines refused/),
            "\(outcome.output)")
        #expect(line.1 != "0" && line.2 != "0")
        #expect((line.3 == "0") == descriptors.isEmpty)
    }
}
