import Core
public import Foundation
import GRDB
public import PushModel

/// Imports devices and subscriptions of another server from files: in its own columns, or exported from a database, with a mapping.
///
/// Its functions block.
public final class SubscriptionImport {
    /// A table of the files.
    public struct TableSummary: Sendable, Hashable {
        public let name: String
        public let source: String
        public let rows: Int
        public let columns: [String]
    }

    private let tables: ImportTables
    private let target: ImportTarget
    private let name: String

    /// Reads the files to their ends. Nothing is written meanwhile.
    ///
    /// - Parameters:
    ///   - target: the project's parts.
    ///   - progress: called with a file's name and the number of its rows so far.
    /// - Throws: ``SubscriptionImportError`` for a file that is damaged or cut off, with its line.
    public init(_ files: [URL], target: ImportTarget, progress: @escaping (String, Int) -> Void) throws {
        self.target = target
        name = files.map(\.lastPathComponent).joined(separator: ", ")
        do {
            tables = try ImportTables()
            for file in files {
                try tables.read(file) { progress(file.lastPathComponent, $0) }
            }
        } catch let error as DatabaseError {
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: DatabaseError) -> SubscriptionImportError {
        SubscriptionImportError(
            "temporary database",
            "\(error.message ?? "failed"); it needs as much space as the files, in /var/tmp or in $SQLITE_TMPDIR")
    }

    public var summaries: [TableSummary] {
        tables.tables.map { .init(name: $0.name, source: $0.source, rows: $0.rows, columns: $0.columns) }
    }

    // MARK: Mappings

    /// The mappings of files whose headers have the names of ``ImportField``, which need no confirmation; `nil` if a table has other columns.
    public var ownMappings: [ImportMapping]? {
        let mappings = tables.tables.compactMap { table -> ImportMapping? in
            var mapping = ImportMapping(table: table.name)
            for field in ImportField.allCases where table.position(of: field.rawValue) != nil {
                mapping.columns[field] = .init(field.rawValue)
            }
            let known = Set(mapping.columns.keys)
            guard
                known.isSuperset(of: [.application, .device, .token])
                    || known.isSuperset(of: [.eventSource, .phoneNumber])
            else { return nil }
            mapping.isConfirmed = true
            return mapping
        }
        return mappings.count == tables.tables.count ? mappings : nil
    }

    /// Returns a mapping for other columns, and the contents of its file with the reasons.
    ///
    /// - Throws: ``SubscriptionImportError`` when no column has tokens or phone numbers.
    public func proposal() throws -> (mapping: ImportMapping, text: String) {
        let (mapping, comments) = try MappingProposal(tables: tables, target: target).make(source: name)
        let lines = summaries.map { "\($0.name) (rows: \($0.rows)): \($0.columns.joined(separator: ", "))" }
        return (mapping, mapping.text(comments: comments, tables: lines))
    }

    // MARK: Rows

    /// Returns the first rows as they would be imported, with shortened tokens and numbers.
    ///
    /// - Parameter mappingName: the name of the mapping's file, for errors.
    public func samples(_ mapping: ImportMapping, named mappingName: String, count: Int = 3) throws -> [[ImportField:
        String]]
    {
        var rows: [[ImportField: String]] = []
        try forEachRow(mapping, named: mappingName) { _, row in
            var shown = row.mapValues(TokenForm.shown)
            if let token = row[.token] { shown[.token] = DeviceToken(stored: token).description }
            if let number = row[.phoneNumber] { shown[.phoneNumber] = (try? PhoneNumber(number))?.description ?? "…" }
            rows.append(shown)
            return rows.count < count
        }
        return rows
    }

    /// Adds the records to a store, or only counts them.
    ///
    /// It may be interrupted at any time, and run again: records that the store has are left as they are.
    ///
    /// - Parameters:
    ///   - mappingName: the name of the mapping's file, for errors.
    ///   - store: `nil` for a dry run.
    ///   - progress: called with the number of rows so far.
    /// - Throws: ``SubscriptionImportError`` for an invalid mapping, `StoreError`.
    public func run(
        _ mapping: ImportMapping, named mappingName: String, into store: (any MovedRecordStore)?,
        progress: (Int) -> Void
    ) throws -> SubscriptionImportReport {
        let reader = MovedRecordReader(target: target)
        var report = SubscriptionImportReport()
        report.dumpedTable = tables.table(named: mapping.table).flatMap { $0.isOfDump ? $0.name : nil }
        var batch: [(record: MovedRecord, line: Int)] = []
        func finish() throws {
            guard let store, !batch.isEmpty else { return batch.removeAll() }
            for (outcome, line) in zip(try store.add(batch.map(\.record)), batch.map(\.line)) {
                report.note(outcome, line: line)
            }
            batch.removeAll()
            progress(report.rows)
        }
        try forEachRow(mapping, named: mappingName) { line, row in
            report.rows += 1
            do {
                let record = try reader.record(row)
                report.accepted += 1
                report.note(record, target)
                batch.append((record, line))
            } catch let refusal as MovedRecordReader.Refusal {
                report.note(refused: refusal.reason, line: line)
            }
            if batch.count >= Self.batchSize { try finish() }
            return true
        }
        try finish()
        return report
    }

    /// The number of records in a transaction.
    private static let batchSize = 500

    /// - Parameter body: gets the line, or for a dump the number of the row in its table, and the values that are not empty; returns false to end.
    private func forEachRow(
        _ mapping: ImportMapping, named name: String, _ body: (Int, [ImportField: String]) throws -> Bool
    ) throws {
        let (sql, indexes, fields) = try mapping.query(tables, named: name)
        do {
            try tables.database.write { database in
                for index in indexes { try database.execute(sql: index) }
            }
            try tables.database.read { database in
                let cursor = try Row.fetchCursor(database, sql: sql)
                while let row = try cursor.next() {
                    var values = mapping.values
                    for (number, field) in fields.enumerated() {
                        values[field] =
                            (row[number + 1] as String?).flatMap { $0.isEmpty ? nil : $0 } ?? mapping.values[field]
                    }
                    for (field, meanings) in mapping.translations {
                        if let value = values[field], let meaning = meanings[value] { values[field] = meaning }
                    }
                    guard try body(row[0], values) else { return }
                }
            }
        } catch let error as DatabaseError {
            throw Self.failure(error)
        }
    }
}

/// The result of an import.
public struct SubscriptionImportReport: Sendable, Hashable {
    /// The number of rows with the same outcome, and the lines of the first.
    public struct Count: Sendable, Hashable {
        public internal(set) var rows = 0
        /// Lines of the file. For a dump: numbers of rows of ``SubscriptionImportReport/dumpedTable``, from 1.
        public internal(set) var lines: [Int] = []

