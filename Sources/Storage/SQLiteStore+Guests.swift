import GRDB
public import PushModel

/// A row that a client without a user made: what anybody on the net can have stored.
public struct GuestRow: Sendable {
    /// What a row takes on the disk beside its texts: its number, its lengths, its indexes.
    private static let overhead = 256

    let kind: String
    /// The table that the row is in.
    fileprivate let table: String
    /// The primary key of the row: the columns with their values.
    fileprivate let columns: [(name: String, value: String)]
    /// The values of the primary key, separated by U+001F, as the triggers write them.
    let key: String
    /// About how much it takes on the disk.
    let bytes: Int

    private init(
        _ kind: String, in table: String, _ columns: [(name: String, value: String)], key: [String]? = nil,
        _ others: [String]
    ) {
        self.kind = kind
        self.table = table
        self.columns = columns
        self.key = (key ?? columns.map(\.value)).joined(separator: "\u{1F}")
        // The key stands in an index, too.
        bytes = Self.overhead + 2 * self.key.utf8.count + others.reduce(0) { $0 + $1.utf8.count }
    }

    /// A device's registration with its tags.
    public static func device(_ registration: DeviceRegistration) -> GuestRow {
        GuestRow(
            "device", in: "device_registration",
            [("application_id", registration.applicationID), ("device_id", registration.deviceID)],
            [registration.userID ?? "", registration.token.value])
    }

    public static func subscription(_ subscription: DeviceSubscription) -> GuestRow {
        let source = subscription.eventSource
        return GuestRow(
            "subscription", in: "device_subscription",
            [
                ("adapter", source.adapter), ("event_source", source.name), ("user_id", subscription.userID),
                ("device_id", subscription.deviceID), ("application_id", subscription.applicationID),
            ],
            [subscription.alias, subscription.token.value, subscription.options.text])
    }

    public static func sms(eventSource: EventSourceID, number: PhoneNumber, user: String) -> GuestRow {
        GuestRow(
            "sms", in: "sms_subscription",
            [("adapter", eventSource.adapter), ("event_source", eventSource.name), ("digits", number.digits)],
            [number.dialled, user])
    }

    public static func preference(_ preference: Preference, of owner: PreferenceOwner) -> GuestRow {
        GuestRow(
            "preference", in: "preference",
            [
                ("application_id", owner.applicationID), ("owner_kind", owner.kind.rawValue), ("owner", owner.name),
                ("key", preference.key), ("owner_realm", owner.realm),
            ],
            key: [owner.applicationID, owner.kind.rawValue, owner.name, preference.key]
                + (owner.realm.isEmpty ? [] : [owner.realm]), [preference.value])
    }
}

extension SQLiteStore {
    /// How many bytes clients without a user have stored from one network, and in all.
    ///
    /// - Parameter network: `nil` for this machine, whose part is always 0.
    /// - Throws: `StoreError`.
    public func guestUsage(of network: String?) throws(StoreError) -> (own: Int, all: Int) {
        try read { database in
            let bytes = { (name: String) in
                try Int.fetchOne(database.statement("SELECT bytes FROM guest_usage WHERE network = ?", [name])) ?? 0
            }
            return (own: try network.map(bytes) ?? 0, all: try bytes("*"))
        }
    }

    /// Notes that a client without a user has made rows, or changed them. They count until they are deleted. A row that has been
    /// deleted since does not count.
    ///
    /// - Parameter network: where the client came from; `nil` for this machine.
    /// - Throws: `StoreError`.
    public func noteGuest(_ rows: [GuestRow], of network: String?) throws(StoreError) {
        try write { database in
            for row in rows {
                // Not replaced, since that would not run the trigger that takes the former bytes off.
                try database.run("DELETE FROM guest_row WHERE kind = ? AND key = ?", [row.kind, row.key])
                let isThere = row.columns.map { "\($0.name) = ?" }.joined(separator: " AND ")
                try database.run(
                    """
                    INSERT INTO guest_row (kind, key, network, bytes) SELECT ?, ?, ?, ?
                    WHERE EXISTS (SELECT 1 FROM \(row.table) WHERE \(isThere))
                    """, [row.kind, row.key, network ?? "", row.bytes] + row.columns.map(\.value))
            }
        }
    }

    /// Notes that rows are a user's now.
    ///
    /// - Throws: `StoreError`.
    public func releaseGuest(_ rows: [GuestRow]) throws(StoreError) {
        let known = try read { database in
            try rows.filter { row in
                try Bool.fetchOne(
                    database.statement("SELECT true FROM guest_row WHERE kind = ? AND key = ?", [row.kind, row.key]))
                    ?? false
            }
        }
        guard !known.isEmpty else { return }
        try write { database in
            for row in known {
                try database.run("DELETE FROM guest_row WHERE kind = ? AND key = ?", [row.kind, row.key])
            }
        }
    }
}
