import Core

/// The arguments of a procedure, as JSON.
///
/// Clients send a JSON array, which the engine parses. The back-end tools of the original also sent single-quoted strings, and
/// its command line took a list without brackets: `"bjones", "hello!"` (wire-protocol 5.4, server-api 4, seed 003). An empty
/// string means no arguments.
enum ParameterList {
    /// Returns the string, in brackets where it has none.
    static func bracketed(_ text: String) -> String {
        guard let first = text.utf8.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { return "[]" }
        return first == UInt8(ascii: "[") ? text : "[\(text)]"
    }

    /// Returns the JSON array for a string that the engine refused: adds missing brackets and turns single-quoted strings into
    /// double-quoted ones.
    static func mended(_ text: String) throws(ParameterError) -> String {
        let json = bracketed(text)
        do {
            guard case .array = try JSONValue(parsing: json) else { throw ParameterError(text: json, reason: nil) }
            return json
        } catch let error as JSONSyntaxError {
            let requoted = Self.requoted(json)
            guard requoted != json, case .array? = try? JSONValue(parsing: requoted) else {
                throw ParameterError(text: json, reason: error.description)
            }
            return requoted
        } catch {
            throw ParameterError(text: json, reason: nil)
        }
    }

    /// Returns the string with every single-quoted string in double quotes.
    private static func requoted(_ text: String) -> String {
        var result = ""
        var quote: Character?
        var rest = Substring(text)
        while let character = rest.popFirst() {
            switch (character, quote) {
            case ("\\", _?):
                let escaped = rest.popFirst() ?? "\\"
                result += escaped == "'" ? "'" : "\\\(escaped)"
            case ("\"", "'"): result += "\\\""
            case ("'", nil), ("'", "'"):
                quote = quote == nil ? "'" : nil
                result += "\""
            case ("\"", nil), ("\"", "\""):
                quote = quote == nil ? "\"" : nil
                result += "\""
            default: result.append(character)
            }
        }
        return result
    }
}

/// Parameters that are no list of JSON values.
public struct ParameterError: Error, Hashable, CustomStringConvertible {
    public let text: String
    /// The message of the JSON reader.
    public let reason: String?

    public var description: String {
        let shown = text.count > 80 ? text.prefix(80) + "…" : text[...]
        return "parameters are not a JSON array: \(shown)" + (reason.map { " (\($0))" } ?? "")
            + "; expected something like [\"bjones\",\"hello\"]"
    }
}
