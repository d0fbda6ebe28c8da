import Core
import Foundation
import GRDB
import PushModel

/// Proposes a mapping by the form of the values: the original's columns are in no public document.
struct MappingProposal {
    /// The form of a column's values.
    private enum Form: Hashable {
        case token(Platform?)
        case eventSource, eventSourceName, application, adapter, platform, phoneNumber, object, deviceID, number, text
    }

    private struct Candidate {
        let table: ImportTables.Table
        let column: String
        let position: Int
        let form: Form
        let distinct: Int

        func reference(in main: ImportTables.Table) -> ImportMapping.Column {
            ImportMapping.Column(table: table.name == main.name ? nil : table.name, column)
        }
    }

    /// The number of values that are read of each column.
    private static let samples = 1000

    let tables: ImportTables
    let target: ImportTarget

    /// - Returns: the mapping, and the reason for each field.
    /// - Throws: ``SubscriptionImportError`` when no column has tokens or phone numbers.
    func make(source: String) throws -> (mapping: ImportMapping, comments: [ImportField: String]) {
        try tables.database.read { database in
            let candidates = try tables.tables.flatMap { try self.candidates(of: $0, database) }
            let isToken = { (form: Form) in if case .token = form { true } else { false } }
            let main =
                candidates.filter { isToken($0.form) }.max { $0.table.rows < $1.table.rows }
                ?? candidates.filter { $0.form == .phoneNumber }.max { $0.table.rows < $1.table.rows }
            guard let main else {
                let found = tables.tables.map { table in "\(table.name) (\(table.columns.joined(separator: ", ")))" }
                throw SubscriptionImportError(
                    source, "no column has tokens or phone numbers; there are: \(found.joined(separator: "; "))")
            }
            return try propose(main.table, candidates, database)
        }
    }

    private func propose(_ main: ImportTables.Table, _ candidates: [Candidate], _ database: Database) throws -> (
        mapping: ImportMapping, comments: [ImportField: String]
    ) {
        var mapping = ImportMapping(table: main.name)
        var comments: [ImportField: String] = [:]
        mapping.joins = try joins(main, candidates, database)
        let order = [main.name] + mapping.joins.map(\.table)
        var keys: Set<String> = []
        for join in mapping.joins {
            keys.insert("\(join.table).\(join.key)")
            keys.insert("\(join.column.table ?? main.name).\(join.column.name)")
        }
        let usable = order.flatMap { name in candidates.filter { $0.table.name == name } }.filter {
            !keys.contains("\($0.table.name).\($0.column)")
        }
        func propose(_ field: ImportField, _ reason: String, _ isFitting: (Candidate) -> Bool) {
            guard let found = usable.first(where: isFitting) else { return }
            mapping.columns[field] = found.reference(in: main)
            comments[field] = reason
        }
        propose(.token, "the form of tokens") { if case .token = $0.form { true } else { false } }
        propose(.phoneNumber, "the form of phone numbers") { $0.form == .phoneNumber }
        propose(.platform, "names of platforms") { $0.form == .platform }
        propose(.application, "ids of the project's applications") { $0.form == .application }
        propose(.eventSource, "ADAPTER.EVENTSOURCE of the project's adapters") { $0.form == .eventSource }
        propose(.adapter, "names of the project's adapters") { $0.form == .adapter }
        if mapping.columns[.eventSource] == nil, mapping.columns[.adapter] != nil {
            propose(.eventSource, "names of the adapters' event sources") { $0.form == .eventSourceName }
        }
        propose(.device, "the form of device ids") { $0.form == .deviceID }
        propose(.options, "JSON objects, in the table of devices") { $0.form == .object && $0.table.name == main.name }
        propose(.state, "JSON objects, in another table") { $0.form == .object && $0.table.name != main.name }
        for field in [ImportField.alias, .device, .realm, .gateway, .user] where mapping.columns[field] == nil {
            propose(field, "its name") { $0.column.lowercased().contains(field.rawValue) && $0.form != .number }
        }
        // Nothing shows that a string is a user's id: the column with the most different values, of another table before the main one.
        let taken = Set(mapping.columns.values)
        let texts = usable.filter { $0.form == .text && !taken.contains($0.reference(in: main)) }
        let others = texts.filter { $0.table.name != main.name }
        if mapping.columns[.user] == nil,
            let user = (others.isEmpty ? texts : others).max(by: { $0.distinct < $1.distinct })
        {
            mapping.columns[.user] = user.reference(in: main)
            comments[.user] = "a guess: \(user.distinct) different strings"
        }
        if mapping.columns[.platform] == nil { comments[.platform] = "by the token's form, without a column" }
        if mapping.columns[.application] == nil {
            let ids = target.applications.keys.sorted()
            if ids.count == 1 { mapping.values[.application] = ids[0] }
            comments[.application] = "the project has: \(ids.joined(separator: ", "))"
        }
        if mapping.columns[.eventSource] == nil {
            let sources = target.adapters.sorted { $0.key < $1.key }.flatMap { adapter, names in
                names.sorted().map { "\(adapter).\($0)" }
            }
            if sources.count == 1 { mapping.values[.eventSource] = sources[0] }
            comments[.eventSource] = "the project has: \(sources.joined(separator: ", "))"
        }
        for field in [ImportField.device, .user] where mapping.columns[field] == nil {
            comments[field] = "no column has its form"
        }
        return (mapping, comments)
    }

