import GRDB
public import PushModel
import Synchronization

/// A row that a client without a user made: what anybody on the net can have stored.
public struct GuestRow: Sendable {
    /// The number of bytes that a row takes on the disk beside its texts: its number, its lengths, its indexes.
    private static let overhead = 256
    fileprivate static let tables = ["device_registration", "device_subscription", "sms_subscription", "preference"]

    /// The table that the row is in.
    fileprivate let table: String
    /// The primary key of the row: the columns with their values.
    fileprivate let columns: [(name: String, value: String)]
    /// About how much it takes on the disk.
    fileprivate let bytes: Int

    private init(in table: String, _ columns: [(name: String, value: String)], _ others: [String]) {
        self.table = table
        self.columns = columns
        // The key is in an index, too.
        let key = columns.reduce(0) { $0 + $1.value.utf8.count }
        bytes = Self.overhead + 2 * key + others.reduce(0) { $0 + $1.utf8.count }
    }

    /// A device's registration with its tags.
    public static func device(_ registration: DeviceRegistration) -> GuestRow {
        GuestRow(
            in: "device_registration",
            [("application_id", registration.applicationID), ("device_id", registration.deviceID)],
            [registration.userID ?? "", registration.token.value])
    }

    public static func subscription(_ subscription: DeviceSubscription) -> GuestRow {
        let source = subscription.eventSource
        return GuestRow(
            in: "device_subscription",
            [
                ("adapter", source.adapter), ("event_source", source.name), ("user_id", subscription.userID),
                ("device_id", subscription.deviceID), ("application_id", subscription.applicationID),
            ],
            [subscription.alias, subscription.token.value, subscription.options.text])
    }

    public static func sms(eventSource: EventSourceID, number: PhoneNumber, user: String) -> GuestRow {
        GuestRow(
            in: "sms_subscription",
            [("adapter", eventSource.adapter), ("event_source", eventSource.name), ("digits", number.digits)],
            [number.dialled, user])
    }

    public static func preference(_ preference: Preference, of owner: PreferenceOwner) -> GuestRow {
        GuestRow(
            in: "preference",
            [
                ("application_id", owner.applicationID), ("owner_kind", owner.kind.rawValue), ("owner", owner.name),
                ("key", preference.key), ("owner_realm", owner.realm),
            ],
            [preference.value])
    }

    /// The condition that selects the row, with the values of ``columns`` as arguments.
    fileprivate var isThis: String { columns.map { "\($0.name) = ?" }.joined(separator: " AND ") }
}

extension SQLiteStore {
    /// How many bytes clients without a user have stored from one network, and in all.
    ///
    /// All are summed once a minute. Between, rows that are noted count in addition, and those that are deleted still count.
    ///
    /// - Parameter network: `nil` for this machine, whose part is always 0.
    /// - Throws: `StoreError`.
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
        try read { database in
            try GuestRow.tables.reduce(0) { sum, table in
                let statement = try database.statement(
                    "SELECT coalesce(sum(guest_bytes), 0) FROM \(table) WHERE \(condition)", arguments)
                return sum + (try Int.fetchOne(statement) ?? 0)
            }
        }
    }

    /// Notes that a client without a user has made rows, or changed them. They count until they are deleted. A row that has been
    /// deleted since does not count.
    ///
    /// - Parameter network: where the client came from; `nil` for this machine.
    /// - Throws: `StoreError`.
    public func noteGuest(_ rows: [GuestRow], of network: String?) throws(StoreError) {
        let added = try write { database in
            var added = 0
            for row in rows {
                let former = try Int.fetchOne(
                    database.statement(
                        "SELECT guest_bytes FROM \(row.table) WHERE \(row.isThis)", row.columns.map(\.value)))
                added += row.bytes - (former ?? 0)
                try database.run(
                    "UPDATE \(row.table) SET guest_network = ?, guest_bytes = ? WHERE \(row.isThis)",
                    [network ?? "", row.bytes] + row.columns.map(\.value))
            }
            return added
        }
        guestTotal.withLock { $0.bytes += added }
    }

    /// Notes that rows are a user's now.
    ///
    /// - Throws: `StoreError`.
    public func releaseGuest(_ rows: [GuestRow]) throws(StoreError) {
        let counted = try read { database in
            try rows.filter { row in
                let statement = try database.statement(
                    "SELECT true FROM \(row.table) WHERE \(row.isThis) AND guest_network IS NOT NULL",
                    row.columns.map(\.value))
                return try Bool.fetchOne(statement) ?? false
            }
        }
        guard !counted.isEmpty else { return }
        try write { database in
            for row in counted {
                try database.run(
                    "UPDATE \(row.table) SET guest_network = NULL, guest_bytes = NULL WHERE \(row.isThis)",
                    row.columns.map(\.value))
            }
        }
    }
}
