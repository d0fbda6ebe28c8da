public import Logging
import Synchronization

/// A line of a harness's log.
public struct HarnessLogLine: Sendable, Hashable, CustomStringConvertible {
    public let level: Logger.Level
    /// The adapter that the line concerns; `nil` when it concerns none.
    public let adapter: String?
    public let message: String

    public var description: String { "\(level) " + (adapter.map { "\($0): " } ?? "") + message }
}

/// A log handler that stores the lines of the runtime and the adapters.
struct HarnessLog: LogHandler {
    /// The stored lines, shared by all copies of a handler.
    final class Lines: Sendable {
        private let lines = Mutex<[HarnessLogLine]>([])

        var all: [HarnessLogLine] { lines.withLock { $0 } }

        func add(_ line: HarnessLogLine) { lines.withLock { $0.append(line) } }
    }

    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let adapter = event.metadata?["adapter"] ?? metadata["adapter"]
        let line = HarnessLogLine(
            level: event.level, adapter: adapter?.description, message: event.message.description)
        lines.add(line)
        HarnessRecorder.current?.note(line)
    }
}
