import Core
import Foundation
import FoundationNetworking
import PushModel
import Storage
import TestSupport
import Testing

@Suite("Polling a back end")
struct PolledBackEndTests {
    @Test("Each message becomes one notification, also over a restart in the middle", .defaultTimeLimit)
    func restart() async throws {
        let backEnd = try await BackEnd()
        let project = try backEnd.makeProject()
        let store = try SQLStore(folder: project.url.appending(path: ".lamplighter").path)
        var server = try await ServerProcess([project.path])
        _ = try await Command.run(
            [
                "subscribe", "PolledPushAdapter.PushEventSource", "--user", "ann", "--device", "phone", "--platform",
                "Android",
            ]
                + ["--token", "t-1", "--project", project.path])
        for number in 0..<10 { try await backEnd.post(number) }
        try await project.waitForStore { try texts(in: store).count >= 5 }
        #expect(await server.end(with: SIGTERM) == 0)
        for number in 10..<20 { try await backEnd.post(number) }
        server = try await ServerProcess([project.path])
        try await project.waitForStore { try texts(in: store).count >= 20 }
        #expect(try texts(in: store) == (0..<20).map { "message \($0)" })
        _ = await server.end(with: SIGTERM)
    }

    private func texts(in store: SQLStore) throws -> [String] {
        try store.outbox.deliveries(state: .previewed, limit: 100).compactMap { $0.options["alert"]?.string }
            .sorted { $0.localizedStandardCompare($1) == .orderedAscending }
    }
}

/// `examples/poll-a-back-end/backend.py`, with the repository's own polled adapter pointed at it.
final class BackEnd: Sendable {
    private let process: ChildProcess
    private let port: Int
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    init() async throws {
        let output = Pipe()
        let script = Self.repository.appending(path: "examples/poll-a-back-end/backend.py").path
        process = try ChildProcess("python3", [script, "0"], output: output)
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        port = try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) })
    }

    deinit {
        process.send(SIGKILL)
    }

    /// The back end returns each message once: one that a poll received and has not sent is lost.
    func makeProject() throws -> TemporaryFolder {
        let timeout = "<socketTimeoutInMilliseconds>\(Duration.noLimitMilliseconds)</socketTimeoutInMilliseconds>"
        let folder = Self.repository.appending(path: "adapters/PolledPushAdapter")
        let project = try TemporaryFolder([".lamplighter/.keep": "", "lamplighter.yaml": "gracePeriod: 3600\n"])
        for name in ["PolledPushAdapter.xml", "PolledPushAdapter-impl.js"] {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
                .replacing("<port>18080</port>", with: "<port>\(port)</port>\(timeout)")
                .replacing("interval: 3", with: "interval: 0.2")
            try project.write(text, to: "adapters/PolledPushAdapter/\(name)")
        }
        return project
    }

    func post(_ number: Int) async throws {
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)/messages")))
        request.httpMethod = "POST"
        request.httpBody = Data(#"{"userId":"ann","text":"message \#(number)","badge":1,"payload":{}}"#.utf8)
        _ = try await URLSession.shared.data(for: request)
    }
}
