public import Foundation
import GRDB
public import PushModel

extension SQLiteStore: ClientLogStore {
    public func append(_ entries: [ClientLogEntry]) throws(StoreError) {
        guard !entries.isEmpty else { return }
        try write { database in
            for entry in entries { try database.insert(entry) }
        }
    }

    public func clientLog(
        matching filter: ClientLogFilter, limit: Int
    ) throws(StoreError) -> [StoredClientLogEntry] {
        guard limit > 0 else { return [] }
        return try read { database in
            let (sql, arguments) = filter.condition
            let rows = try Row.fetchCursor(
                database.statement(
                    "SELECT * FROM client_log WHERE \(sql) ORDER BY seq DESC LIMIT ?",
                    arguments + [min(limit, 1000)]))
            var entries: [StoredClientLogEntry] = []
            while let row = try rows.next() { entries.append(try row.clientLogEntry()) }
            return entries
        }
    }

    /// Forgets entries that were received before `date`, in several transactions.
    ///
    /// - Returns: how many were forgotten.
    /// - Throws: `StoreError`.
    public func purgeClientLog(receivedBefore date: Date) throws(StoreError) -> Int {
        try purgeInBatches { database, limit in
            try database.run(
                """
                DELETE FROM client_log WHERE seq IN (
                    SELECT seq FROM client_log WHERE received_at < ? ORDER BY received_at LIMIT ?
                )
                """, [date.timeIntervalSince1970, limit])
        }
    }

    /// Forgets all entries but the last `count` appended when it is called, in several transactions.
    ///
    /// - Returns: how many were forgotten.
    /// - Throws: `StoreError`.
    public func purgeClientLog(keepingNewest count: Int) throws(StoreError) -> Int {
        let last = try read { database in
            try Int.fetchOne(
                database.statement("SELECT seq FROM client_log ORDER BY seq DESC LIMIT 1 OFFSET ?", [max(count, 0)]))
        }
        guard let last else { return 0 }
        return try purgeInBatches { database, limit in
            try database.run(
                """
                DELETE FROM client_log WHERE seq IN (
                    SELECT seq FROM client_log WHERE seq <= ? ORDER BY seq LIMIT ?
                )
                """, [last, limit])
        }
    }
}
