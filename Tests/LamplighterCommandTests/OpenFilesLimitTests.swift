import Foundation
import TestSupport
import Testing

@Suite("serve where the system allows few open files", .defaultTimeLimit)
struct OpenFilesLimitTests {
    @Test("lowers limits.connections to the open files that remain, and logs one line")
    func lowered() async throws {
        let project = try TemporaryFolder([
            "adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": "function f() { return {} }",
        ])
        let server = try await ServerProcess([project.url.path], openFiles: 1500)
        #expect(await server.end(with: SIGTERM) == 0)
        let lines = await server.wholeLog().split(separator: "\n").filter { $0.contains("limits.connections") }
        #expect(lines.count == 1 && lines.first?.contains("limits.connections is 788 instead of 10000") == true)
    }

    @Test("keeps limits.connections where enough files may be open")
    func kept() async throws {
        let project = try TemporaryFolder(["lamplighter.yaml": ""])
        let server = try await ServerProcess([project.url.path], openFiles: 20_000)
        #expect(await server.end(with: SIGTERM) == 0)
        #expect(await !server.wholeLog().contains("limits.connections"))
    }
}
