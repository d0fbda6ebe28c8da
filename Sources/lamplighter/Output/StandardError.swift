import Foundation
import Synchronization

/// Standard error, which log lines, remarks and the line of progress share: one line at a time, whole, from whichever thread.
enum StandardError {
    /// The text of the last line for now.
    private static let progress = Mutex<String?>(nil)
    /// Back to the line's beginning, and away with it.
    private static let wipe = "\r\u{1B}[K"

    /// Whether lines can be wiped there.
    static let isTerminal = Terminal.isCapable(STDERR_FILENO)

    /// Writes a line.
    static func write(_ line: String) {
        progress.withLock { progress in
            send(progress.map { wipe + line + "\n" + $0 } ?? line + "\n")
        }
    }

    /// Shows a line until there is another or none. Only for terminals.
    static func show(_ text: String?) {
        guard isTerminal else { return }
        progress.withLock { progress in
            guard progress != text else { return }
            send((progress == nil ? "" : wipe) + (text ?? ""))
            progress = text
        }
    }

    private static func send(_ text: String) {
        _ = Output.write(text, to: STDERR_FILENO)
    }
}
