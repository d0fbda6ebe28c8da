package import Logging
import Synchronization

/// Limits how often the log repeats a message: one line a minute per message; the next line says how many were left out.
/// A flood of requests or failures would fill the log otherwise.
package final class LogLimiter: Sendable {
    private struct Line {
        let loggedAt: Duration
        /// The earliest time of the next line; `nil` for never.
        let next: Duration?
        var leftOut = 0
        /// The number of messages since the first, or since the last recovery.
        var total = 1
    }

    /// The number of messages that were left out since the previous line, and that line's age.
    private struct SuppressedLines {
        var leftOut = 0
        var seconds: Int64 = 0
    }

    /// The number of messages that are counted separately; those beyond count as one message.
    private static let capacity = 1000

    /// Counts the limits that are reached, and what else guards do.
    package let guards: GuardCounters
    private let logger: Logger
    private let time: any TimeSource
    private let lines = Mutex<[String: Line]>([:])

    /// - Parameter logger: where lines go unless a call names another logger.
    package init(logger: Logger, time: any TimeSource, guards: GuardCounters = .none) {
        (self.logger, self.time, self.guards) = (logger, time, guards)
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
        if let earlier = earlier(String(key.prefix(200)), every: interval) {
            let end = earlier.leftOut > 0 ? "; \(earlier.leftOut) more like it in the last \(earlier.seconds) s" : ""
            logger.log(level: level, "\(message())\(end)", metadata: metadata)
        } else if let others {
            logger.log(level: others, "\(message())", metadata: metadata)
        }
    }

    /// Logs at notice that something works again, if ``log(_:at:others:every:to:metadata:_:)`` has logged a failure of it. The next
    /// failure is logged at once.
    ///
    /// - Parameters:
    ///   - key: the key of the failures.
    ///   - message: gets the number of failures.
    package func recovered(
        _ key: String, to logger: Logger? = nil, metadata: Logger.Metadata? = nil, _ message: (Int) -> String
    ) {
        guard let line = lines.withLock({ $0.removeValue(forKey: String(key.prefix(200))) }) else { return }
        (logger ?? self.logger).notice("\(message(line.total))", metadata: metadata)
    }

    /// Logs that a limit has turned a client away or has ended something: one line a minute for each limit, with the limit's
    /// name, the number of times since the line before, and the address of the last client. ``guards`` counts each time.
    ///
    /// - Parameters:
    ///   - limit: the setting's name, or else what is limited.
    ///   - address: `nil` leaves it out.
    ///   - effect: what was done, such as `ended a session`.
    package func reached(
        _ limit: String, by address: String?, at level: Logger.Level = .warning, _ effect: @autoclosure () -> String
    ) {
        guards.acted(limit)
        guard let earlier = earlier("limit \(limit)", every: .seconds(60)) else { return }
        let times = earlier.leftOut == 0 ? "1 time" : "\(earlier.leftOut + 1) times in \(earlier.seconds) s"
        logger.log(
            level: level,
            "\(effect()): the limit '\(limit)' is reached (\(times)\(address.map { ", last by \($0)" } ?? ""))")
    }

    /// Logs a warning about something that does not change, such as a script: one line in all.
    package func warnOnce(
        _ key: String, to logger: Logger? = nil, metadata: Logger.Metadata? = nil,
        _ message: @autoclosure () -> String
    ) {
        log(key, at: .warning, every: nil, to: logger, metadata: metadata, message())
    }

    /// - Returns: `nil` when the message is left out.
    private func earlier(_ key: String, every interval: Duration?) -> SuppressedLines? {
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
                lines[key]?.total += 1
                return nil
            }
            lines[key] = Line(loggedAt: now, next: interval.map { now + $0 }, total: (last?.total ?? 0) + 1)
            guard let last, last.leftOut > 0 else { return SuppressedLines() }
            return SuppressedLines(leftOut: last.leftOut, seconds: (now - last.loggedAt).components.seconds)
        }
    }
}
