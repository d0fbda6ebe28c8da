/// Which tests are meant.
public struct TestFilter: Sendable {
    private let text: String
    private let isPattern: Bool

    /// - Parameter text: a part of the names, in any case, or a regular expression between slashes.
    /// - Throws: when it is no regular expression.
    public init(_ text: String) throws {
        isPattern = text.count > 2 && text.hasPrefix("/") && text.hasSuffix("/")
        self.text = isPattern ? String(text.dropFirst().dropLast()) : text.lowercased()
        if isPattern { _ = try Regex(self.text) }
    }

    func fits(_ names: [String]) -> Bool {
        let name = names.joined(separator: " ")
        // Compiled anew each time, as a compiled one may not go from thread to thread.
        if isPattern, let pattern = try? Regex(text) { return name.contains(pattern) }
        return name.lowercased().contains(text)
    }
}
