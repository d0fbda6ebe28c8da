import Core
import Foundation

/// A list as a readable table.
struct TextTable {
    /// The format of a value.
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
        /// True if its values are shortened when the table is too wide.
        let isFlexible: Bool
        /// True if its values are never shortened: in a table that is too wide, they are on separate lines below the row.
        let isWhole: Bool

        /// - Parameters:
        ///   - key: the member of each item.
        ///   - alternative: the member that is shown when the first is missing.
        init(
            _ key: String, or alternative: String? = nil, title: String? = nil, _ format: Format = .plain,
            isFlexible: Bool = false, isWhole: Bool = false
        ) {
            (self.key, self.alternative, self.format) = (key, alternative, format)
            (self.isFlexible, self.isWhole) = (isFlexible, isWhole)
            self.title = title ?? key.uppercased()
        }
    }

    let columns: [Column]
    let items: [JSONValue]

    /// The lines.
    ///
    /// - Parameter width: the largest width in characters; `nil` for no limit.
    func lines(width: Int?) -> [String] {
        let all = lines(of: columns, width: nil)
        guard let width, all.contains(where: { $0.count > width }) else { return all }
        let (row, below) = (columns.filter { !$0.isWhole }, columns.filter(\.isWhole))
        let lines = lines(of: row, width: width)
        var result = Array(lines.prefix(1))
        for (line, item) in zip(lines.dropFirst(), items) {
            result.append(line)
            for column in below {
                result += Self.text(item, column).wrapped(width: width - 4).map { "    " + $0 }
            }
        }
        return result
    }

    private func lines(of columns: [Column], width: Int?) -> [String] {
        let rows = [columns.map(\.title)] + items.map { item in columns.map { Self.text(item, $0) } }
        var widths = columns.indices.map { index in rows.map { $0[index].count }.max() ?? 0 }
        if let width { Self.shrink(&widths, of: columns, to: width - 2 * (columns.count - 1)) }
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
    private static func shrink(_ widths: inout [Int], of columns: [Column], to total: Int) {
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
        case .plain: return text.printableLine
        case .time: return localTime(text)
        }
    }

    /// Returns a time of the management API in the local time zone, to the second.
    static func localTime(_ text: String) -> String {
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

extension CommandOutput {
    /// Writes a list: with `--json` as an array, otherwise as a table. On a terminal the table fits its width, and elsewhere
    /// the width in `COLUMNS`, if that is set.
    static func writeList(_ items: [JSONValue], columns: [TextTable.Column]) {
        guard !isJSON else { return writeResult(JSONValue.array(items).text) }
        guard !items.isEmpty else { return note("none") }
        for line in TextTable(columns: columns, items: items).lines(width: Terminal.width) { writeResult(line) }
    }
}

extension CommandOutput {
    /// The width of the column with the titles.
    private static let titleWidth = 15

    /// Writes the fields of something, each after its title, broken to the terminal's width.
    static func writeFields(_ fields: [(String, String)]) {
        let width = (Terminal.width ?? .max) - titleWidth
        for (title, text) in fields {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
                String($0).wrapped(width: width)
            }
            for (index, line) in (lines.isEmpty ? [""] : lines).enumerated() {
                let start = index == 0 ? title : ""
                let blanks = String(repeating: " ", count: max(titleWidth - start.count, 1))
                writeResult((start + blanks + line).printable)
            }
        }
    }
}

extension String {
    /// Returns the lines of a string that is broken at blanks; none for an empty string.
    fileprivate func wrapped(width: Int) -> [String] {
        var lines: [String] = []
        for word in split(separator: " ") {
            if let line = lines.last, line.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(line) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
