import Foundation

/// Reads device tokens in the forms that applications pass.
enum DeviceTokenText {
    /// An error in a string that should hold a device token.
    struct DeviceTokenTextError: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    /// Returns the token in one of these strings: `deviceToken.description` of an `NSData` (`<aabbccdd …>`); the same as of iOS 13, unless
    /// the description is truncated; the token itself.
    ///
    /// - Throws: ``DeviceTokenTextError``.
    static func token(in text: String) throws(DeviceTokenTextError) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if trimmed.hasPrefix("{"), let start = trimmed.range(of: "bytes = 0x") {
            let digits = trimmed[start.upperBound...].filter { $0 != " " && $0 != "}" }
            if !digits.isEmpty, digits.allSatisfy(\.isHexDigit) { return String(digits) }
            throw DeviceTokenTextError(
                description:
                    "'\(trimmed)' is a truncated description: as of iOS 13 "
                    + "pass the token's Data itself to setTokenFromClient"
            )
        }
        if trimmed.hasSuffix(" bytes"), trimmed.dropLast(6).allSatisfy(\.isNumber) {
            throw DeviceTokenTextError(
                description:
                    "'\(trimmed)' is the description of a Swift Data, which does not contain the token: "
                    + "pass the Data itself to setTokenFromClient, or (deviceToken as NSData).description"
            )
        }
        let token = trimmed.filter { !"<> ".contains($0) }
        guard !token.isEmpty else { throw DeviceTokenTextError(description: "the device token is empty") }
        return token
    }

    /// Returns the hexadecimal digits of a token.
    static func token(_ data: Data) -> String {
        data.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
    }
}
