import CJavaScriptCore

/// A script that the engine would not run, and where.
public struct ScriptSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    public let location: ScriptLocation
    public let message: String

    public var description: String { "\(location): \(message)" }
}

extension ScriptContext {
    /// Reads a script without running it.
    ///
    /// - Throws: ``ScriptSyntaxError`` with file, line and column, also for a script that uses `async`: see the type's
    ///   comment.
    public func check(_ source: String, file: String) throws(ScriptSyntaxError) {
        if let problem = problem(in: source, file: file) {
            throw ScriptSyntaxError(
                location: ScriptLocation(
                    file: file, line: problem.line, column: column(of: problem, in: source, file: file)),
                message: "SyntaxError: \(problem.message)")
        }
        if let offset = offsetOfAsync(in: source, file: file) {
            throw ScriptSyntaxError(
                location: ScriptLocation(file: file, in: source, offset: offset),
                message:
                    "async functions are not available: Worklight's engine had none, and an endless chain of promises "
                    + "could not be stopped; write an ordinary function, the WL calls in it wait by themselves")
        }
    }

    private struct Problem: Equatable {
        let line: Int
        let message: String
    }

    private func problem(in source: some StringProtocol, file: String) -> Problem? {
        let text = JSText.make(String(source))
        let url = JSText.make(file)
        defer {
            JSStringRelease(text)
            JSStringRelease(url)
        }
        var thrown: JSValueRef?
        guard !JSCheckScriptSyntax(reference, text, url, 1, &thrown), let thrown else { return nil }
        let exception = ScriptError(thrown: thrown, in: reference)
        let line = (try? ScriptValue(thrown, in: self).get("line").number).flatMap { Int(exactly: $0) }
        return Problem(line: line ?? 1, message: exception.message)
    }

    /// Finds the column of a syntax error, since the engine reports only the line. A script that is cut before the wrong word has
    /// another error or none, so the shortest prefix with the same error ends just after that word.
    private func column(of problem: Problem, in source: String, file: String) -> Int? {
        // A CR LF is one character to Swift.
        let lines = source.split(omittingEmptySubsequences: false) { Self.lineEnds.contains($0) }
        guard problem.line >= 1, problem.line <= lines.count, lines.count <= 100_000 else { return nil }
        let line = lines[problem.line - 1]
        guard line.count <= 2000 else { return nil }
        let isWord = { (character: Character) in
            character.isLetter || character.isNumber || character == "_" || character == "$"
        }
        var index = line.startIndex
        while index < line.endIndex {
            let start = index
            index = line.index(after: index)
            if isWord(line[start]) {
                while index < line.endIndex, isWord(line[index]) { index = line.index(after: index) }
            }
            guard !line[start].isWhitespace else { continue }
            if self.problem(in: source[..<index], file: file) == problem {
                return line.utf16.distance(from: line.startIndex, to: start) + 1
            }
        }
        // It is the end of the script that comes as a surprise.
        return line.utf16.count + 1
    }

    /// The characters that end a line in JavaScript.
    private static let lineEnds: Set<Character> = ["\n", "\r\n", "\r", "\u{2028}", "\u{2029}"]

    /// Returns the position of `async` as a keyword, in UTF-8 from the start; `nil` when there is none.
    ///
    /// A keyword cannot be replaced by another name without a syntax error; a name, or a word in a string or comment, can. So the
    /// engine's parser distinguishes them.
    private func offsetOfAsync(in source: String, file: String) -> Int? {
        let occurrences = source.ranges(of: "async")
        guard !occurrences.isEmpty else { return nil }
        let substitute = "async__"
        guard problem(in: source.replacing("async", with: substitute), file: file) != nil else { return nil }
        for range in occurrences {
            var changed = source
            changed.replaceSubrange(range, with: substitute)
            if problem(in: changed, file: file) != nil {
                return source.utf8.distance(from: source.startIndex, to: range.lowerBound)
            }
        }
        // Names that belong together were torn apart one by one, and are whole when all are replaced or none: then the
        // first problem came from one that is a keyword only in company. The first occurrence is the best approximation.
        return occurrences.first.map { source.utf8.distance(from: source.startIndex, to: $0.lowerBound) }
    }
}

extension ScriptLocation {
    /// Makes the position `offset` bytes of UTF-8 into a source.
    init(file: String, in source: String, offset: Int) {
        let before = source.utf8.prefix(offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { before.index(after: $0) } ?? before.startIndex
        self.init(file: file, line: line, column: source[lineStart..<before.endIndex].count + 1)
    }
}
