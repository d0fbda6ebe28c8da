import Foundation
import GRDB
import PushModel

/// Writes how deliveries ended.
struct DeliveryEndWriter {
    private let insert: RawStatement

    init(_ database: Database) throws {
        insert = try RawStatement(
            database,
            """
            INSERT INTO delivery_end (seq, state, attempts, ended_at, service_id, reason, requests, failures)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    func insert(
        _ number: Int64, state: DeliveryState, attempts: Int, endedAt: Date, serviceID: String?, reason: String?,
        requests: String?, failures: String?
    ) throws {
        try insert.bind(1, number)
        try insert.bind(2, state.rawValue)
        try insert.bind(3, attempts)
        try insert.bind(4, endedAt)
        try insert.bind(5, serviceID?.withoutNUL)
        try insert.bind(6, reason?.withoutNUL)
        try insert.bind(7, requests)
        try insert.bind(8, failures)
        try insert.run()
    }
}
