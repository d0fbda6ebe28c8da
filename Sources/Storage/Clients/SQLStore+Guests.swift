import Core
public import PushModel
import Synchronization

/// A ``GuestRow`` as it is stored.
private struct StoredGuestRow {
    /// The number of bytes that a row takes on the disk beside its strings: its number, its lengths, its indexes.
    private static let overhead = 256
    static let tables = ["device_registration", "device_subscription", "sms_subscription", "preference"]

    /// The table that the row is in.
    let table: String
    /// The primary key of the row: the columns with their values.
    let columns: [(name: String, value: String)]
    /// About how much it takes on the disk.
    let bytes: Int

    private init(in table: String, _ columns: [(name: String, value: String)], _ others: [String]) {
        self.table = table
        self.columns = columns
        // The key is in an index, too.
        let key = columns.reduce(0) { $0 + $1.value.utf8.count }
        bytes = Self.overhead + 2 * key + others.reduce(0) { $0 + $1.utf8.count }
    }

    init(_ row: GuestRow) {
        switch row {
        case .device(let device):
            self.init(
                in: "device_registration",
                [("application_id", device.applicationID), ("device_id", device.deviceID)],
                [device.userID ?? "", device.token.value])
        case .subscription(let subscription):
            let source = subscription.eventSource
            self.init(
                in: "device_subscription",
                [
                    ("adapter", source.adapter), ("event_source", source.name), ("user_id", subscription.userID),
                    ("device_id", subscription.deviceID), ("application_id", subscription.applicationID),
                ],
                [subscription.alias, subscription.token.value, subscription.options.text])
        case .sms(let source, let number, let user):
            self.init(
                in: "sms_subscription",
                [("adapter", source.adapter), ("event_source", source.name), ("digits", number.digits)],
                [number.dialled, user])
        case .preference(let preference, let owner):
            self.init(
                in: "preference",
                [
                    ("application_id", owner.applicationID), ("owner_kind", owner.kind.rawValue), ("owner", owner.name),
                    ("key", preference.key), ("owner_realm", owner.realm),
                ],
                [preference.value])
        }
    }

    /// The condition that selects the row, with the values of ``columns`` as arguments.
    var isThis: String { columns.map { "\($0.name) = ?" }.joined(separator: " AND ") }
}

extension SQLStore: GuestStore {
    public func guestUsage(of network: String?) throws(StoreError) -> (own: Int, all: Int) {
        let own = if let network { try guestBytes(where: "guest_network = ?", [network]) } else { 0 }
        let uptime = time.uptime
        let known = guestTotal.withLock { total -> Int? in
            guard uptime >= total.validUntil else { return total.bytes }
            // One caller sums, and the others go on with the former sum.
            total.validUntil = uptime + .seconds(60)
            return nil
        }
        if let known { return (own, known) }
        let all = try guestBytes(where: "guest_network IS NOT NULL", [])
        guestTotal.withLock { $0.bytes = all }
        return (own, all)
    }

    private func guestBytes(where condition: String, _ arguments: [String]) throws(StoreError) -> Int {
        try database.read { database in
            try StoredGuestRow.tables.reduce(0) { sum, table in
                sum
                    + (try database.first(
                        Int.self, "SELECT coalesce(sum(guest_bytes), 0) FROM \(table) WHERE \(condition)", arguments)
                        ?? 0)
            }
        }
    }

    public func noteGuest(_ rows: [GuestRow], of network: String?) throws(StoreError) {
        let added = try database.write { database in
            var added = 0
            for row in rows.map(StoredGuestRow.init) {
                let former = try database.first(
                    Int.self, "SELECT guest_bytes FROM \(row.table) WHERE \(row.isThis)", row.columns.map(\.value))
                added += row.bytes - (former ?? 0)
                try database.run(
                    "UPDATE \(row.table) SET guest_network = ?, guest_bytes = ? WHERE \(row.isThis)",
                    [network ?? "", row.bytes] + row.columns.map(\.value))
            }
            return added
        }
        guestTotal.withLock { $0.bytes += added }
    }

    public func releaseGuest(_ rows: [GuestRow]) throws(StoreError) {
        let counted = try database.read { database in
            try rows.map(StoredGuestRow.init).filter { row in
                try database.row(
                    "SELECT true FROM \(row.table) WHERE \(row.isThis) AND guest_network IS NOT NULL",
                    row.columns.map(\.value)) != nil
            }
        }
        guard !counted.isEmpty else { return }
        try database.write { database in
            for row in counted {
                try database.run(
                    "UPDATE \(row.table) SET guest_network = NULL, guest_bytes = NULL WHERE \(row.isThis)",
                    row.columns.map(\.value))
            }
        }
    }
}
