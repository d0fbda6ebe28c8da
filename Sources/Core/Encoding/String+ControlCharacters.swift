extension String {
    /// True if the string has a control character. In a name it would forge lines in logs, and not every store keeps it.
    package var hasControlCharacters: Bool { unicodeScalars.contains(where: \.isControl) }
}

extension Unicode.Scalar {
    /// True if the character is a control character (C0, DEL, C1) or one of Unicode's line ends.
    package var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension String {
    /// The string, escaped for XML both between tags and between quotes.
    ///
    /// Line ends and tabs would turn into blanks between quotes, so they are written as references. A character that XML 1.0 cannot hold becomes
    /// U+FFFD.
    package var escapedForXML: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&apos;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension String {
    /// The string in a form for a terminal: control characters, with which a script could colour, wipe or rename the output, are written as `\u001b`;
    /// line ends and tabs stay.
    package var printable: String {
        guard unicodeScalars.contains(where: \.isSpeltOut) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.isSpeltOut {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension String {
    /// ``printable`` on one line: line ends and tabs are blanks.
    package var printableLine: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isLineEndOrTab ? " " : $0 })).printable
    }
}

extension Unicode.Scalar {
    fileprivate var isLineEndOrTab: Bool {
        switch value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// C0 without line feed and tabulator, DEL, C1, and what turns the direction of writing round.
    fileprivate var isSpeltOut: Bool {
        switch value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
