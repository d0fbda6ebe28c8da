import Core
import Foundation
import Yams

/// The meaning of a file's tables and columns: a YAML file that is proposed, and that the operator edits and confirms.
public struct ImportMapping: Sendable, Hashable {
    /// A column, with its table if it is not the main one.
    struct Column: Sendable, Hashable, CustomStringConvertible {
        let table: String?
        let name: String

        init(table: String? = nil, _ name: String) { (self.table, self.name) = (table, name) }

        /// `COLUMN` or `TABLE.COLUMN`.
        init(_ text: String) {
            let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
            self.init(table: parts.count == 2 ? parts[0] : nil, parts.last ?? "")
        }

        var description: String { table.map { "\($0).\(name)" } ?? name }
    }

    /// A table whose row for a row of the main table has the same value in a column.
    struct Join: Sendable, Hashable {
        let table: String
        /// The column of the main table, or of an earlier joined one.
        let column: Column
        /// The column of the joined table.
        let key: String
        var line = 0
    }

    /// True if the operator has checked it. Only then anything is written.
    public internal(set) var isConfirmed = false
    var table: String
    var joins: [Join] = []
    var columns: [ImportField: Column] = [:]
    /// The same values for all rows.
    var values: [ImportField: String] = [:]
    /// Values of the file, and what they mean.
    var translations: [ImportField: [String: String]] = [:]
    /// The lines of the file's parts, for errors.
    private var lines: [ImportField: Int] = [:]
    private var tableLine = 0

    init(table: String) { self.table = table }

    // MARK: Reading

    private static let keys = ["confirmed", "table", "join", "columns", "values", "translate"]

    /// - Parameter name: the file's name, for errors.
    /// - Throws: ``SubscriptionImportError``.
    public init(reading text: String, named name: String) throws(SubscriptionImportError) {
        let root: Node
        do {
            guard let node = try Yams.compose(yaml: text) else {
                throw SubscriptionImportError(name, "it is empty; expected a mapping, with 'confirmed' and 'table'")
            }
            root = node
        } catch let error as SubscriptionImportError {
            throw error
        } catch {
            throw SubscriptionImportError(name, "not well-formed YAML: \(error)")
        }
        func fail(_ node: Node, _ reason: String) -> SubscriptionImportError {
            SubscriptionImportError(name, line: node.mark?.line, reason)
        }
        func pairs(_ node: Node, _ expected: String) throws(SubscriptionImportError) -> [(key: Node, value: Node)] {
            if node.null != nil { return [] }
            guard let mapping = node.mapping else { throw fail(node, "expected \(expected)") }
            var known: Set<String> = []
            for (key, _) in mapping where !known.insert(key.string ?? "").inserted {
                throw fail(key, "'\(key.string ?? "")' exists twice; expected it once")
            }
            return mapping.map { ($0.key, $0.value) }
        }
        func field(_ node: Node) throws(SubscriptionImportError) -> ImportField {
            guard let field = ImportField(rawValue: node.string ?? "") else {
                throw fail(
                    node,
                    "'\(node.string ?? "")' is not a field; expected one of \(ImportField.allCases.map(\.rawValue).joined(separator: ", "))"
                )
            }
            return field
        }
        self.init(table: "")
        for (key, value) in try pairs(root, "a mapping, with 'confirmed' and 'table'") {
            switch key.string {
            case "confirmed":
                guard let flag = value.bool else { throw fail(value, "confirmed: expected true or false") }
                isConfirmed = flag
            case "table":
                (table, tableLine) = (value.string ?? "", value.mark?.line ?? 0)
            case "join":
                for (joined, condition) in try pairs(value, "TABLE: COLUMN = KEY") {
                    let sides = (condition.string ?? "").split(separator: "=").map {
                        $0.trimmingCharacters(in: .whitespaces)
                    }
                    guard sides.count == 2, let table = joined.string else {
                        throw fail(condition, "expected TABLE: COLUMN = KEY, where KEY is a column of TABLE")
                    }
                    joins.append(
                        Join(table: table, column: Column(sides[0]), key: sides[1], line: joined.mark?.line ?? 0))
                }
            case "columns":
                for (key, value) in try pairs(value, "FIELD: COLUMN") where value.null == nil {
                    let field = try field(key)
                    guard let column = value.string else { throw fail(value, "expected the name of a column") }
                    (columns[field], lines[field]) = (Column(column), key.mark?.line ?? 0)
                }
            case "values":
                for (key, value) in try pairs(value, "FIELD: VALUE") where value.null == nil {
                    values[try field(key)] = value.string
                }
            case "translate":
                for (key, value) in try pairs(value, "FIELD, and below it OLD: NEW") {
                    let field = try field(key)
                    for (old, new) in try pairs(value, "OLD: NEW") {
                        translations[field, default: [:]][old.string ?? ""] = new.string
                    }
                }
            default:
                throw fail(
                    key, "there is no key '\(key.string ?? "")'; expected \(Self.keys.joined(separator: ", "))")
            }
        }
        guard !table.isEmpty else { throw SubscriptionImportError(name, "expected 'table', the table with the rows") }
    }

