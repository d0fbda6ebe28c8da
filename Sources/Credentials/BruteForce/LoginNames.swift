import Foundation

/// What counts as the same user or the same address.
enum LoginNames {
    /// Longer names share a count with those that begin alike.
    private static let longest = 256

    /// Directories take many spellings of a name for the same one: letters' case and width, spaces, invisible
    /// characters.
    static func user(_ name: String, realm: String) -> String {
        let plain = name.prefix(longest).precomposedStringWithCompatibilityMapping.lowercased()
        var key = realm.prefix(longest) + "\0"
        for scalar in plain.unicodeScalars.prefix(longest) {
            switch scalar.properties.generalCategory {
            case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format: continue
            default: key.unicodeScalars.append(scalar)
            }
        }
        return String(key)
    }

    /// One machine has 2^64 addresses of IPv6.
    static func address(_ text: String) -> String {
        let bare = text.prefix { $0 != "%" }.trimmingCharacters(in: ["[", "]"])
        var bytes = [UInt8](repeating: 0, count: 16)
        guard bare.contains(":"), inet_pton(AF_INET6, bare, &bytes) == 1 else { return String(text.prefix(longest)) }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        if bytes.starts(with: mapped) { return bytes[12...].map(String.init).joined(separator: ".") }
        return bytes[..<8].map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
    }
}
