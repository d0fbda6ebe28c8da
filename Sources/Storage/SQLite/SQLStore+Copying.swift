import Foundation
import GRDB
public import PushModel

extension SQLStore {
    /// Copies a SQLite file as it is at one moment, while others may write to it, and checks the copy.
    ///
    /// Its bytes are not enough: the latest transactions are in the file beside it that ends in `-wal`.
    ///
    /// - Parameter target: a new file, which only this user can read.
    /// - Throws: `StoreError` when the file cannot be read, is damaged, or the copy cannot be written.
    public static func copyFile(at path: String, to target: String) throws(StoreError) {
        do {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(60)
            let source = try DatabaseQueue(path: path, configuration: configuration)
            let copy = try DatabaseQueue(path: target)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
            try source.backup(to: copy)
            let problem = try copy.inDatabase { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
            guard problem == "ok" else {
                throw StoredValueError(code: .corrupt, reason: "the copy is damaged: \(problem ?? "no result")")
            }
            // One file, without those beside it.
            try copy.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try copy.close()
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Returns the deliveries that servers were sending to the queue. For a restored file, which no server uses.
    ///
    /// - Throws: `StoreError`.
    public func releaseDeliveries() throws(StoreError) { try (outbox as? SQLiteOutbox)?.releaseAll() }
}
