import Foundation
import GRDB
import PushModel

extension Schema {
    /// Replaces the outbox of version 3.
    static func outbox(_ database: Database) throws {
        let uuidBlob = DatabaseFunction("uuid_blob", argumentCount: 1, pure: true) { values in
            guard let text = String.fromDatabaseValue(values[0]), let id = UUID(uuidString: text) else {
                throw StoredValueError(code: .corrupt, reason: "a column of the outbox does not hold a UUID")
            }
            return withUnsafeBytes(of: id.uuid) { Data($0) }
        }
        let lane = DatabaseFunction("lane", argumentCount: 3, pure: true) { values in
            Lane(
                applicationID: String.fromDatabaseValue(values[0]), deviceID: String.fromDatabaseValue(values[1]),
                phoneNumber: String.fromDatabaseValue(values[2])
            ).number
        }
        database.add(function: uuidBlob)
        database.add(function: lane)
        defer {
            database.remove(function: uuidBlob)
            database.remove(function: lane)
        }
        try database.execute(
            sql: "ALTER TABLE delivery RENAME TO delivery_3; ALTER TABLE notification RENAME TO notification_3")
        try database.execute(sql: outboxTables)
        try database.execute(sql: outboxRows)
    }
}
