/// Random texts that nobody can guess, from the system's own generator.
enum RandomText {
    private static let base64URL = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let lowerCase = Array("abcdefghijklmnopqrstuvwxyz012345".utf8)
    private static let hexadecimal = Array("0123456789abcdef".utf8)

    /// A session's id: 192 bits, in WebSphere's form, which begins with four zeros (wire-protocol 2).
    static func sessionID() -> String { "0000" + text(32, of: base64URL, bits: 6) }

    /// A `WL-Instance-Id`: 130 bits in 26 lower-case letters and digits, as real ones have (wire-protocol 3.1).
    static func instanceID() -> String { text(26, of: lowerCase, bits: 5) }

    /// The token of a device's challenge: 128 bits.
    static func deviceToken() -> String { text(32, of: hexadecimal, bits: 4) }

    /// The second part of `WL_PERSISTENT_COOKIE` after a login: 128 bits.
    static func installationKey() -> String { text(32, of: hexadecimal, bits: 4) }

    private static func text(_ length: Int, of alphabet: [UInt8], bits: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        var (pool, left): (UInt64, Int) = (0, 0)
        return String(unsafeUninitializedCapacity: length) { buffer in
            for index in 0..<length {
                if left < bits { (pool, left) = (generator.next(), 64) }
                buffer[index] = alphabet[Int(pool & (1 << UInt64(bits) - 1))]
                pool >>= UInt64(bits)
                left -= bits
            }
            return length
        }
    }
}
