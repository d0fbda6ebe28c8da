import Foundation

/// The fields of a query or of a form, decoded: `a=1&b=x%20y+z`.
struct FormFields {
    private var fields: [String: String] = [:]
    /// All fields in the order in which they came, repeated ones included.
    private(set) var all: [(name: String, value: String)] = []

    init(_ text: String) {
        add(text)
    }

    /// Adds the fields of another text; of a field that is there already the new value counts.
    mutating func add(_ text: String) {
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let (name, value) = (Self.decode(parts[0]), parts.count > 1 ? Self.decode(parts[1]) : "")
            fields[name] = value
            all.append((name, value))
        }
    }

    subscript(name: String) -> String? { fields[name] }

    subscript(name: String, default value: String) -> String { fields[name] ?? value }

    /// What is no encoding stays as it is.
    private static func decode(_ text: Substring) -> String {
        let blanks = String(text.replacing("+", with: " "))
        return blanks.removingPercentEncoding ?? blanks
    }
}
