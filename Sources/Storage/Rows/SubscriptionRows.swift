import Core
import PushModel

/// The parts of the operations on subscriptions. Each runs inside the caller's transaction.
extension StoreTransaction {
    func userSubscription(_ eventSource: EventSourceID, userID: String) throws -> UserSubscription? {
        let row = try row(
            "SELECT state FROM user_subscription WHERE adapter = ? AND event_source = ? AND user_id = ?",
            [eventSource.adapter, eventSource.name, userID])
        return try row.map {
            UserSubscription(eventSource: eventSource, userID: userID, state: try $0.json("state"))
        }
    }

    func deviceSubscriptions(matching filter: SubscriptionFilter) throws -> [DeviceSubscription] {
        let (condition, arguments) = filter.sql
        return try deviceSubscriptions(where: condition, arguments)
    }

    /// Returns the subscriptions that `subscribe` replaces: other users' subscriptions of that app and device to the event source, then the user's
    /// own that have the alias for another event source.
    func conflictingSubscriptions(of new: DeviceSubscription) throws -> [DeviceSubscription] {
        let (adapter, name) = (new.eventSource.adapter, new.eventSource.name)
        // Left to itself, SQLite reads all subscriptions to the event source, for their order.
        let index = "device_subscription_by_device"
        let ofOthers = try deviceSubscriptions(
            by: index,
            where: "device_id = ? AND application_id = ? AND (adapter, event_source) = (?, ?) AND user_id <> ?",
            [new.deviceID, new.applicationID, adapter, name, new.userID])
        let withSameAlias = try deviceSubscriptions(
            by: index,
            where: """
                device_id = ? AND application_id = ? AND (adapter, event_source) <> (?, ?) AND user_id = ? AND alias = ?
                """,
            [new.deviceID, new.applicationID, adapter, name, new.userID, new.alias])
        return ofOthers + withSameAlias
    }

    /// The subscriptions of a claim's users that are not at a device with its token, but at one of the claimed id.
    func movableSubscriptions(
        of claim: DeviceClaim, to device: DeviceRegistration
    ) throws -> [DeviceSubscription] {
        let made = DeviceClaim.idsMade(from: claim.deviceID)
        return try claim.users.sorted().flatMap { user -> [DeviceSubscription] in
            guard let realm = user.realm else { return [] }
            return try deviceSubscriptions(
                by: "device_subscription_by_user",
                where: """
                    user_id = ? AND user_realm = ? AND application_id = ?
                    AND (device_id = ? OR device_id >= ? AND device_id < ?) AND (device_id, token) <> (?, ?)
                    """,
                [
                    user.id, realm, claim.applicationID, claim.deviceID, made.lowest, made.end, device.deviceID,
                    device.token.value,
                ]
            ).filter { claim.isClaim(to: $0.deviceID) }
        }
    }

    /// Moves the subscriptions that ``movableSubscriptions(of:to:)`` finds to the device, unless the device already has such a subscription.
    ///
    /// - Returns: the number of subscriptions that were moved.
    func moveSubscriptions(of claim: DeviceClaim, to device: DeviceRegistration) throws -> Int {
        var count = 0
        for old in try movableSubscriptions(of: claim, to: device) {
            let new = DeviceSubscription(
                eventSource: old.eventSource, userID: old.userID, userRealm: old.userRealm,
                deviceID: device.deviceID, applicationID: device.applicationID, alias: old.alias,
                platform: device.platform, token: device.token, options: old.options)
            guard try conflictingSubscriptions(of: new).isEmpty else { continue }
            let source = old.eventSource
            let moved = try run(
                """
                UPDATE device_subscription SET device_id = ?, token = ?, platform = ?
                WHERE adapter = ? AND event_source = ? AND user_id = ? AND device_id = ? AND application_id = ?
                AND NOT EXISTS (
                    SELECT 1 FROM device_subscription AS other
                    WHERE other.adapter = ? AND other.event_source = ? AND other.user_id = ? AND other.device_id = ?
                    AND other.application_id = ? AND other.device_id <> ?
                )
                """,
                [device.deviceID, device.token.value, device.platform.rawValue, source.adapter, source.name]
                    + [old.userID, old.deviceID, old.applicationID, source.adapter, source.name]
                    + [old.userID, device.deviceID, old.applicationID, old.deviceID])
            guard moved > 0 else { continue }
            count += moved
            try run(
                """
                UPDATE device_registration SET user_id = ?, user_realm = ?, has_checked_user = true
                WHERE application_id = ? AND device_id = ?
                """, [old.userID, old.userRealm, device.applicationID, device.deviceID])
        }
        return count
    }

