import Logging
import TestSupport

/// Keeps what is logged.
struct LogRecorder: LogHandler {
    struct Line: Sendable, Hashable {
        let level: Logger.Level
        let message: String
        let metadata: [String: String]
    }

    let lines = Watched<[Line]>([])

    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let line = Line(
            level: event.level, message: event.message.description,
            metadata: (event.metadata ?? [:]).mapValues(\.description))
        lines.update { $0.append(line) }
    }

    var logger: Logger { Logger(label: "test") { _ in self } }

    /// Returns once the worker has said so many times that the store failed; it pauses from before it says so.
    func waitForStoreFailures(_ count: Int) async throws {
        try await lines.wait { lines in lines.count { $0.message.hasPrefix("the outbox failed") } >= count }
    }

    func messages(at level: Logger.Level) -> [String] {
        lines.value.filter { $0.level == level }.map(\.message)
    }
}
