import GRDB
import PushModel

/// How one transaction changes the numbers of deliveries in each state.
struct OutboxChanges {
    var queued = 0
    var sending = 0
    var delivered = 0
    var refused = 0
    var expired = 0
    /// How many more have ended; they may be forgotten since.
    var ended = 0

    mutating func add(_ state: DeliveryState, _ count: Int = 1) {
        switch state {
        case .queued: queued += count
        case .sending: sending += count
        case .delivered: delivered += count
        case .refused: refused += count
        case .expired: expired += count
        }
    }

    mutating func move(from old: DeliveryState, to new: DeliveryState) {
        add(old, -1)
        add(new)
        if new.isEnd { ended += 1 }
    }
}

extension OutboxChanges {
    /// Writes them.
    func save(in database: Database) throws {
        let update = try RawStatement(
            database,
            """
            UPDATE outbox SET queued = queued + ?, sending = sending + ?, delivered = delivered + ?,
                refused = refused + ?, expired = expired + ?, ended_ever = ended_ever + ?
            """)
        for (index, change) in [queued, sending, delivered, refused, expired, ended].enumerated() {
            try update.bind(Int32(index + 1), change)
        }
        try update.run()
    }
}
