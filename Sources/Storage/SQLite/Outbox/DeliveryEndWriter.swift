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
            INSERT INTO delivery_end (seq, state, attempts, ended_at, service_id, reason, requests)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """)
    }

    func insert(
        _ number: Int64, state: DeliveryState, attempts: Int, endedAt: Date, serviceID: String?, reason: String?,
        requests: String?
    ) throws {
        try insert.bind(1, number)
        try insert.bind(2, state.rawValue)
        try insert.bind(3, attempts)
        try insert.bind(4, endedAt)
        try insert.bind(5, serviceID?.withoutNUL)
        try insert.bind(6, reason?.withoutNUL)
        try insert.bind(7, requests)
        try insert.run()
    }
}

extension [PushRequest] {
    /// JSON, or nothing when there are none.
    func storedText() throws -> String? {
        isEmpty ? nil : String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    }

    init(stored text: String?) throws {
        guard let text else {
            self = []
            return
        }
        do {
            self = try JSONDecoder().decode([PushRequest].self, from: Data(text.utf8))
        } catch is DecodingError {
            throw StoredValueError(code: .corrupt, reason: "column requests does not hold push requests")
        }
    }
}

extension String {
    /// What services say comes from outside. A NUL in it must not keep the end of a delivery from being recorded.
    var withoutNUL: String { utf8.contains(0) ? replacing("\0", with: "\u{FFFD}") : self }
}
