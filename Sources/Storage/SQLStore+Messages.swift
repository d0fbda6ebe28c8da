public import Foundation
public import PushModel

extension SQLStore: MessageStore {
    public func note(_ message: SentMessage, keysSince date: Date) throws(StoreError) -> SentMessage? {
        try database.write { database in
            try database.run(
                "UPDATE sent_message SET idempotency_key = NULL WHERE idempotency_key = ? AND created_at < ?",
                [message.idempotencyKey, date.timeIntervalSince1970])
            if let key = message.idempotencyKey,
                let known = try database.row("SELECT * FROM sent_message WHERE idempotency_key = ?", [key])
            {
                return try known.sentMessage()
            }
            try database.run(
                """
                INSERT INTO sent_message (id, application_id, idempotency_key, digest, created_at) VALUES (?, ?, ?, ?, ?)
                """,
                [
                    message.id.storedText, message.applicationID, message.idempotencyKey, message.digest,
                    message.createdAt.timeIntervalSince1970,
                ])
            return nil
        }
    }

    public func message(_ id: UUID) throws(StoreError) -> SentMessage? {
        try database.read { database in
            try database.row("SELECT * FROM sent_message WHERE id = ?", [id.storedText])?.sentMessage()
        }
    }

    public func purgeMessages(before date: Date) throws(StoreError) -> Int {
        try database.write { database in
            try database.run("DELETE FROM sent_message WHERE created_at < ?", [date.timeIntervalSince1970])
        }
    }
}

extension StoreRow {
    fileprivate func sentMessage() throws -> SentMessage {
        SentMessage(
            id: try uuid("id"), applicationID: try value("application_id"),
            idempotencyKey: try value("idempotency_key"),
            digest: try value("digest"), createdAt: try date("created_at"), isBegun: try value("is_begun"))
    }
}

extension StoreTransaction {
    /// Flags the message of a broadcast as begun.
    ///
    /// - Returns: `false` when it has begun before. A broadcast of an adapter has no message.
    func beginMessage(_ id: UUID) throws -> Bool {
        if try run("UPDATE sent_message SET is_begun = 1 WHERE id = ? AND is_begun = 0", [id.storedText]) > 0 {
            return true
        }
        return try first(Int.self, "SELECT 1 FROM sent_message WHERE id = ?", [id.storedText]) == nil
    }
}
