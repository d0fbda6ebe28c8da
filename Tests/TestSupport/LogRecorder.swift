public import Logging

/// A log handler that stores the lines.
public struct LogRecorder: LogHandler {
    public struct Line: Sendable, Hashable {
        public let level: Logger.Level
        public let message: String
        public let metadata: [String: String]

        public init(level: Logger.Level, message: String, metadata: [String: String]) {
            self.level = level
            self.message = message
            self.metadata = metadata
        }
    }

    public let lines = AwaitableValue<[Line]>([])

    public var metadata: Logger.Metadata = [:]
    public var logLevel: Logger.Level

    public init(level: Logger.Level = .trace) {
        logLevel = level
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        let line = Line(
            level: event.level, message: event.message.description,
            metadata: metadata.merging(event.metadata ?? [:]) { $1 }.mapValues(\.description))
        lines.update { $0.append(line) }
    }

    public var logger: Logger { Logger(label: "test") { _ in self } }

    /// The lines as `level: message`.
    public var texts: [String] { lines.value.map { "\($0.level): \($0.message)" } }

    /// All lines with their metadata, in one string.
    public var text: String {
        lines.value.map { "\($0.level): \($0.message) \($0.metadata)" }.joined(separator: "\n")
    }

    public func messages(at level: Logger.Level) -> [String] {
        lines.value.filter { $0.level == level }.map(\.message)
    }
}
