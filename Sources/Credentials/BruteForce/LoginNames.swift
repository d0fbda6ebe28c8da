import Foundation

/// What counts as the same user or the same address.
enum LoginNames {
    /// Longer names share a count with those that begin alike.
    private static let longest = 256
    /// The number of a name's first scalars that are read.
    private static let mostRead = 4096

    /// Directories take many spellings of a name for the same one: letters' case, width and accents, spaces, invisible characters,
    /// and other ways to write a number.
    static func user(_ name: String, realm: String) -> String {
        let visible = self.visible(name.unicodeScalars.prefix(mostRead))
        // The mapping makes spaces of some characters, and marks of accents.
        var plain = self.visible(visible.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars)
        plain = numeral(plain) ?? plain
        return "\(realm.prefix(longest))\0\(plain)"
    }

    /// Returns one spelling for all spellings of a number; `nil` for other texts.
    private static func numeral(_ text: String) -> String? {
        guard let number = Double(text), number.isFinite else { return nil }
        // From here on several integers share a Double.
        guard number.magnitude >= 0x1p53 else { return number == 0 ? "0" : "\(number)" }
        return text.wholeMatch(of: /\+?0*([0-9]+)(?:\.0*)?/).map { String($0.1) }
    }

    private static func visible(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var result = String.UnicodeScalarView()
        var count = 0
        for scalar in scalars where count < longest {
            switch scalar.properties.generalCategory {
            case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .nonspacingMark: continue
            default:
                result.append(scalar)
                count += 1
            }
        }
        return String(result)
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
