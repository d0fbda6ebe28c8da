import Foundation
import Logging
import Synchronization

/// Writes the log to standard error, a line to an event: time, level, adapter, message, and what else is known.
///
///     2026-11-21T07:12:13.123Z info    PushAdapter: submitNotification >> bjones
struct ConsoleLogHandler: LogHandler {
    /// One line at a time, whole, from whichever thread.
    private static let output = Mutex(FileHandle.standardError)

    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    init(level: Logger.Level) {
        logLevel = level
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var fields = metadata.merging(event.metadata ?? [:]) { $1 }
        let time = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let level = event.level.rawValue.padding(toLength: 7, withPad: " ", startingAt: 0)
        var line = "\(time) \(level) "
        if let adapter = fields.removeValue(forKey: "adapter") { line += "\(adapter): " }
        line += "\(event.message)"
        for (key, value) in fields.sorted(by: { $0.key < $1.key }) { line += " \(key)=\(value)" }
        line += "\n"
        let text = Data(line.utf8)
        Self.output.withLock { try? $0.write(contentsOf: text) }
    }
}
