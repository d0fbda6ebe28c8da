import Foundation

/// Base64 as browsers and push services write keys: the alphabet for URLs, without padding (RFC 4648, section 5).
public enum WebBase64 {
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Reads it with or without padding, and in the usual alphabet too, which some pages use.
    ///
    /// - Returns: nil when `text` is no Base64.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var digits = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while digits.last == UInt8(ascii: "=") { digits.removeLast() }
        while !digits.count.isMultiple(of: 4) { digits.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(digits)).map(Array.init)
    }
}
