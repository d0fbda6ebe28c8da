extension String {
    /// Whether the text has a control character. In a name it would forge lines in logs, and not every store keeps it.
    package var hasControlCharacters: Bool { unicodeScalars.contains(where: \.isControl) }
}

extension Unicode.Scalar {
    /// Whether the character is a control character (C0, DEL, C1) or one of Unicode's line ends.
    package var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension String {
    /// The text as it may stand in XML both between tags and between quotes.
    ///
    /// Line ends and tabs would turn into blanks between quotes, so they are written as references. What XML 1.0 cannot
    /// hold at all becomes U+FFFD.
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
