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

    @Test(
        "refuses to start if the server itself needs more files, and says how many")
    func refused() async throws {
        let project = try TemporaryFolder(["lamplighter.yaml": ""])
        let outcome = try await Command.shell(
            "ulimit -n 64 && exec lamplighter serve --port 0 '\(project.url.path)'", in: project.url)
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.contains("the system allows this process 64 open files, and the server needs 732"),
            "\(outcome.errors)")
    }

    @Test("leaves half of the remaining files to clients where back ends may take more")
    func shared() async throws {
        let project = try TemporaryFolder([
            "adapters/A/A.xml": adapterXML("A", connectivity: httpConnectivity(port: 1)).replacing(
                "</connectionPolicy>",
                with: "<maxConcurrentConnectionsPerNode>5000</maxConcurrentConnectionsPerNode></connectionPolicy>"),
            "adapters/A/A-impl.js": "function run() { return {} }",
        ])
        let server = try await ServerProcess([project.url.path], openFiles: 1512)
        #expect(await server.end(with: SIGTERM) == 0)
        #expect(await server.wholeLog().contains("limits.connections is 400 instead of 10000"))
    }
}
