import Foundation
import TestSupport
import Testing

@Suite("A server that reports absurd numbers")
struct AbsurdAnswerTests {
    private func logs(_ page: String) async throws -> Command.Outcome {
        let project = try makeProject("function run() {}")
        let server = try LoopbackProvider()
        server.answer("/management/v1/logs?limit=100", with: .status(200, page))
        let note = #"{"processID":1,"url":"\#(server.issuer)","managementKey":"k"}"#
        try project.write(note, to: ".lamplighter/server.json")
        return try await Command.run(["logs", "--project", project.path])
    }

    @Test(
        "is refused as not understood, and the command does not crash",
        arguments: [
            #"{"run":"r","entries":[],"last":1e300}"#, #"{"run":"r","entries":[],"last":1,"lost":1e300}"#,
            #"{"run":"r","entries":[],"last":0.5}"#,
        ])
    func page(page: String) async throws {
        let outcome = try await logs(page)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("this version of lamplighter cannot read the server's response"))
    }

    @Test("A line of the log with such a number is left out")
    func line() async throws {
        let outcome = try await logs(
            #"""
            {"run":"r","last":2,"entries":[{"number":1e300,"time":"T","level":"info","message":"absurd"},
            {"number":2,"time":"T","level":"info","message":"sane"}]}
            """#)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "T info    sane\n")
    }
}
