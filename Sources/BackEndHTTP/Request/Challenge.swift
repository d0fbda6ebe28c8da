/// One challenge of a `WWW-Authenticate` header (RFC 9110, 11.6.1).
struct Challenge: Sendable, Hashable {
    /// In small letters.
    let scheme: String
    /// Names in small letters.
    var parameters: [String: String] = [:]

    /// All challenges of the header's values, in order; one value may hold several.
    static func parse(_ values: [String]) -> [Challenge] {
        var challenges: [Challenge] = []
        for piece in values.flatMap(splitAtCommas) {
            let halves = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let words = halves[0].split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard let first = words.first else { continue }
            var name = first.lowercased()
            if words.count > 1 || halves.count == 1 {
                challenges.append(Challenge(scheme: name))
                guard words.count > 1 else { continue }
                name = words[1].lowercased()
            }
            guard halves.count == 2, !challenges.isEmpty else { continue }
            challenges[challenges.count - 1].parameters[name] = unquote(halves[1].trimmed)
        }
        return challenges
    }

    private static func splitAtCommas(_ value: String) -> [String] {
        var pieces = [""]
        var isQuoted = false
        var isEscaped = false
        for character in value {
            if character == ",", !isQuoted {
                pieces.append("")
                continue
            }
            pieces[pieces.count - 1].append(character)
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = isQuoted
            } else if character == "\"" {
                isQuoted.toggle()
            }
        }
        return pieces.map(\.trimmed)
    }

    private static func unquote(_ value: String) -> String {
        guard value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") else { return value }
        var result = ""
        var isEscaped = false
        for character in value.dropFirst().dropLast() {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                result.append(character)
                isEscaped = false
            }
        }
        return result
    }
}
