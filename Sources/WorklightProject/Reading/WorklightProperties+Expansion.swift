import Foundation

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
            if let value = self[key] ?? Self.localValue(key) {
                result += value
            } else {
                unknown(key)
                result += match.0
            }
            rest = rest[match.range.upperBound...]
        }
        return result + rest
    }

    /// The element, its attributes and texts expanded, and so on down; keys without a value are its `unresolvedKeys`.
    func expanding(_ element: XMLElement) -> XMLElement {
        element.expanded { text, unresolved in
            expand(text) { unresolved.append($0) }
        }
    }

    /// Whether a key names something of the machine itself, which the original's tools filled in, such as `local.IPAddress`.
    static func isLocal(_ key: String) -> Bool { key.lowercased().hasPrefix("local.") }

    /// What to do about a placeholder that has no value.
    package static func advice(onUnresolved key: String) -> String {
        "${\(key)} is not defined; add a line \(key)=… to \(path)"
    }

    /// The value of a key of the machine's, where the project's properties have none: `local.IPAddress`, `local.hostname`.
    private static func localValue(_ key: String) -> String? {
        switch key.lowercased() {
        case "local.ipaddress": LocalAddress.first
        case "local.hostname": ProcessInfo.processInfo.hostName
        default: nil
        }
    }

    /// The properties with `${key}` in their own values replaced.
    ///
    /// - Parameter report: receives the entries with unknown keys or a circle, how bad that is, and why.
    func expandingThemselves(report: (Entry, ProjectProblem.Severity, String) -> Void) -> WorklightProperties {
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
                    let isUnknown = self[String(key)] == nil
                    report(
                        entry, isUnknown && Self.isLocal(String(key)) ? .warning : .error,
                        "${\(key)} " + (isUnknown ? "is not defined" : "is defined by itself, in a circle"))
                }
                return Entry(key: entry.key, value: value, line: entry.line)
            })
    }
}
