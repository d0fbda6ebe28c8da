import Core
import Foundation

/// A string, a link, a time, a state or a button.
enum ConsoleValue {
    case text(String)
    case link(String, String)
    /// ISO 8601.
    case time(String)
    /// ISO 8601. The script shows how long ago that was.
    case ago(String)
    case state(String, ConsoleStyle)
    case mono(String)
    /// A string in the style of ``mono(_:)`` whose lines may end after some characters.
    case breakable(String, after: String)
    case muted(String)
    /// A button that posts to a path of the console. `name` distinguishes the buttons of a list, for screen readers.
    case button(String, action: String, name: String = "", style: ConsoleStyle = .plain)
    /// A link that looks like a button.
    case go(String, String, name: String = "", style: ConsoleStyle = .plain)
    /// A string that is shown when its summary is opened.
    case folded(String, text: String, id: String)

    /// The value for templates. Each string may come from an attacker: control characters are spelt out, and templates isolate the direction of each.
    var context: [String: Any] {
        switch self {
        case .text(let text): return ["plain": ["text": text.printable]]
        case .link(let text, let href): return ["link": ["text": text.printable, "href": href]]
        case .time(let text):
            guard let date = Date(spelling: text) else { return ["plain": ["text": text.printable]] }
            return ["time": ["iso": date.spelling, "text": date.formatted(Self.timeFormat)]]
        case .ago(let text):
            guard let date = Date(spelling: text) else { return ["plain": ["text": text.printable]] }
            return [
                "time": ["iso": date.spelling, "text": date.formatted(Self.timeFormat), "isRelative": true]
                    as [String: Any]
            ]
        case .state(let text, let style): return ["state": ["text": text.printable, "style": style.rawValue]]
        case .mono(let text): return ["mono": ["text": text.printable]]
        case .breakable(let text, let marks):
            let parts = Self.parts(text.printable, after: marks)
            return ["breakable": ["head": parts.first ?? "", "tail": Array(parts.dropFirst())] as [String: Any]]
        case .muted(let text): return ["muted": ["text": text.printable]]
        case .button(let label, let action, let name, let style):
            var button = ["label": label, "action": action, "style": style.rawValue]
            if !name.isEmpty { button["name"] = "\(label) \(name.printable)" }
            return ["button": button]
        case .go(let label, let href, let name, let style):
            var link = ["label": label, "href": href, "style": style.rawValue]
            if !name.isEmpty { link["name"] = "\(label) \(name.printable)" }
            return ["go": link]
        case .folded(let summary, let text, let id):
            return ["folded": ["summary": summary.printable, "text": text.printable, "id": id]]
        }
    }

    /// Splits a string after each of some characters.
    private static func parts(_ text: String, after marks: String) -> [String] {
        var parts = [""]
        for character in text {
            parts[parts.count - 1].append(character)
            if marks.contains(character) { parts.append("") }
        }
        return parts.filter { !$0.isEmpty }
    }

    /// The tooltip of a cell with one line; `nil` for buttons, times and other values that are never cut.
    var tooltip: String? {
        switch self {
        case .text(let text), .link(let text, _), .mono(let text), .muted(let text): text.printable
        case .time, .ago, .state, .breakable, .button, .go, .folded: nil
        }
    }

    /// `2026-11-25 18:33:57` in UTC. The script replaces it by the reader's zone, in the same width.
    static let timeFormat = Date.VerbatimFormatStyle(
        format: """
            \(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits)
            """,
        locale: .console, timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
}

extension Locale {
    /// The locale of the console's numbers and times.
    static let console = Locale(identifier: "en_US_POSIX")
}

/// Cells of a JSON object's members; a member that is missing makes an empty cell.
extension JSONValue {
    func cell(_ key: String) -> [ConsoleValue] { text(key).map { [.text($0)] } ?? [] }

    /// A time as how long ago it was.
    func agoCell(_ key: String) -> [ConsoleValue] { self[key]?.string.map { [.ago($0)] } ?? [] }

    func timeCell(_ key: String) -> [ConsoleValue] { self[key]?.string.map { [.time($0)] } ?? [] }

    /// Returns a string, number or boolean as a string.
    func text(_ key: String) -> String? {
        switch self[key] {
        case .string(let text): text
        case .number(let number): JSONValue.number(number).text
        case .bool(let bool): bool ? "yes" : "no"
        default: nil
        }
    }

    func texts(_ key: String) -> [String] { self[key]?.array?.compactMap(\.string) ?? [] }

    func integer(_ key: String) -> Int { self[key]?.number.flatMap { Int(exactly: $0) } ?? 0 }

    var items: [JSONValue] { self["items"]?.array ?? [] }
}