    // MARK: Writing

    /// Returns the contents of the file.
    ///
    /// - Parameters:
    ///   - comments: the reasons for columns.
    ///   - tables: the lines about the tables.
    func text(comments: [ImportField: String], tables: [String]) -> String {
        func quoted(_ text: String) -> String {
            text.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_.$#-]*/) != nil
                && !["true", "false", "null", "yes", "no", "on", "off"].contains(text.lowercased())
                ? text : "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        }
        let comments = comments.mapValues(\.printableLine)
        var lines = [
            "# Check each line. Then set 'confirmed: true', and run the command again.",
            "confirmed: \(isConfirmed)", "",
        ]
        lines += tables.map { "# \($0)" } + ["table: \(quoted(table))"]
        if !joins.isEmpty {
            lines += ["# A row of each of these tables for a row above it: TABLE: COLUMN = KEY", "join:"]
            lines += joins.map { "  \(quoted($0.table)): \(quoted("\($0.column) = \($0.key)"))" }
        }
        lines += ["", "# Docs: docs/moving-devices.md", "columns:"]
        for field in ImportField.allCases {
            let comment = comments[field].map { "  # \($0)" } ?? ""
            if let column = columns[field] {
                lines.append("  \(field.rawValue): \(quoted(column.description))\(comment)")
            } else if !comment.isEmpty, values[field] == nil {
                lines.append("  # \(field.rawValue):\(comment)")
            }
        }
        lines += ["", "# The same for all rows.", "values:"]
        lines += values.sorted { $0.key < $1.key }.map { field, value in
            "  \(field.rawValue): \(quoted(value))\(comments[field].map { "  # \($0)" } ?? "")"
        }
        lines += ["", "# Values of the file, and their meaning: FIELD, and below it OLD: NEW", "translate:"]
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Query

    /// Returns the statement that selects the fields, after the row's line; for a dump, after the row's number.
    ///
    /// - Throws: ``SubscriptionImportError`` for tables and columns that do not exist.
    func query(_ tables: ImportTables, named name: String) throws(SubscriptionImportError) -> (
        sql: String, indexes: [String], fields: [ImportField]
    ) {
        func table(_ wanted: String, _ line: Int) throws(SubscriptionImportError) -> ImportTables.Table {
            guard let table = tables.table(named: wanted) else {
                throw SubscriptionImportError(
                    name, line: line,
                    "there is no table '\(wanted)'; there are: \(tables.tables.map(\.name).joined(separator: ", "))")
            }
            return table
        }
        let main = try table(self.table, tableLine)
        var aliases: [(table: ImportTables.Table, alias: String)] = [(main, "m")]
        func reference(_ column: Column, _ line: Int) throws(SubscriptionImportError) -> String {
            let wanted = column.table ?? main.name
            guard let (table, alias) = aliases.first(where: { $0.table.name.lowercased() == wanted.lowercased() })
            else {
                throw SubscriptionImportError(
                    name, line: line, "'\(column)': the table '\(wanted)' is neither 'table' nor in 'join' above it")
            }
            guard let position = table.position(of: column.name) else {
                throw SubscriptionImportError(
                    name, line: line,
                    "there is no column '\(column.name)' in \(table.name); there are: \(table.columns.joined(separator: ", "))"
                )
            }
            return "\(alias).c\(position)"
        }
        var from = "\(main.sql) AS m"
        var indexes: [String] = []
        for (number, join) in joins.enumerated() {
            let left = try reference(join.column, join.line)
            let joined = try table(join.table, join.line)
            aliases.append((joined, "j\(number)"))
            let right = try reference(Column(table: joined.name, join.key), join.line)
            from += " LEFT JOIN \(joined.sql) AS j\(number) ON \(right) = \(left)"
            indexes.append(
                "CREATE INDEX IF NOT EXISTS \(joined.sql)_\(right.split(separator: ".").last ?? "") ON \(joined.sql) (\(right.split(separator: ".").last ?? ""))"
            )
        }
        let fields = columns.keys.sorted()
        let selected = try fields.map { (field) throws(SubscriptionImportError) in
            guard let column = columns[field] else { return "NULL" }
            return try reference(column, lines[field] ?? 0)
        }
        return (
            "SELECT \(([main.isOfDump ? "m.rowid" : "m.line"] + selected).joined(separator: ", ")) FROM \(from) ORDER BY m.rowid",
            indexes, fields
        )
    }
}
