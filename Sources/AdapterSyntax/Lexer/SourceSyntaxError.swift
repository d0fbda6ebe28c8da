/// The reason why a script could not be read or translated: the position, the code found and expected, and the remedy.
public struct SourceSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    public let file: String
    public let position: SourcePosition
    /// The range that the problem is about.
    public let range: SourceRange
    /// The message, without the position.
    public let message: String

    init(_ message: String, at range: SourceRange, in source: SourceText) {
        file = source.file
        position = source.position(at: range.start)
        self.range = range
        self.message = message
    }

    /// `file:line:column: message`.
    public var description: String { "\(file):\(position): \(message)" }
}

/// A problem as the lexer and the parser throw it: the line and column are computed once, at the end.
struct ParserError: Error {
    let range: SourceRange
    let message: String

    init(_ message: String, at range: SourceRange) {
        self.range = range
        self.message = message
    }

    init(_ message: String, at offset: Int) {
        self.init(message, at: SourceRange(offset, offset))
    }
}
