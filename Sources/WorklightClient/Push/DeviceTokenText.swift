import Foundation

/// Device tokens in the forms in which applications have them.
enum DeviceTokenText {
    /// What is wrong with such a text.
    struct DeviceTokenTextError: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    /// The token in what `deviceToken.description` of an `NSData` is: `<aabbccdd …>`; in what it is as of iOS 13, as
    /// long as that is whole; or in a text that is the token itself.
    ///
    /// - Throws: ``DeviceTokenTextError``.
    static func token(in text: String) throws(DeviceTokenTextError) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if trimmed.hasPrefix("{"), let start = trimmed.range(of: "bytes = 0x") {
            let digits = trimmed[start.upperBound...].filter { $0 != " " && $0 != "}" }
            if !digits.isEmpty, digits.allSatisfy(\.isHexDigit) { return String(digits) }
            throw DeviceTokenTextError(
                description:
                    "'\(trimmed)' is a cut-off description: as of iOS 13 "
                    + "give the token's Data itself to setTokenFromClient"
            )
        }
        if trimmed.hasSuffix(" bytes"), trimmed.dropLast(6).allSatisfy(\.isNumber) {
            throw DeviceTokenTextError(
                description:
                    "'\(trimmed)' is the description of a Swift Data, which has no token in it: "
                    + "give the Data itself to setTokenFromClient, or (deviceToken as NSData).description"
            )
        }
        let token = trimmed.filter { !"<> ".contains($0) }
        guard !token.isEmpty else { throw DeviceTokenTextError(description: "the device token is empty") }
        return token
    }

    static func token(_ data: Data) -> String {
        data.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
    }
}
