public import PushModel

extension SQLStore: SMSSubscriptionStore {
    public func subscribe(_ subscription: SMSSubscription) throws(StoreError) {
        try database.write { database in
            let known = try database.smsSubscription(
                eventSource: subscription.eventSource, phoneNumber: subscription.phoneNumber)
            if let known, known.userID != subscription.userID { try database.remove(known) }
            _ = try database.ensureUserSubscription(subscription.eventSource, userID: subscription.userID)
            try database.upsert(subscription)
        }
    }

    public func unsubscribe(
        eventSource: EventSourceID, phoneNumber: PhoneNumber
    ) throws(StoreError) -> Bool {
        try database.write { database in
            guard let known = try database.smsSubscription(eventSource: eventSource, phoneNumber: phoneNumber) else {
                return false
            }
            try database.remove(known)
            return true
        }
    }

    public func smsSubscription(
        eventSource: EventSourceID, phoneNumber: PhoneNumber
    ) throws(StoreError) -> SMSSubscription? {
        try database.read { try $0.smsSubscription(eventSource: eventSource, phoneNumber: phoneNumber) }
    }
}

/// The parts of these operations. Each runs inside the caller's transaction.
extension StoreTransaction {
    func smsSubscription(
        eventSource: EventSourceID, phoneNumber: PhoneNumber
    ) throws -> SMSSubscription? {
        try row(
            "SELECT * FROM sms_subscription WHERE adapter = ? AND event_source = ? AND digits = ?",
            [eventSource.adapter, eventSource.name, phoneNumber.digits])?.smsSubscription()
    }

    func upsert(_ new: SMSSubscription) throws {
        let key = [new.eventSource.adapter, new.eventSource.name, new.phoneNumber.digits]
        let visible: [(any StoreArgument)?] = [
            new.phoneNumber.text, new.gatewayID, new.alias, new.applicationID,
        ]
        let inserted = try run(
            """
            INSERT INTO sms_subscription
            (adapter, event_source, digits, user_id, user_realm, phone_number, gateway_id, alias, application_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """, key + [new.userID, new.userRealm] + visible)
        guard inserted == 0 else { return }
        try run(
            """
            UPDATE sms_subscription SET user_realm = coalesce(?, user_realm)
            WHERE adapter = ? AND event_source = ? AND digits = ? AND user_realm IS DISTINCT FROM coalesce(?, user_realm)
            """, [new.userRealm] + key + [new.userRealm])
        try run(
            """
            UPDATE sms_subscription SET phone_number = ?, gateway_id = ?, alias = ?, application_id = ?
            WHERE adapter = ? AND event_source = ? AND digits = ?
            AND (phone_number, gateway_id, alias, application_id) IS DISTINCT FROM (?, ?, ?, ?)
            """, visible + key + visible)
    }

    fileprivate func remove(_ subscription: SMSSubscription) throws {
        let source = subscription.eventSource
        try run(
            "DELETE FROM sms_subscription WHERE adapter = ? AND event_source = ? AND digits = ?",
            [source.adapter, source.name, subscription.phoneNumber.digits])
        _ = try removeUserSubscriptionWithoutDevices(source, userID: subscription.userID)
    }
}
