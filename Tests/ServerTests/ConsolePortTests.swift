import HTTPTransfer
import TestSupport
import Testing

@testable import Installation

@Suite("The console's port")
struct ConsolePortTests {
    private static let files = ["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": "function run() {}"]

    @Test("serves only /, /health and the management API")
    func paths() async throws {
        try await RunningServer.run(files: Self.files, change: { $0.consolePort = 0 }) { (server) async throws in
            let url = try #require(server.consoleURL)
            for (path, status) in [
                ("/", 200), ("/health", 200), ("/health/ready", 200), ("/management/v1/overview", 200),
                ("/invoke?adapter=A&procedure=run", 404), ("/apps/services/reach", 404),
                ("/adapters/A/run", 404), ("/dev/invoke", 404),
            ] {
                let request = TransferRequest(
                    "GET", url: url + path, headers: [("Authorization", "Bearer \(server.note.managementKey)")],
                    timeout: .noLimit)
                #expect(try await RunningServer.http.send(request).status == status, "\(path)")
            }
        }
    }
}
