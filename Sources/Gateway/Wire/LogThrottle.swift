import Logging
import PushModel
import Synchronization

/// Logs what any client can cause: of each kind at most one line per interval, with the number of lines left out before it.
/// A flood of refused requests would fill the log otherwise.
final class LogThrottle: Sendable {
    /// Kinds of lines, each with an interval of its own.
    enum Kind: Sendable, Hashable {
        case guestData
        case unreadableClientLog
        case damagedClientLog
        case crossSiteLogin
        case deviceContext
        case phoneGateway
        case subscriptionOptions
    }

    private struct Line {
        var loggedAt: Duration
        var leftOut = 0
    }

    static let interval = Duration.seconds(60)

    private let logger: Logger
    private let time: any TimeSource
    private let lines = Mutex<[Kind: Line]>([:])

    init(logger: Logger, time: any TimeSource) {
        self.logger = logger
        self.time = time
    }

    /// Logs a line unless one of its kind was logged within the last ``interval``.
    ///
    /// - Parameter address: the client's address, for the line's metadata.
    func log(_ kind: Kind, at level: Logger.Level, address: String, _ message: @autoclosure () -> String) {
        let now = time.uptime
        let before: (isLogged: Bool, line: Line?) = lines.withLock { lines in
            let line = lines[kind]
            if let line, now - line.loggedAt < Self.interval {
                lines[kind]?.leftOut += 1
                return (false, line)
            }
            lines[kind] = Line(loggedAt: now)
            return (true, line)
        }
        guard before.isLogged else { return }
        let others = before.line.map { line in
            line.leftOut > 0
                ? "; \(line.leftOut) more like it in the last \((now - line.loggedAt).components.seconds) s" : ""
        }
        logger.log(level: level, "\(message())\(others ?? "")", metadata: ["address": "\(address)"])
    }
}
