/// A line while it is typed: its characters, and where the cursor is. Knows nothing of terminals.
struct EditedLine {
    private(set) var characters: [Character] = []
    /// How many characters are before the cursor.
    private(set) var cursor = 0

    init(_ text: String = "") {
        characters = Array(text)
        cursor = characters.count
    }

    var text: String { String(characters) }
    var isEmpty: Bool { characters.isEmpty }
    var beforeCursor: String { String(characters[..<cursor]) }

    mutating func insert(_ text: String) {
        characters.insert(contentsOf: text, at: cursor)
        cursor += text.count
    }

    mutating func deleteBackward() {
        guard cursor > 0 else { return }
        cursor -= 1
        characters.remove(at: cursor)
    }

    mutating func deleteForward() {
        guard cursor < characters.count else { return }
        characters.remove(at: cursor)
    }

    mutating func deleteWordBackward() {
        while cursor > 0, characters[cursor - 1].isWhitespace { deleteBackward() }
        while cursor > 0, !characters[cursor - 1].isWhitespace { deleteBackward() }
    }

    mutating func deleteToStart() {
        characters.removeSubrange(..<cursor)
        cursor = 0
    }

    mutating func deleteToEnd() {
        characters.removeSubrange(cursor...)
    }

    mutating func move(by distance: Int) {
        cursor = min(max(0, cursor + distance), characters.count)
    }

    mutating func moveToStart() {
        cursor = 0
    }

    mutating func moveToEnd() {
        cursor = characters.count
    }
}