    /// The tables that have further facts about a row: a column of the main table, or of one that is already joined, has only values of
    /// a key of theirs. A column with a similar name comes first, then the one with most of the key's values.
    private func joins(_ main: ImportTables.Table, _ candidates: [Candidate], _ database: Database) throws
        -> [ImportMapping.Join]
    {
        // The part with which all names begin says nothing.
        let names = tables.tables.map { $0.name.lowercased() }
        let prefix = names.dropFirst().reduce(names.first ?? "") { $0.commonPrefix(with: $1) }.count
        var joined = [main.name]
        var joins: [ImportMapping.Join] = []
        while true {
            var best: (join: ImportMapping.Join, similarity: Int, share: Double)?
            for key in candidates where !joined.contains(key.table.name) && key.distinct == key.table.rows {
                for column in candidates where joined.contains(column.table.name) {
                    if case .token = column.form { continue }
                    let similarity = Self.commonLength(
                        column.column.lowercased(), String(key.table.name.lowercased().dropFirst(prefix)))
                    let share = Double(column.distinct) / Double(key.table.rows)
                    guard (similarity, share) > (best?.similarity ?? -1, best?.share ?? 0) else { continue }
                    let isSubset = try Bool.fetchOne(
                        database,
                        sql: """
                            SELECT NOT EXISTS (SELECT 1 FROM \(column.table.sql) WHERE c\(column.position) IS NOT NULL
                            AND c\(column.position) NOT IN (SELECT c\(key.position) FROM \(key.table.sql)))
                            """)
                    guard isSubset == true else { continue }
                    let join = ImportMapping.Join(
                        table: key.table.name, column: column.reference(in: main), key: key.column)
                    best = (join, similarity, share)
                }
            }
            guard let best else { return joins }
            joins.append(best.join)
            joined.append(best.join.table)
        }
    }

    /// The length of the longest string in both; 0 below three characters.
    private static func commonLength(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var longest = 0
        for start in left.indices {
            for other in right.indices {
                var length = 0
                while start + length < left.count, other + length < right.count,
                    left[start + length] == right[other + length]
                {
                    length += 1
                }
                longest = max(longest, length)
            }
        }
        return longest < 3 ? 0 : longest
    }

    private func candidates(of table: ImportTables.Table, _ database: Database) throws -> [Candidate] {
        try table.columns.enumerated().compactMap { position, column in
            let values = try String.fetchAll(
                database,
                sql: "SELECT c\(position) FROM \(table.sql) WHERE c\(position) <> '' LIMIT \(Self.samples)")
            guard let form = form(of: values) else { return nil }
            let distinct =
                try Int.fetchOne(database, sql: "SELECT count(DISTINCT c\(position)) FROM \(table.sql)") ?? 0
            return Candidate(table: table, column: column, position: position, form: form, distinct: distinct)
        }
    }

    /// The form that nine of ten values have: a few may be damaged.
    private func form(of values: [String]) -> Form? {
        guard !values.isEmpty else { return nil }
        func are(_ isFitting: (String) -> Bool) -> Bool { values.filter(isFitting).count * 10 >= values.count * 9 }
        if are({ TokenForm.platform(of: $0) != nil }) { return .token(TokenForm.platform(of: values[0])) }
        // Of an application that is not moved, too.
        if values.contains(where: { target.applications[$0] != nil }) { return .application }
        if are({ target.adapters[$0] != nil }) { return .adapter }
        if are({ EventSourceID($0).map { target.adapters[$0.adapter] != nil } ?? false }) { return .eventSource }
        let names = target.adapters.values.reduce(into: Set<String>()) { $0.formUnion($1) }
        if are(names.contains) { return .eventSourceName }
        if are({ Platform($0) != nil }) { return .platform }
        if are({ $0.hasPrefix("+") && (try? PhoneNumber($0)) != nil }) { return .phoneNumber }
        if are({ $0.hasPrefix("{") && (try? JSONValue(parsing: $0)) != nil }) { return .object }
        if are({ $0.wholeMatch(of: /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) != nil }) { return .deviceID }
        if are({ $0.allSatisfy { $0.isNumber || "-:. TZ".contains($0) } }) { return .number }
        if are({ $0.wholeMatch(of: /[0-9A-Fa-f]{14,63}/) != nil }) { return .deviceID }
        return .text
    }
}
