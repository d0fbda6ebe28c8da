/// The reason why a value about clients cannot be kept: its wrong part, the expected content, and the content found.
///
/// Never quotes the value itself: it may be private, or long.
public struct ClientValueError: Error, Hashable, CustomStringConvertible {
    /// The part, for example `message`.
    public let field: String
    /// The expected value; names the limit if there is one, for example "at most 8192 bytes of UTF-8".
    public let expected: String
    /// A description of the actual value, for example "9000 bytes".
    public let found: String

    public init(field: String, expected: String, found: String) {
        self.field = field
        self.expected = expected
        self.found = found
    }

    public var description: String { "\(field): expected \(expected), found \(found)" }
}

/// Checks of the fields of a value; each returns the field if it is valid.
enum ClientField {
    /// The longest name that is kept, of an application, a version, a device and the like, in bytes of UTF-8.
    static let nameBytes = 256

    /// Returns a string of 1 to `bytes` bytes of UTF-8 without a NUL character, which the store cannot hold.
    static func text(_ text: String, _ field: String, bytes: Int = nameBytes) throws(ClientValueError) -> String {
        let expected = "1 to \(bytes) bytes of UTF-8 without a NUL character"
        guard (1...bytes).contains(text.utf8.count) else {
            throw ClientValueError(field: field, expected: expected, found: "\(text.utf8.count) bytes")
        }
        guard !text.utf8.contains(0) else {
            throw ClientValueError(field: field, expected: expected, found: "a NUL character")
        }
        return text
    }

    /// Returns the string as the check for names does, but also accepts the empty string.
    static func possiblyEmptyText(
        _ text: String, _ field: String, bytes: Int = nameBytes
    ) throws(ClientValueError) -> String {
        text.isEmpty ? text : try self.text(text, field, bytes: bytes)
    }

    /// Data of 1 to `bytes` bytes.
    static func data<Bytes: Collection<UInt8>>(
        _ data: Bytes, _ field: String, bytes: Int
    ) throws(ClientValueError) -> Bytes {
        guard (1...bytes).contains(data.count) else {
            throw ClientValueError(field: field, expected: "1 to \(bytes) bytes", found: "\(data.count) bytes")
        }
        return data
    }
}
