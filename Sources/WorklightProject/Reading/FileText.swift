package import Foundation

/// The contents of a file in any of the encodings below.
///
/// A byte order mark decides first, then the declaration in the file (XML, HTML), then UTF-8. Bytes that are not UTF-8 are read
/// as Windows-1252, which has Latin-1's letters and the quotes and the euro sign that Windows editors save.
package struct FileText: Sendable {
    /// Without a byte order mark.
    package let text: String
    /// The encoding's name, such as `utf-8` or `utf-16le`.
    package let encoding: String
    /// True if the file begins with a byte order mark.
    package let hasByteOrderMark: Bool
    /// The line, counted from 1, of the first byte that is not in the encoding that the file should have. The contents are then decoded as
    /// Windows-1252, which is a guess. `nil` when the encoding is certain.
    package let guessedFromLine: Int?

    /// Reads a script, a test or properties: a file that does not declare its encoding.
    package init(plain data: Data) {
        self.init(Array(data), declared: nil)
    }

    /// Reads XML or HTML, which declare their encoding.
    package init(markup data: Data) {
        let bytes = Array(data)
        self.init(bytes, declared: Self.unmarkedUTF16(bytes) ?? Charset.declared(in: bytes))
    }

    private init(_ bytes: [UInt8], declared: String?) {
        let mark = Charset.byteOrderMark(bytes)
        let name = mark ?? declared ?? "utf-8"
        hasByteOrderMark = mark != nil
        if let text = Charset.decodeStrictly(bytes, as: name) {
            self.text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
            encoding = name
            guessedFromLine = nil
        } else {
            encoding = Self.fallback
            text = Charset.decode(bytes, as: Self.fallback)
            guessedFromLine = Self.firstBadLine(bytes)
        }
    }

    private static let fallback = "windows-1252"

    /// Encodes another string as this file is encoded, with its byte order mark.
    package func data(of text: String) -> Data {
        Data(Charset.encode((hasByteOrderMark ? "\u{FEFF}" : "") + text, as: encoding))
    }

    /// Detects UTF-16 without a byte order mark by the two bytes of the first `<` (XML 1.0, appendix F).
    private static func unmarkedUTF16(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x3C, 0]) { return "utf-16le" }
        if bytes.starts(with: [0, 0x3C]) { return "utf-16be" }
        return nil
    }

    /// The line at which the bytes stop being UTF-8; the first one when they never do.
    private static func firstBadLine(_ bytes: [UInt8]) -> Int {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var line = 1
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue("\n"): line += 1
            case .scalarValue: continue
            case .error: return line
            case .emptyInput: return 1
            }
        }
    }
}
