import JavaScriptEngine

/// An array of objects, or an object of them, as a plain-text table.
struct ScriptConsoleTable {
    private static let mostRows = 200
    private static let mostColumns = 20
    private static let widestCell = 40

    private let columns: [String]
    private let rows: [[String]]

    /// - Returns: `nil` for a value that has no rows.
    init?(_ value: ScriptValue) throws {
        guard value.isObject, !value.isFunction else { return nil }
        let keys = value.keys
        guard !keys.isEmpty else { return nil }
        var columns: [String] = []
        var cells: [(key: String, cells: [String: String])] = []
        for key in keys.prefix(Self.mostRows) {
            let row = try value.get(key)
            var texts: [String: String] = [:]
            if row.isObject, !row.isFunction, !row.isDate {
                for column in row.keys.prefix(Self.mostColumns) {
                    texts[column] = TraceText.cut(TraceText.value(try row.get(column)), Self.widestCell)
                    if !columns.contains(column), columns.count < Self.mostColumns { columns.append(column) }
                }
            } else {
                texts[""] = TraceText.cut(TraceText.value(row), Self.widestCell)
            }
            cells.append((key, texts))
        }
        let hasValues = cells.contains { $0.cells[""] != nil }
        self.columns = ["(index)"] + columns + (hasValues ? ["(value)"] : [])
        var rows = cells.map { row in
            [row.key] + columns.map { row.cells[$0] ?? "" } + (hasValues ? [row.cells[""] ?? ""] : [])
        }
        if keys.count > Self.mostRows { rows.append(["… \(keys.count - Self.mostRows) more"]) }
        self.rows = rows
    }

    var text: String {
        let widths = columns.indices.map { index in
            ([columns] + rows).map { index < $0.count ? $0[index].count : 0 }.max() ?? 0
        }
        let lines = ([columns, widths.map { String(repeating: "-", count: $0) }] + rows).map { cells in
            zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
        }
        // The first line of the log has the time before it.
        return "\n" + lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
    }
}
