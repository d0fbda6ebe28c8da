/// The `?` of a statement.
enum DatabasePlaceholders {
    /// How many there are outside quotes and comments.
    static func count(in sql: String) -> Int {
        var (count, rest) = (0, Substring(sql))
        while let character = rest.popFirst() {
            switch character {
            case "?": count += 1
            case "'", "\"", "`": skip(&rest, past: String(character))
            case "-" where rest.first == "-": skip(&rest, past: "\n")
            case "/" where rest.first == "*":
                rest.removeFirst()
                skip(&rest, past: "*/")
            default: break
            }
        }
        return count
    }

    private static func skip(_ text: inout Substring, past end: String) {
        text = text.firstRange(of: end).map { text[$0.upperBound...] } ?? ""
    }
}
