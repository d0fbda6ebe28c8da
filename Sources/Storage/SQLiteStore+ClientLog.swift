import GRDB
public import PushModel

extension SQLiteStore {
    /// Moves what an earlier Lamplighter kept of clients' logs in this file to the file that they have now.
    ///
    /// A move that breaks off goes on the next time: an entry is deleted here only when it is there.
    ///
    /// - Throws: `StoreError`.
    public func moveClientLog(to log: SQLiteClientLog) throws(StoreError) {
        while true {
            let entries = try read { database in
                try Row.fetchAll(database.statement("SELECT * FROM client_log ORDER BY seq LIMIT 1000", []))
                    .map { try $0.clientLogEntry() }
            }
            guard let last = entries.last else { return }
            try log.take(entries)
            _ = try write { try $0.run("DELETE FROM client_log WHERE seq <= ?", [last.sequence]) }
        }
    }
}
