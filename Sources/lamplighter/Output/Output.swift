import Foundation
import Synchronization

enum Output {
    /// Writes a string completely, however slowly it is read.
    ///
    /// The descriptor may be non-blocking: other programs on the terminal and event loops set that. This waits until there is room.
    ///
    /// - Returns: 0, or the number of the error that kept it from being written.
    static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&room, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
    }
}

/// Standard error, which log lines, remarks and the line of progress share: one line at a time, whole, from whichever thread.
enum StandardError {
    /// The contents of the last line for now.
    private static let progress = Mutex<String?>(nil)
    /// Back to the line's beginning, and away with it.
    private static let wipe = "\r\u{1B}[K"

    /// True if lines can be wiped on standard error.
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

/// Shows on a terminal, from the first second on, what the command waits for and for how long. The line is removed at the end.
///
/// Writes nothing to pipes and files, and nothing with `--json`.
///
/// - Parameter what: the activity, such as `calling PushAdapter/run`.
func withProgress<Result>(
    _ what: String, _ body: () async throws -> Result
) async rethrows -> Result {
    guard StandardError.isTerminal, !CommandOutput.isJSON else { return try await body() }
    let ticker = Task {
        var seconds = 0
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            seconds += 1
            StandardError.show("… \(what), \(elapsed(seconds))")
        }
        StandardError.show(nil)
    }
    do {
        let result = try await body()
        ticker.cancel()
        await ticker.value
        return result
    } catch {
        ticker.cancel()
        await ticker.value
        throw error
    }
}

/// `7 s`, `2 min 5 s`.
private func elapsed(_ seconds: Int) -> String {
    seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
}
