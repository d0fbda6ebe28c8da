import Foundation
import TestSupport
import Testing

@Suite("lamplighter status while PostgreSQL is away", .defaultTimeLimit)
struct StatusDuringOutageTests {
    @Test("shows the findings of the server, and ends with status 2")
    func findings() async throws {
        let relay = try Relay(to: try PostgreSQLServer.start().port)
        let project = try makeProject("function run() {}")
        try project.write(
            "store: \(PostgreSQLServer.address(of: "postgres", port: relay.port))", to: "lamplighter.yaml")
        let server = try await ServerProcess([project.path])
        #expect(try await Command.run(["status", "--project", project.path]).status == 0)
        relay.set(.breaks)
        try await waitUntil {
            let status = try await Command.run(["status", "--project", project.path])
            return status.status == 2 && status.output.contains("the store cannot be written")
        }
        relay.set(.none)
        #expect(await server.end(with: SIGTERM) == 0)
    }
}
