import Foundation
import Gateway
import PushModel

/// A list as a table for people.
struct TextTable {
    /// How a value is written.
    enum Format {
        case plain
        /// A time in the local time zone, to the second.
        case time
    }

    struct Column {
        let key: String
        let alternative: String?
        let title: String
        let format: Format
        /// Whether its values are shortened when the table is too wide.
        let isFlexible: Bool

        /// - Parameters:
        ///   - key: the member of each item.
        ///   - alternative: the member that is shown when the first is missing.
        init(
            _ key: String, or alternative: String? = nil, title: String? = nil, _ format: Format = .plain,
            isFlexible: Bool = false
        ) {
            (self.key, self.alternative, self.format, self.isFlexible) = (key, alternative, format, isFlexible)
            self.title = title ?? key.uppercased()
        }
    }

    let columns: [Column]
    let items: [JSONValue]

    /// The lines.
    ///
    /// - Parameter width: the largest width in characters; `nil` for no limit.
    func lines(width: Int?) -> [String] {
        let rows = [columns.map(\.title)] + items.map { item in columns.map { Self.text(item, $0) } }
        var widths = columns.indices.map { index in rows.map { $0[index].count }.max() ?? 0 }
        if let width { shrink(&widths, to: width - 2 * (columns.count - 1)) }
        return rows.map { row in
            let cells = zip(row, widths).map { text, width in
                let cut = text.count > width ? text.prefix(max(width - 1, 0)) + "…" : text[...]
                return cut + String(repeating: " ", count: width - cut.count)
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// Shortens the widest flexible column until all fit, but none below 8 characters.
    private func shrink(_ widths: inout [Int], to total: Int) {
        while widths.reduce(0, +) > total {
            let flexible = columns.indices.filter { columns[$0].isFlexible && widths[$0] > 8 }
            guard let widest = flexible.max(by: { widths[$0] < widths[$1] }) else { return }
            widths[widest] -= 1
        }
    }

    private static func text(_ item: JSONValue, _ column: Column) -> String {
        guard let value = item[column.key] ?? column.alternative.flatMap({ item[$0] }) else { return "" }
        let text = value.string ?? value.text
        switch column.format {
        case .plain: return text.split(whereSeparator: \.isNewline).joined(separator: " ").printable
        case .time:
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            guard let date = try? style.parse(text) else { return text }
            return date.formatted(
                Date.VerbatimFormatStyle(
                    format: """
                        \(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \
                        \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
                        \(second: .twoDigits)
                        """, timeZone: .current, calendar: Calendar(identifier: .gregorian)))
        }
    }
}

extension Console {
    /// Writes a list: with `--json` as an array, otherwise as a table. On a terminal the table fits its width, and elsewhere
    /// the width in `COLUMNS`, if that is set.
    static func writeList(_ items: [JSONValue], columns: [TextTable.Column]) {
        guard !isJSON else { return writeResult(JSONValue.array(items).text) }
        guard !items.isEmpty else { return note("none") }
        for line in TextTable(columns: columns, items: items).lines(width: Terminal.width) { writeResult(line) }
    }
}
