import Core

extension String {
    /// The text as it may be kept of what a phone sent: at most `bytes` bytes of UTF-8, and U+FFFD for every NUL character.
    ///
    /// A longer text is cut between two Unicode scalars and ends in `mark`, which counts among the bytes.
    func bounded(toBytes bytes: Int, mark: String = "…") -> String {
        let text = utf8.contains(0) ? String(map { $0 == "\0" ? "\u{FFFD}" : $0 }) : self
        guard text.utf8.count > bytes else { return text }
        return text.start(ofBytes: bytes - mark.utf8.count) + mark
    }

    /// As much of the text from its start as `bytes` bytes of UTF-8 hold, in whole Unicode scalars.
    func start(ofBytes bytes: Int) -> String {
        guard let end = utf8.index(startIndex, offsetBy: max(bytes, 0), limitedBy: utf8.endIndex) else { return self }
        // A slice that would begin or end inside a scalar begins or ends before it.
        return String(self[..<end])
    }
}
