import Core
import Foundation
import PushModel

/// A change of a delivery in one line.
///
///     2026-11-21T07:12:13.123Z delivered Android      bjones/phone-1 PushAdapter.PushEventSource "You have mail"
struct DeliveryLine {
    private static let hasColours = Terminal.hasColours(STDOUT_FILENO)
    /// In characters.
    private static let longestText = 60

    let text: String

    /// - Parameter change: the JSON of the management API.
    init(_ change: JSONValue) {
        let delivery = change["delivery"] ?? .null
        let field = { (key: String) in delivery[key]?.string }
        let state = field("state") ?? "?"
        let target = [field("user"), field("device")].compactMap(\.self).joined(separator: "/")
        let origin = field("eventSource") ?? field("application")
        var parts = [
            change["time"]?.string ?? "?",
            Self.padded(state, 9, paint: DeliveryState(rawValue: state).flatMap(Terminal.Colour.init)),
            Self.padded(field("platform") ?? "?", 12), target.isEmpty ? "-" : target,
        ]
        if let origin { parts.append(origin) }
        if let text = field("text") { parts.append(JSONValue.string(Self.shortened(text)).text) }
        if let attempts = delivery["attempts"], let number = attempts.number, number > 1 {
            parts.append("attempt \(attempts.text)")
        }
        if let reason = field("reason") {
            parts.append("(\(reason.split(whereSeparator: \.isNewline).joined(separator: " ")))")
        }
        text = parts.joined(separator: " ")
    }

    private static func padded(_ text: String, _ width: Int, paint colour: Terminal.Colour? = nil) -> String {
        let blanks = String(repeating: " ", count: max(width - text.count, 0))
        return (hasColours ? colour?.paint(text) ?? text : text) + blanks
    }

    private static func shortened(_ text: String) -> String {
        text.count > longestText ? text.prefix(longestText - 1) + "…" : text
    }
}