    /// Deletes a device subscription, and its user subscription when it was the last.
    func remove(_ subscription: DeviceSubscription) throws -> RemovedSubscription {
        let source = subscription.eventSource
        let userKey = [source.adapter, source.name, subscription.userID]
        guard let user = try userSubscription(source, userID: subscription.userID) else {
            throw StoredValueError(code: .corrupt, reason: "a device subscription has no user subscription")
        }
        try run(
            """
            DELETE FROM device_subscription
            WHERE adapter = ? AND event_source = ? AND user_id = ? AND device_id = ? AND application_id = ?
            """, userKey + [subscription.deviceID, subscription.applicationID])
        return RemovedSubscription(
            deviceSubscription: subscription, userSubscription: user,
            wasLastDeviceOfUser: try removeUserSubscriptionWithoutDevices(source, userID: subscription.userID))
    }

    /// Adds the user subscription when it is missing.
    ///
    /// - Returns: whether it was.
    func ensureUserSubscription(_ eventSource: EventSourceID, userID: String) throws -> Bool {
        try run(
            """
            INSERT INTO user_subscription (adapter, event_source, user_id, state) VALUES (?, ?, ?, '{}')
            ON CONFLICT DO NOTHING
            """, [eventSource.adapter, eventSource.name, userID]) > 0
    }

    /// Deletes the user subscription when the user has neither device nor phone number there any more.
    ///
    /// - Returns: whether it was deleted.
    func removeUserSubscriptionWithoutDevices(_ eventSource: EventSourceID, userID: String) throws -> Bool {
        let key = [eventSource.adapter, eventSource.name, userID]
        return try run(
            """
            DELETE FROM user_subscription WHERE adapter = ? AND event_source = ? AND user_id = ?
            AND NOT EXISTS (
                SELECT 1 FROM device_subscription WHERE adapter = ? AND event_source = ? AND user_id = ?
            )
            AND NOT EXISTS (
                SELECT 1 FROM sms_subscription WHERE adapter = ? AND event_source = ? AND user_id = ?
            )
            """, key + key + key) > 0
    }

    /// Adds a device subscription to an existing user subscription, or updates it.
    func upsert(_ new: DeviceSubscription) throws -> SubscribeOutcome.Change {
        let source = new.eventSource
        let key = [source.adapter, source.name, new.userID, new.deviceID, new.applicationID]
        let visible = [new.alias, new.platform.rawValue, try new.options.storedText()]
        let isThisRow = """
            adapter = ? AND event_source = ? AND user_id = ? AND device_id = ? AND application_id = ?
            """
        let inserted = try run(
            """
            INSERT INTO device_subscription
            (adapter, event_source, user_id, device_id, application_id, alias, platform, options, token, user_realm)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """, key + visible + [new.token.value, new.userRealm])
        guard inserted == 0 else { return .created }
        let hidden = [new.token.value, new.userRealm]
        try run(
            """
            UPDATE device_subscription SET token = ?, user_realm = coalesce(?, user_realm)
            WHERE \(isThisRow) AND (token, user_realm) IS DISTINCT FROM (?, coalesce(?, user_realm))
            """, hidden + key + hidden)
        let updated = try run(
            """
            UPDATE device_subscription SET alias = ?, platform = ?, options = ?
            WHERE \(isThisRow) AND (alias, platform, options) <> (?, ?, ?)
            """, visible + key + visible)
        return updated > 0 ? .updated : .unchanged
    }

    /// - Parameter index: the index by which rows are found; `nil` for the database's choice.
    private func deviceSubscriptions(
        by index: String? = nil, where condition: String, _ arguments: [String]
    ) throws -> [DeviceSubscription] {
        var subscriptions: [DeviceSubscription] = []
        try forEachRow(
            """
            SELECT * FROM device_subscription\(index.map(indexed) ?? "") WHERE \(condition)
            ORDER BY adapter, event_source, user_id, device_id, application_id
            """, arguments
        ) { subscriptions.append(try $0.deviceSubscription()) }
        return subscriptions
    }
}

extension SubscriptionFilter {
    /// The filter as a condition on the columns of a subscription's table, with its arguments.
    var sql: (condition: String, arguments: [String]) {
        let wanted = [
            ("adapter", adapter), ("adapter", eventSource?.adapter), ("event_source", eventSource?.name),
            ("user_id", userID), ("device_id", deviceID), ("application_id", applicationID),
        ].compactMap { column, value in value.map { (condition: "\(column) = ?", value: $0) } }
        return (
            wanted.isEmpty ? "true" : wanted.map(\.condition).joined(separator: " AND "), wanted.map(\.value)
        )
    }
}
