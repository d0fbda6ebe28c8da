/// Escapes strings for distinguished names and filters, so that they stay one value.
enum LDAPEscaping {
    /// A value in a distinguished name (RFC 4514, 2.4).
    static func distinguishedNameValue(_ text: String) -> String {
        var result = ""
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let isEdge = index == 0 || index == scalars.count - 1
            switch scalar {
            case "\0": result += "\\00"
            case ",", "+", "\"", "\\", "<", ">", ";", "=": result += "\\\(scalar)"
            case "#" where index == 0: result += "\\#"
            case " " where isEdge: result += "\\ "
            default:
                // Control characters are allowed as they are, but not every server agrees.
                if scalar.value < 0x20 || scalar.value == 0x7F {
                    result += hexadecimal(UInt8(scalar.value))
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }

    /// A value in a filter (RFC 4515, 3).
    static func filterValue(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\0", "*", "(", ")", "\\": result += hexadecimal(UInt8(scalar.value))
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 0x10 ? "\\0" : "\\") + String(byte, radix: 16)
    }
}
