/// A hash of a password: bcrypt as `htpasswd -B` writes it (`$2a$`, `$2b$`, `$2y$`) or argon2id in PHC form
/// (`$argon2id$v=19$m=65536,t=3,p=1$salt$hash`).
///
/// bcrypt uses the first 72 bytes of a password only.
public struct PasswordHash: Sendable, Hashable {
    enum Scheme: Sendable, Hashable {
        case bcrypt(cost: Int)
        /// - Parameter memory: in KiB.
        case argon2id(memory: Int, passes: Int, lanes: Int)
    }

    /// The error for a string that is not an accepted hash.
    public struct PasswordHashError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The problem and the remedy, without any part of the string.
        public let description: String
    }

    let scheme: Scheme
    /// The hash as it is stored.
    public let text: String

    /// - Throws: for plain text, for weak or unknown hashes, and for those that would take minutes or gigabytes.
    public init(_ text: String) throws(PasswordHashError) {
        guard text.utf8.count <= 512, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Self.refusal("this is plain text")
        }
        if text.hasPrefix("$2a$") || text.hasPrefix("$2b$") || text.hasPrefix("$2y$") {
            scheme = try Self.bcrypt(text)
        } else if text.hasPrefix("$argon2id$") {
            scheme = try Self.argon2id(text)
        } else {
            throw Self.refusal(Self.kind(of: text))
        }
        self.text = text
    }

    /// Returns true if the string looks like one of the supported hashes, valid or not.
    static func isMeant(by text: String) -> Bool {
        ["$2a$", "$2b$", "$2y$", "$argon2"].contains { text.hasPrefix($0) }
    }
}

extension PasswordHash {
    private static let advice = """
        write a bcrypt hash with 'htpasswd -B -C 12 FILE NAME', or an argon2id hash with \
        'argon2 SALT -id -e -t 3 -m 16 -p 1'
        """

    private static func refusal(_ what: String) -> PasswordHashError {
        PasswordHashError(description: "\(what), which the server does not accept; \(advice)")
    }

    private static func kind(of text: String) -> String {
        let known = [
            ("$apr1$", "an MD5 hash"), ("$1$", "an MD5 hash"), ("{SHA}", "a SHA1 hash"), ("{SSHA}", "a SHA1 hash"),
            ("$5$", "a SHA-256 crypt hash"), ("$6$", "a SHA-512 crypt hash"), ("$y$", "a yescrypt hash"),
            ("$2x$", "a hash of the faulty bcrypt"), ("$argon2i$", "an argon2i hash"), ("$argon2d$", "an argon2d hash"),
        ]
        if let name = known.first(where: { text.hasPrefix($0.0) })?.1 { return "this is \(name)" }
        return text.hasPrefix("$") ? "this is a hash of an unknown kind" : "this is plain text or an old crypt hash"
    }

    private static func bcrypt(_ text: String) throws(PasswordHashError) -> Scheme {
        let bytes = Array(text.utf8)
        let isBase64 = bytes.dropFirst(7).allSatisfy { isLetterOrDigit($0) || "./".utf8.contains($0) }
        guard bytes.count == 60, bytes[6] == UInt8(ascii: "$"), isBase64,
            let cost = Int(String(decoding: bytes[4..<6], as: UTF8.self))
        else { throw PasswordHashError(description: "the bcrypt hash is cut off or has wrong characters; \(advice)") }
        guard (4...16).contains(cost) else {
            throw PasswordHashError(
                description: "the bcrypt hash has the cost \(cost), expected 4 to 16 (10 to 12 are usual)")
        }
        return .bcrypt(cost: cost)
    }

    private static func argon2id(_ text: String) throws(PasswordHashError) -> Scheme {
        let malformed = PasswordHashError(
            description: "the argon2id hash is malformed, expected $argon2id$v=19$m=65536,t=3,p=1$SALT$HASH; \(advice)")
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[2] == "v=19", isBase64(parts[4], atLeast: 11), isBase64(parts[5], atLeast: 22)
        else { throw malformed }
        let settings = parts[3].split(separator: ",", omittingEmptySubsequences: false)
        guard settings.count == 3, let memory = number(settings[0], "m="), let passes = number(settings[1], "t="),
            let lanes = number(settings[2], "p=")
        else { throw malformed }
        guard (1...16).contains(lanes), (8 * lanes...1 << 20).contains(memory), (1...64).contains(passes) else {
            throw PasswordHashError(
                description: """
                    the argon2id hash has m=\(memory),t=\(passes),p=\(lanes), expected at most m=1048576 (1 GiB), t=64 \
                    and p=16, and m at least eight times p
                    """)
        }
        return .argon2id(memory: memory, passes: passes, lanes: lanes)
    }

    private static func number(_ text: Substring, _ prefix: String) -> Int? {
        guard text.hasPrefix(prefix), text.utf8.dropFirst(2).allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text.dropFirst(2))
    }

    private static func isBase64(_ text: Substring, atLeast count: Int) -> Bool {
        text.utf8.count >= count && text.utf8.allSatisfy { isLetterOrDigit($0) || "+/".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
