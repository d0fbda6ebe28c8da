/// Which tests are meant.
public struct TestFilter: Sendable {
    private let text: String
    private let isPattern: Bool
    /// The flags of a pattern.
    private let flags: String

    /// - Parameter text: a part of the names, in any case, or a regular expression as in JavaScript: `/…/`, with the flags `i`, `m`,
    ///   `s`, `g` and `u` behind it.
    /// - Throws: when it is not a regular expression.
    public init(_ text: String) throws {
        let match = text.wholeMatch(of: /\/(.+)\/([a-z]*)/.dotMatchesNewlines())
        if let match, match.2.allSatisfy({ "imsgu".contains($0) }), Set(match.2).count == match.2.count {
            (isPattern, self.text, flags) = (true, String(match.1), String(match.2))
            _ = try pattern()
        } else {
            (isPattern, self.text, flags) = (false, text.lowercased(), "")
        }
    }

    func fits(_ names: [String]) -> Bool {
        let name = names.joined(separator: " ")
        // Compiled anew each time, as a compiled one may not go from thread to thread.
        if isPattern, let pattern = try? pattern() { return name.contains(pattern) }
        return name.lowercased().contains(text)
    }

    private func pattern() throws -> Regex<AnyRegexOutput> {
        try Regex(text).ignoresCase(flags.contains("i")).anchorsMatchLineEndings(flags.contains("m"))
            .dotMatchesNewlines(flags.contains("s"))
    }
}