        mutating func add(line: Int) {
            rows += 1
            if lines.count < 3 { lines.append(line) }
        }
    }

    /// The table whose rows are counted, if it comes from a dump; `nil` for files with a row on each line.
    public internal(set) var dumpedTable: String?
    /// The number of rows in the files.
    public internal(set) var rows = 0
    /// The number of rows that are records.
    public internal(set) var accepted = 0
    /// The number of records that the store lacked.
    public internal(set) var added = 0
    /// The number of records that the store had.
    public internal(set) var known = 0
    /// The rows for which the store has something else, by the reason.
    public internal(set) var kept: [MovedRecordOutcome.Reason: Count] = [:]
    /// The rows that are no records, by the reason.
    public internal(set) var refused: [String: Count] = [:]
    /// The event sources that no script names literally, with the number of rows.
    public internal(set) var unknownEventSources: [EventSourceID: Int] = [:]

    /// The largest number of different reasons; further ones count as the last.
    private static let mostReasons = 100

    mutating func note(refused reason: String, line: Int) {
        let key = refused[reason] != nil || refused.count < Self.mostReasons ? reason : "other reasons"
        refused[key, default: Count()].add(line: line)
    }

    mutating func note(_ outcome: MovedRecordOutcome, line: Int) {
        switch outcome {
        case .added: added += 1
        case .known: known += 1
        case .kept(let reason): kept[reason, default: Count()].add(line: line)
        }
    }

    mutating func note(_ record: MovedRecord, _ target: ImportTarget) {
        let source =
            switch record {
            case .device(_, _, let subscription, _): subscription?.eventSource
            case .phoneNumber(let subscription): subscription.eventSource
            }
        guard let source, target.adapters[source.adapter]?.contains(source.name) != true else { return }
        guard unknownEventSources[source] != nil || unknownEventSources.count < Self.mostReasons else { return }
        unknownEventSources[source, default: 0] += 1
    }
}
