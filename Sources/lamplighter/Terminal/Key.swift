/// What was pressed.
enum Key: Equatable {
    case text(String)
    case enter, tab, backspace, delete, left, right, up, down, home, end
    /// Ctrl and a letter, in lower case.
    case control(Character)
    case unknown
}

/// Reads keys from a terminal's bytes.
struct KeyReader {
    /// The next byte; `nil` at the end.
    private let next: () -> UInt8?

    init(_ next: @escaping () -> UInt8?) {
        self.next = next
    }

    /// The next key; `nil` at the end.
    func read() -> Key? {
        guard let byte = next() else { return nil }
        switch byte {
        case 0x0D, 0x0A: return .enter
        case 0x09: return .tab
        case 0x08, 0x7F: return .backspace
        case 0x1B: return escape()
        case 0x01...0x1A: return .control(Character(UnicodeScalar(byte + 0x60)))
        case 0x20...0x7E: return .text(String(UnicodeScalar(byte)))
        case 0xC0...0xF7: return rune(byte)
        default: return .unknown
        }
    }

    private func rune(_ first: UInt8) -> Key? {
        var bytes = [first]
        let count = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1
        for _ in 0..<count {
            guard let byte = next() else { return nil }
            bytes.append(byte)
        }
        return .text(String(decoding: bytes, as: UTF8.self))
    }

    /// What follows the escape character: `[` or `O`, numbers, and a letter or `~`.
    private func escape() -> Key? {
        guard let introducer = next() else { return nil }
        guard introducer == UInt8(ascii: "[") || introducer == UInt8(ascii: "O") else { return .unknown }
        var numbers = ""
        while let byte = next() {
            switch byte {
            case 0x30...0x3B: numbers.unicodeScalars.append(UnicodeScalar(byte))
            case UInt8(ascii: "A"): return .up
            case UInt8(ascii: "B"): return .down
            case UInt8(ascii: "C"): return .right
            case UInt8(ascii: "D"): return .left
            case UInt8(ascii: "H"): return .home
            case UInt8(ascii: "F"): return .end
            case UInt8(ascii: "~"):
                switch numbers {
                case "1", "7": return .home
                case "4", "8": return .end
                case "3": return .delete
                default: return .unknown
                }
            default: return .unknown
            }
        }
        return nil
    }
}
