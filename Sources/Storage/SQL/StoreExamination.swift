import Databases
import Foundation
import GRDB
public import PushModel

/// The state of a store, found without changing it.
public struct StoreExamination: Sendable, Hashable {
    /// The version of its tables.
    public let version: Int
    /// True if a server that starts upgrades the tables first.
    public let isOlder: Bool
}

extension SQLStore {
    /// Examines the file of a store, all of its pages included.
    ///
    /// - Parameter folder: as for ``init(folder:busyTimeout:time:metrics:)``.
    /// - Returns: `nil` if there is no file, or one without tables.
    /// - Throws: `StoreError`: the file cannot be read, is damaged, or this build cannot use its tables.
    public static func examine(folder: String) throws(StoreError) -> StoreExamination? {
        let path = URL(fileURLWithPath: folder).appending(path: fileName).path
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            // A pipe of that name would wait for a writer.
            let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            guard try FileManager.default.attributesOfItem(atPath: real)[.type] as? FileAttributeType == .typeRegular
            else {
                throw StoredValueError(code: .cannotOpen, reason: "it is not a file")
            }
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            return try DatabaseQueue(path: path, configuration: configuration).read { database in
                let problem = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)")
                guard problem == "ok" else {
                    throw StoredValueError(code: .corrupt, reason: problem ?? "the check has no result")
                }
                guard let tables = try Schema.tables(of: database) else { return nil }
                return try examination(Schema.plan, version: tables.version, oldestReader: tables.oldestReader)
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Examines a store in PostgreSQL.
    ///
    /// - Returns: `nil` if the database has no tables of a store.
    /// - Throws: `StoreError`: the database cannot be reached or used.
    public static func examine(_ address: PostgreSQLAddress) throws(StoreError) -> StoreExamination? {
        let sessions = PostgreSQLSessions(address, limit: 1)
        do {
            return try sessions.withSession { session in
                try PostgreSQLDatabase.checkVersion(session)
                try session.run("BEGIN READ ONLY")
                defer { _ = try? session.query("ROLLBACK") }
                guard let tables = try PostgreSQLSchema.tables(in: PostgreSQLTransaction(session)) else { return nil }
                return try examination(
                    PostgreSQLSchema.plan, version: tables.version, oldestReader: tables.oldestReader)
            }
        } catch {
            throw StoreError(error, database: sessions.name)
        }
    }

    private static func examination(_ plan: SchemaPlan, version: Int, oldestReader: Int?) throws -> StoreExamination {
        let steps = try plan.statements(from: version, oldestReader: oldestReader)
        return StoreExamination(version: version, isOlder: steps != nil)
    }
}
