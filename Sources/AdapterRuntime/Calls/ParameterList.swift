import PushModel

/// The arguments of a procedure, as JSON text.
///
/// Clients send a JSON array; the back-end tools of the original also sent single-quoted texts, and its command line took a
/// list without brackets: `"bjones", "hello!"` (wire-protocol 5.4, server-api 4, seed 003).
public struct ParameterList: Sendable, Hashable {
    /// A JSON array.
    public let json: String

    /// - Parameter json: a JSON array, written by the engine itself.
    init(validJSON json: String) {
        self.json = json
    }

    /// - Throws: ``ParameterError``.
    public init(_ text: String) throws(ParameterError) {
        let trimmed = text.drop(while: \.isWhitespace)
        if trimmed.isEmpty {
            json = "[]"
            return
        }
        let candidate = trimmed.first == "[" ? String(trimmed) : "[\(trimmed)]"
        do {
            guard case .array = try JSONValue(parsing: candidate) else { throw ParameterError(text: text, reason: nil) }
            json = candidate
        } catch let error as JSONSyntaxError {
            let requoted = Self.requoted(candidate)
            guard requoted != candidate, (try? JSONValue(parsing: requoted)) != nil else {
                throw ParameterError(text: text, reason: error.description)
            }
            json = requoted
        } catch {
            throw ParameterError(text: text, reason: nil)
        }
    }

    /// The text with every single-quoted string in double quotes.
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
    /// What the JSON reader said.
    public let reason: String?

    public var description: String {
        let shown = text.count > 80 ? text.prefix(80) + "…" : text[...]
        return "parameters are not a JSON array: \(shown)" + (reason.map { " (\($0))" } ?? "")
            + "; expected something like [\"bjones\",\"hello\"]"
    }
}
