package import Logging
import Synchronization

/// Limits how often the log repeats a message: one line a minute per message; the next line says how many were left out.
/// A flood of requests or failures would fill the log otherwise.
package final class LogLimiter: Sendable {
    private struct Line {
        let loggedAt: Duration
        /// When the next line may come; `nil` for never.
        let next: Duration?
        var leftOut = 0
    }

    /// The number of messages that are told apart; those beyond count as one message.
    private static let capacity = 1000

    private let logger: Logger
    private let time: any TimeSource
    private let lines = Mutex<[String: Line]>([:])

    /// - Parameter logger: where lines go unless a call names another logger.
    package init(logger: Logger, time: any TimeSource) {
        (self.logger, self.time) = (logger, time)
    }

    /// Logs a message, unless it was logged within the interval.
    ///
    /// - Parameters:
    ///   - key: says which messages are the same; of a longer key, 200 characters count.
    ///   - others: the level of the lines that would be left out; `nil` to leave them out.
    ///   - interval: a minute; longer for a state that lasts for days; `nil` for one line in all.
    package func log(
        _ key: String, at level: Logger.Level, others: Logger.Level? = nil, every interval: Duration? = .seconds(60),
        to logger: Logger? = nil, metadata: Logger.Metadata? = nil, _ message: @autoclosure () -> String
    ) {
        let logger = logger ?? self.logger
        if let end = endOfLine(String(key.prefix(200)), every: interval) {
            logger.log(level: level, "\(message())\(end)", metadata: metadata)
        } else if let others {
            logger.log(level: others, "\(message())", metadata: metadata)
        }
    }

    /// Logs a warning about something that does not change, such as a script: one line in all.
    package func warnOnce(
        _ key: String, to logger: Logger? = nil, metadata: Logger.Metadata? = nil,
        _ message: @autoclosure () -> String
    ) {
        log(key, at: .warning, every: nil, to: logger, metadata: metadata, message())
    }

    /// - Returns: what to add to the message; `nil` when its line is left out.
    private func endOfLine(_ key: String, every interval: Duration?) -> String? {
        let now = time.uptime
        return lines.withLock { lines in
            var key = key
            if lines[key] == nil, lines.count >= Self.capacity {
                lines = lines.filter { _, line in line.next.map { now < $0 } ?? true }
                if lines.count >= Self.capacity { key = "" }
            }
            let last = lines[key]
            if let last, last.next.map({ now < $0 }) ?? true {
                lines[key]?.leftOut += 1
                return nil
            }
            lines[key] = Line(loggedAt: now, next: interval.map { now + $0 })
            guard let last, last.leftOut > 0 else { return "" }
            return "; \(last.leftOut) more like it in the last \((now - last.loggedAt).components.seconds) s"
        }
    }
}
