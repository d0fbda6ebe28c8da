import Core
import Foundation
import Installation

/// The settings in groups, with a search.
extension ConsoleSite {
    static func settingsPage(_ call: ConsoleCall) async throws -> ConsoleView {
        let search = (call.field("q") ?? "").trimmingCharacters(in: .whitespaces)
        var groups: [(name: String, items: [JSONValue])] = []
        for item in try await call.get("settings").items where search.isEmpty || item.contains(search) {
            let name = group(of: item.text("key") ?? "")
            if let index = groups.firstIndex(where: { $0.name == name }) {
                groups[index].items.append(item)
            } else {
                groups.append((name, [item]))
            }
        }
        var blocks: [ConsoleBlock] = [
            .text(
                "Settings are changed in lamplighter.yaml, the environment or the command line, and count after a restart."
            ),
            call.search("settings", ConsoleField("q", "Contains", .input(type: "search"))),
        ]
        if groups.isEmpty {
            blocks.append(.text(search.isEmpty ? "The server was started without settings." : "No setting matches."))
        }
        return ConsoleView(
            title: "Settings",
            sections: [ConsoleSection(blocks)]
                + groups.map { group -> ConsoleSection in
                    let heading = heading(of: group.name)
                    return ConsoleSection(
                        heading, id: "settings-\(group.name)",
                        [.table(settingsTable(group.items, caption: "Settings: \(heading)"))])
                })
    }

    /// Returns the part of a key before its first dot; keys without a dot are in the group `server`.
    private static func group(of key: String) -> String {
        key.contains(".") ? String(key.prefix { $0 != "." }) : "server"
    }

    /// `Back ends` for the group `backEnds`.
    private static func heading(of group: String) -> String {
        guard !["tls", "sql"].contains(group) else { return group.uppercased() }
        let words = group.replacing(/([a-z])([A-Z])/) { "\($0.1) \($0.2.lowercased())" }
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static func settingsTable(_ items: [JSONValue], caption: String) -> ConsoleTable {
        ConsoleTable(
            caption: caption,
            columns: [.init("Setting"), .init("Value"), .init("Source"), .init("Expected")],
            rows: items.map { item in
                let source = item.text("source") ?? ""
                let isDefault = source == ShownSetting.defaultSource
                var value = [
                    item.text("value").map { ConsoleValue.breakable($0, after: "/,@=") }
                        ?? .muted(item.text("unset") ?? "not shown")
                ]
                if isDefault { value.append(.state("default", .plain)) }
                return [
                    [.breakable(item.text("key") ?? "", after: ".")], value,
                    isDefault ? [] : [.breakable(source, after: "_/")],
                    [.muted(item.text("expected") ?? "")],
                ]
            }, empty: [])
    }
}

extension JSONValue {
    /// Returns true if a setting's key, value or description contains a string, in capital or small letters.
    fileprivate func contains(_ search: String) -> Bool {
        ["key", "value", "expected"].contains { text($0)?.range(of: search, options: .caseInsensitive) != nil }
    }
}
