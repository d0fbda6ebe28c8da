import Foundation
import HTTPTransfer
import Logging
import NIOHTTP1
import TestSupport
import Testing

@testable import Installation
@testable import Server

@Suite("The console's port")
struct ConsolePortTests {
    private static let files = ["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": "function run() {}"]

    /// Runs `body` with the address of the console's port of a running server.
    private static func run(_ body: @Sendable (_ url: String, _ key: String) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        for (path, text) in files { try folder.write(text, to: path) }
        var settings = InstallationSettings(project: folder.url)
        (settings.port, settings.consolePort) = (0, 0)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let installation = try await Installation(opening: settings, logger: logger)
        let (urls, yield) = AsyncStream<String?>.makeStream()
        let server = LamplighterServer(installation, logger: logger) { _, console in yield.yield(console) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            let url = try #require(await urls.first { _ in true } ?? nil)
            let note = try #require(DataFolder.serverNote(in: settings.dataFolder))
            try await body(url, note.managementKey)
            group.cancelAll()
        }
        await installation.close()
        withExtendedLifetime(folder) {}
    }

    @Test("answers /, /health and the management API, and nothing for clients and back ends")
    func paths() async throws {
        try await Self.run { (url, key) async throws in
            for (path, status) in [
                ("/", 200), ("/health", 200), ("/health/ready", 200), ("/management/v1/overview", 200),
                ("/invoke?adapter=A&procedure=run", 404), ("/apps/services/reach", 404),
                ("/adapters/A/run", 404), ("/dev/invoke", 404),
            ] {
                let request = TransferRequest(
                    "GET", url: url + path, headers: [("Authorization", "Bearer \(key)")], timeout: .seconds(120))
                #expect(try await RunningServer.http.send(request).status == status, "\(path)")
            }
        }
    }
}
