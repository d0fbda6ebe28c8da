import Foundation

/// Base64 with the alphabet for URLs (RFC 4648, section 5).
package enum Base64URL {
    /// Encodes bytes, by default without padding.
    package static func encode(_ bytes: some Sequence<UInt8>, isPadded: Bool = false) -> String {
        let text = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        return isPadded ? text : text.replacing("=", with: "")
    }

    /// Decodes a string that has the right padding or none.
    ///
    /// - Parameter acceptsStandardAlphabet: whether `+` and `/` (section 4) are read, too.
    /// - Returns: nil when the string is not Base64 for URLs.
    package static func decode(_ text: some StringProtocol, acceptsStandardAlphabet: Bool = false) -> [UInt8]? {
        var digits = Array(text.utf8)
        let length = digits.count
        while digits.last == UInt8(ascii: "="), length - digits.count < 2 { digits.removeLast() }
        guard digits.count == length || length.isMultiple(of: 4), digits.count % 4 != 1 else { return nil }
        for (index, digit) in digits.enumerated() {
            switch digit {
            case UInt8(ascii: "-"): digits[index] = UInt8(ascii: "+")
            case UInt8(ascii: "_"): digits[index] = UInt8(ascii: "/")
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                break
            case UInt8(ascii: "+") where acceptsStandardAlphabet, UInt8(ascii: "/") where acceptsStandardAlphabet:
                break
            default: return nil
            }
        }
        while !digits.count.isMultiple(of: 4) { digits.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(digits)).map(Array.init)
    }
}
