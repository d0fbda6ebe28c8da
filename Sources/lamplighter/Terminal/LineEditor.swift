import Foundation

/// Reads lines from a terminal, with the keys that shells have, a history and completion.
struct LineEditor {
    enum Input: Equatable {
        case line(String)
        /// Ctrl-C.
        case abandoned
        /// Ctrl-D on an empty line, or the terminal has gone.
        case end
    }

    private var history: [String]

    init(history: [String]) {
        self.history = history
    }

    /// Whether somebody sits there.
    static var isPossible: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
            && ProcessInfo.processInfo.environment["TERM"].map { $0 != "dumb" } ?? false
    }

    /// Reads one line.
    ///
    /// - Parameter complete: the names with which what is before the cursor could go on.
    mutating func read(prompt: String, complete: (String) async -> [String]) async -> Input {
        let mode = RawMode()
        defer { mode.restore() }
        var line = EditedLine()
        // Where in the history it is, and what was typed before it went there.
        var position = history.count
        var typed = ""
        draw(prompt, line)
        while true {
            var keys = await Self.keys()
            guard let key = keys.popLast() else { return .end }
            for text in keys { line.take(text) }
            switch key {
            case .enter:
                finish(prompt, line)
                if !line.isEmpty, history.last != line.text { history.append(line.text) }
                return .line(line.text)
            case .control("c"):
                finish(prompt, line, "^C")
                return .abandoned
            case .control("d") where line.isEmpty:
                finish(prompt, line)
                return .end
            case .control("l"): write("\u{1B}[H\u{1B}[2J")
            case .up, .control("p"), .down, .control("n"):
                let next = position + (key == .up || key == .control("p") ? -1 : 1)
                guard (0...history.count).contains(next) else { continue }
                if position == history.count { typed = line.text }
                position = next
                line = EditedLine(next == history.count ? typed : history[next])
            case .tab:
                // Nobody reads the keys meanwhile: Ctrl-C ends the program if that takes too long.
                mode.take(signals: true)
                await goOn(&line, with: complete)
                mode.take(signals: false)
            default: line.take(key)
            }
            if !Self.isMoreThere { draw(prompt, line) }
        }
    }

    private func goOn(_ line: inout EditedLine, with names: (String) async -> [String]) async {
        let before = line.beforeCursor
        let candidates = await names(before)
        guard let first = candidates.first else { return }
        let common = candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        let word = before.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }.count
        if common.count > word {
            line.insert(String(common.dropFirst(word)))
        } else if candidates.count > 1 {
            write(
                "\r\n" + candidates.prefix(60).joined(separator: "  ") + (candidates.count > 60 ? "  …" : "") + "\r\n")
        }
    }

    // MARK: The terminal

    /// Draws the line anew; one that is longer than the terminal is shown around the cursor.
    private func draw(_ prompt: String, _ line: EditedLine) {
        let width = max(4, Self.width - prompt.columns - 1)
        // From the cursor outwards, so that a long line costs no more than what is shown of it.
        let before = line.characters[..<line.cursor].reversed().prefix(columns: width)
        let after = line.characters[line.cursor...].prefix(columns: width - before.columns)
        let shown = String(before.reversed() + after)
        let column = prompt.columns + before.columns
        write("\r\u{1B}[K\(prompt)\(shown)\r" + (column > 0 ? "\u{1B}[\(column)C" : ""))
    }

    private func finish(_ prompt: String, _ line: EditedLine, _ mark: String = "") {
        write("\r\u{1B}[K\(prompt)\(line.text)\(mark)\r\n")
    }

    /// The prompt is no result: it goes where remarks go.
    private func write(_ text: String) {
        _ = Output.write(text, to: STDERR_FILENO)
    }

    private static var width: Int {
        var size = winsize()
        return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    private static func byte() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = Foundation.read(STDIN_FILENO, &byte, 1)
            if count == 1 { return byte }
            if count < 0, errno == EAGAIN {
                // Another program has told the terminal not to wait.
                wait(-1)
            } else if count == 0 || errno != EINTR {
                return nil
            }
        }
    }

    /// - Returns: whether there is something to read.
    @discardableResult
    private static func wait(_ milliseconds: Int32) -> Bool {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&input, 1, milliseconds) > 0
    }

    /// Whether more has been typed already, or is being pasted.
    private static var isMoreThere: Bool { wait(0) }

    /// The most that is taken at once of what is pasted.
    private static let longestBatch = 4096

    /// Waits for a key on a thread that may wait. Characters that are there at once come at once, up to the first other key: what
    /// comes after that may be for somebody else.
    ///
    /// - Returns: none at the end.
    private static func keys() async -> [Key] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let reader = KeyReader(byte)
                var keys: [Key] = []
                while let key = reader.read() {
                    keys.append(key)
                    guard case .text = key, keys.count < longestBatch, isMoreThere else { break }
                }
                continuation.resume(returning: keys)
            }
        }
    }
}

extension EditedLine {
    /// Does what a key means for the line alone.
    mutating func take(_ key: Key) {
        switch key {
        case .text(let text): insert(text)
        case .backspace, .control("h"): deleteBackward()
        case .delete, .control("d"): deleteForward()
        case .left, .control("b"): move(by: -1)
        case .right, .control("f"): move(by: 1)
        case .home, .control("a"): moveToStart()
        case .end, .control("e"): moveToEnd()
        case .control("w"): deleteWordBackward()
        case .control("u"): deleteToStart()
        case .control("k"): deleteToEnd()
        default: break
        }
    }
}
