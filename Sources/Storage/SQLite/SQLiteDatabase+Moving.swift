import Foundation
import GRDB
import PushModel

/// The flag of a file whose store was copied into a database: the table `moved`, which other files do not have.
extension SQLiteDatabase {
    /// Checks that the store is still in this file.
    ///
    /// - Throws: `StoreError` that names the database to which the store was moved.
    func checkNotMoved() throws(StoreError) {
        try read { (database: Database) in
            guard try database.tableExists("moved"),
                let row = try Row.fetchOne(database, sql: "SELECT target, moved_at FROM moved")
            else { return }
            let target: String = row["target"]
            let time: Double = row["moved_at"]
            throw StoredValueError(
                code: .other,
                reason: "the store was moved to \(target) at \(Date(timeIntervalSince1970: time).formatted(.iso8601))",
                advice:
                    "set 'store' to the address of that database; or run 'lamplighter migrate --undo' to use this file again, "
                    + "which has nothing that was stored since")
        }
    }

    /// Flags the file, so that it is not used beside the database.
    func markMoved(to target: String, at date: Date) throws(StoreError) {
        try write { (database: Database) in
            try database.execute(
                sql: "CREATE TABLE IF NOT EXISTS moved (target TEXT NOT NULL, moved_at REAL NOT NULL)")
            try database.execute(sql: "DELETE FROM moved")
            try database.execute(
                sql: "INSERT INTO moved (target, moved_at) VALUES (?, ?)",
                arguments: [target, date.timeIntervalSince1970])
        }
    }

    /// Removes the flag.
    ///
    /// - Returns: whether there was one.
    func removeMovedMark() throws(StoreError) -> Bool {
        try write { (database: Database) in
            guard try database.tableExists("moved") else { return false }
            try database.execute(sql: "DROP TABLE moved")
            return true
        }
    }
}
