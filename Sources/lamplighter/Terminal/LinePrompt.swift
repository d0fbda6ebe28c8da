import CLibEdit
import Core
import Foundation

/// Reads lines from a terminal with libedit: its editing keys, a history, and completion with Tab.
///
/// libedit is not thread-safe. The one task that owns a prompt awaits each line before it asks for the next, and the
/// callbacks run on the thread that reads the line, so one thread uses the members at a time: hence `@unchecked Sendable`.
final class LinePrompt: @unchecked Sendable {
    enum Input: Equatable {
        case line(String)
        /// Ctrl-C.
        case abandoned
        /// Ctrl-D on an empty line, or the terminal has gone.
        case end
    }

    /// Returns the names that complete the code before the cursor.
    typealias Completion = @Sendable (String) async -> [String]

    private static let mostCandidates = 60

    private let thread = ThreadPool(name: "terminal", threads: 1)
    private let history: OpaquePointer?
    private var editor: OpaquePointer?
    private var prompt = strdup("")
    private var complete: Completion = { _ in [] }
    private var isAbandoned = false

    /// - Parameter lines: the history, oldest line first.
    init(history lines: [String]) {
        // libedit decodes keys by the locale. Other encodings than UTF-8 are not supported.
        setlocale(LC_CTYPE, "")
        if String(cString: nl_langinfo(Int32(CODESET))) != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
        history = lamplighter_history_init(Int32(ReplHistory.mostLines))
        for line in lines { lamplighter_history_enter(history, line) }
        editor = lamplighter_el_init(Unmanaged.passUnretained(self).toOpaque(), { LinePrompt.of($0).prompt }, history)
        lamplighter_el_bind(editor, "^C", "lamplighter-abandon") { editor, _ in
            LinePrompt.of(editor).isAbandoned = true
            LinePrompt.write("^C\n")
            return UInt8(CC_NEWLINE)
        }
        lamplighter_el_bind(editor, "^I", "lamplighter-complete") { editor, _ in LinePrompt.of(editor).completeName() }
    }

    deinit {
        el_end(editor)
        history_end(history)
        free(prompt)
    }

    /// True if standard input and standard error are a terminal that libedit can edit on.
    static var isPossible: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
            && ProcessInfo.processInfo.environment["TERM"].map { $0 != "dumb" } ?? false
    }

    /// Reads one line, on a separate thread.
    func read(prompt text: String, complete: @escaping Completion) async -> Input {
        await thread.run {
            free(self.prompt)
            self.prompt = strdup(text)
            self.complete = complete
            return self.readLine()
        }
    }

    private func readLine() -> Input {
        isAbandoned = false
        // libedit would show the prompt first: a Ctrl-D typed just then would be lost.
        lamplighter_el_prepare_terminal(editor, 1)
        var count: Int32 = 0
        let line = el_gets(editor, &count).map { String(cString: $0) }
        if isAbandoned { return .abandoned }
        guard var line, count > 0 else {
            Self.write("\n")
            return .end
        }
        if line.last == "\n" { line.removeLast() }
        if !line.isEmpty { lamplighter_history_enter(history, line) }
        return .line(line)
    }

    /// Completes the name before the cursor with the common prefix of all candidates, or lists them.
    private func completeName() -> UInt8 {
        guard let line = el_line(editor)?.pointee, let start = line.buffer, let cursor = line.cursor else {
            return UInt8(CC_ERROR)
        }
        let before = String(
            decoding: UnsafeRawBufferPointer(start: start, count: cursor - start), as: UTF8.self)
        // The completion may take long: in the terminal's own mode Ctrl-C ends the program.
        lamplighter_el_prepare_terminal(editor, 0)
        let answer = Promise<[String]>()
        Task { [complete] in answer.fulfill(await complete(before)) }
        let candidates = answer.wait(until: nil) ?? []
        lamplighter_el_prepare_terminal(editor, 1)
        guard let first = candidates.first else { return UInt8(CC_NORM) }
        let common = candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        let word = before.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }.count
        if common.count > word {
            el_insertstr(editor, String(common.dropFirst(word)))
            return UInt8(CC_REFRESH)
        }
        guard candidates.count > 1 else { return UInt8(CC_NORM) }
        let more = candidates.count > Self.mostCandidates ? "  …" : ""
        Self.write("\n" + candidates.prefix(Self.mostCandidates).joined(separator: "  ") + more + "\n")
        return UInt8(CC_REDISPLAY)
    }

    private static func of(_ editor: OpaquePointer?) -> LinePrompt {
        Unmanaged<LinePrompt>.fromOpaque(lamplighter_el_data(editor)).takeUnretainedValue()
    }

    private static func write(_ text: String) {
        _ = Output.write(text, to: STDERR_FILENO)
    }
}
