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
