import Logging

/// Keeps what is logged.
struct LogRecorder: LogHandler {
    struct Line: Sendable, Hashable {
        let level: Logger.Level
        let message: String
        let eventSource: String?
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
            level: event.level,
            message: event.message.description,
            eventSource: event.metadata?["eventSource"]?.description
        )
        lines.update { $0.append(line) }
    }

    func messages(at level: Logger.Level) -> [String] {
        lines.value.filter { $0.level == level }.map(\.message)
    }
}
