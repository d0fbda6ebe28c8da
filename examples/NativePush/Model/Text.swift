import Foundation

/// Dictionaries as Foundation describes them on iOS, on Linux too.
enum Text {
    static func description(of value: Any, indentation: String = "") -> String {
        let inner = indentation + "    "
        switch value {
        case let values as [AnyHashable: Any]:
            let lines = values.map { ("\($0.key.base)", $0.value) }.sorted { $0.0 < $1.0 }.map { key, value in
                "\(inner)\(quoted(key)) = \(description(of: value, indentation: inner));\n"
            }
            return "{\n\(lines.joined())\(indentation)}"
        case let values as [Any]:
            let lines = values.map { "\(inner)\(description(of: $0, indentation: inner))" }
            return "(\n\(lines.joined(separator: ",\n"))\n\(indentation))"
        case is NSNull: return "\"<null>\""
        case let text as String: return quoted(text)
        default: return "\(value)"
        }
    }

    /// A word stands as it is; anything else is quoted.
    private static func quoted(_ text: String) -> String {
        let isWord =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
            }
        if isWord { return text }
        return "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
