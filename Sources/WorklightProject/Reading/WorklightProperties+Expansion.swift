extension WorklightProperties {
    /// The text with every `${key}` replaced by that property's value.
    ///
    /// - Parameter unknown: told of keys that there are not; their place in the text stays as it is.
    func expand(_ text: String, unknown: (String) -> Void) -> String {
        guard text.contains("${") else { return text }
        var result = ""
        var rest = Substring(text)
        while let match = rest.firstMatch(of: /\$\{([^}]*)\}/) {
            result += rest[..<match.range.lowerBound]
            let key = String(match.1)
            if let value = self[key] {
                result += value
            } else {
                unknown(key)
                result += match.0
            }
            rest = rest[match.range.upperBound...]
        }
        return result + rest
    }

    /// The element, its attributes and texts expanded, and so on down.
    func expanding(_ element: XMLElement, unknown: (String, XMLElement) -> Void) -> XMLElement {
        element.mapTexts { text, element in
            expand(text) { unknown($0, element) }
        }
    }

    /// The properties with `${key}` in their own values replaced.
    ///
    /// - Parameter tell: told of unknown keys and of circles.
    func expandingThemselves(tell: (Entry, String) -> Void) -> WorklightProperties {
        WorklightProperties(
            entries: entries.map { entry in
                var value = entry.value
                // Each round replaces one level; more levels than there are keys is a circle.
                for _ in 0...entries.count where value.contains("${") {
                    let next = expand(value) { _ in }
                    if next == value { break }
                    value = next
                    guard value.utf8.count < 1 << 16 else { break }
                }
                if let key = value.firstMatch(of: /\$\{([^}]*)\}/)?.1 {
                    let reason =
                        self[String(key)] == nil
                        ? "${\(key)} is not defined" : "${\(key)} is defined by itself, in a circle"
                    tell(entry, reason)
                }
                return Entry(key: entry.key, value: value, line: entry.line)
            })
    }
}
