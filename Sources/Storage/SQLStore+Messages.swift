public import Foundation
public import PushModel

extension SQLStore: MessageStore {
    public func note(_ message: SentMessage) throws(StoreError) -> SentMessage? {
        try write { database in
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
        try read { database in
            try database.row("SELECT * FROM sent_message WHERE id = ?", [id.storedText])?.sentMessage()
        }
    }

    public func purgeMessages(before date: Date) throws(StoreError) -> Int {
        try write { database in
            try database.run("DELETE FROM sent_message WHERE created_at < ?", [date.timeIntervalSince1970])
        }
    }
}

extension StoreRow {
    fileprivate func sentMessage() throws -> SentMessage {
        SentMessage(
            id: try uuid("id"), applicationID: try value("application_id"),
            idempotencyKey: try value("idempotency_key"),
            digest: try value("digest"), createdAt: try date("created_at"))
    }
}
