extension Character {
    /// How many columns of a terminal it takes: two for what East Asia writes and for most pictures, none for what only
    /// changes the one before.
    var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default:
            return first.properties.generalCategory == .nonspacingMark ? 0 : 1
        }
    }
}

extension Sequence<Character> {
    /// How many columns of a terminal they take together.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The first of them, as many as so many columns hold.
    func prefix(columns: Int) -> [Character] {
        var left = columns
        return Array(
            prefix { character in
                left -= character.columns
                return left >= 0
            })
    }
}
