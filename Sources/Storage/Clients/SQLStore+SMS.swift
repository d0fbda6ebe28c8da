public import PushModel

extension SQLStore: SMSSubscriptionStore {
    public func subscribe(_ subscription: SMSSubscription) throws(StoreError) -> SMSSubscribeOutcome {
        try write { database in
            let known = try database.smsSubscription(
                eventSource: subscription.eventSource, phoneNumber: subscription.phoneNumber)
            let removed = try known.flatMap { known in
                known.userID == subscription.userID ? nil : try database.remove(known)
            }
            let isFirst = try database.ensureUserSubscription(subscription.eventSource, userID: subscription.userID)
            let change = try database.upsert(subscription)
            guard
                let user = try database.userSubscription(subscription.eventSource, userID: subscription.userID)
            else {
                throw StoredValueError(code: .corrupt, reason: "a user subscription vanished while it was written")
            }
            return SMSSubscribeOutcome(
                change: change, isFirstDeviceOfUser: isFirst, userSubscription: user, removed: removed)
        }
    }

    public func unsubscribe(
        eventSource: EventSourceID, phoneNumber: PhoneNumber
    ) throws(StoreError) -> RemovedSMSSubscription? {
        try write { database in
            try database.smsSubscription(eventSource: eventSource, phoneNumber: phoneNumber)
                .map { try database.remove($0) }
        }
    }

    public func smsSubscription(
        eventSource: EventSourceID, phoneNumber: PhoneNumber
    ) throws(StoreError) -> SMSSubscription? {
        try read { try $0.smsSubscription(eventSource: eventSource, phoneNumber: phoneNumber) }
    }

    public func smsSubscriptions(
        eventSource: EventSourceID?, userID: String
    ) throws(StoreError) -> [SMSSubscription] {
        try read { database in
            let ofSource = eventSource.map { [$0.adapter, $0.name] } ?? []
            let rows = try database.rows(
                """
                SELECT * FROM sms_subscription
                WHERE user_id = ?\(ofSource.isEmpty ? "" : " AND adapter = ? AND event_source = ?")
                ORDER BY adapter, event_source, digits
                """, [userID] + ofSource)
            return try rows.map { try $0.smsSubscription() }
        }
    }

    public func smsSubscriptions(
        matching filter: SubscriptionFilter
    ) throws(StoreError) -> [SMSSubscription] {
        guard filter.deviceID == nil else { return [] }
        let (condition, arguments) = filter.sql
        return try read { database in
            let rows = try database.rows(
                "SELECT * FROM sms_subscription WHERE \(condition) ORDER BY adapter, event_source, digits",
                arguments)
            return try rows.map { try $0.smsSubscription() }
        }
    }
}

/// What these operations are made of. Each runs inside the caller's transaction.
extension StoreTransaction {
    fileprivate func smsSubscription(
        eventSource: EventSourceID, phoneNumber: PhoneNumber
    ) throws -> SMSSubscription? {
        try row(
            "SELECT * FROM sms_subscription WHERE adapter = ? AND event_source = ? AND digits = ?",
            [eventSource.adapter, eventSource.name, phoneNumber.digits])?.smsSubscription()
    }

    fileprivate func upsert(_ new: SMSSubscription) throws -> SubscribeOutcome.Change {
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
        guard inserted == 0 else { return .created }
        try run(
            """
            UPDATE sms_subscription SET user_realm = coalesce(?, user_realm)
            WHERE adapter = ? AND event_source = ? AND digits = ? AND user_realm IS DISTINCT FROM coalesce(?, user_realm)
            """, [new.userRealm] + key + [new.userRealm])
        let updated = try run(
            """
            UPDATE sms_subscription SET phone_number = ?, gateway_id = ?, alias = ?, application_id = ?
            WHERE adapter = ? AND event_source = ? AND digits = ?
            AND (phone_number, gateway_id, alias, application_id) IS DISTINCT FROM (?, ?, ?, ?)
            """, visible + key + visible)
        return updated > 0 ? .updated : .unchanged
    }

    fileprivate func remove(_ subscription: SMSSubscription) throws -> RemovedSMSSubscription {
        let source = subscription.eventSource
        guard let user = try userSubscription(source, userID: subscription.userID) else {
            throw StoredValueError(code: .corrupt, reason: "an SMS subscription has no user subscription")
        }
        try run(
            "DELETE FROM sms_subscription WHERE adapter = ? AND event_source = ? AND digits = ?",
            [source.adapter, source.name, subscription.phoneNumber.digits])
        return RemovedSMSSubscription(
            subscription: subscription, userSubscription: user,
            wasLastDeviceOfUser: try removeUserSubscriptionWithoutDevices(source, userID: subscription.userID))
    }
}
