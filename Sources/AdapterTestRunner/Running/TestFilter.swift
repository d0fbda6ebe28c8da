/// A filter for the names of tests.
public struct TestFilter: Sendable {
    private let text: String
    private let isPattern: Bool
    /// The flags of a pattern.
    private let flags: String

    /// Creates a filter from a part of the names, in any case, or from a regular expression as in JavaScript: `/…/`, followed by any
    /// of the flags `i`, `m`, `s`, `g` and `u`.
    ///
    /// - Throws: an error of `Regex` when the regular expression is not valid.
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
        // A compiled pattern must not be used on several threads, so it is compiled for each test.
        if isPattern, let pattern = try? pattern() { return name.contains(pattern) }
        return name.lowercased().contains(text)
    }

    private func pattern() throws -> Regex<AnyRegexOutput> {
        try Regex(text).ignoresCase(flags.contains("i")).anchorsMatchLineEndings(flags.contains("m"))
            .dotMatchesNewlines(flags.contains("s"))
    }
}
