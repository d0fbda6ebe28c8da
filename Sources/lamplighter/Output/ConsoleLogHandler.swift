import Foundation
import Gateway
import Logging
import PushModel

/// Writes the log to standard error, a line to an event: time, level, adapter, message, and what else is known; and into a
/// server's ``LogBook``, where there is one.
///
///     2026-11-21T07:12:13.123Z info    PushAdapter: submitNotification >> bjones
struct ConsoleLogHandler: LogHandler {
    private static let hasColours = Terminal.hasColours(STDERR_FILENO)

    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    private let book: LogBook?

    init(level: Logger.Level, book: LogBook? = nil) {
        logLevel = level
        self.book = book
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var fields = metadata.merging(event.metadata ?? [:]) { $1 }
        let adapter = fields.removeValue(forKey: "adapter")
        let line = LogLine(
            time: Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)), level: event.level,
            adapter: adapter.map { "\($0)" }, message: "\(event.message)", metadata: fields.mapValues { "\($0)" })
        book?.append(line)
        if Console.isJSON {
            StandardError.write(line.json.text)
        } else {
            let colour = Self.hasColours ? Terminal.Colour(event.level) : nil
            StandardError.write(line.text { colour?.paint($0) ?? $0 })
        }
    }
}
