import Foundation

/// Base64 with the alphabet for URLs (RFC 4648, section 5).
enum Base64URL {
    /// Without padding, as RFC 7515 wants it.
    static func encode(_ bytes: some DataProtocol) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// With or without padding: the clients of 7.1 pad (wire-protocol 8).
    ///
    /// - Returns: nil when the text is not Base64 for URLs.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
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
            default: return nil
            }
        }
        while !digits.count.isMultiple(of: 4) { digits.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(digits)).map(Array.init)
    }
}
