public import Core
public import Foundation
public import PushModel

extension SQLStore: SubscriptionStore {
    public func subscribe(
        _ subscription: DeviceSubscription, owing owed: UUID? = nil
    ) throws(StoreError) -> SubscribeOutcome {
        let now = time.now
        return try database.write { database in
            let removed = try database.conflictingSubscriptions(of: subscription).map { try database.remove($0) }
            let key = subscription.eventSource
            let isFirst = try database.ensureUserSubscription(key, userID: subscription.userID)
            let change = try database.upsert(subscription)
            _ = try database.register(DeviceRegistration(subscription), at: now)
            guard let user = try database.userSubscription(key, userID: subscription.userID) else {
                throw StoredValueError(code: .corrupt, reason: "a user subscription vanished while it was written")
            }
            let outcome = SubscribeOutcome(
                change: change, isFirstDeviceOfUser: isFirst, userSubscription: user, removed: removed)
            if let owed { try database.owe(outcome.events(of: subscription), change: owed) }
            return outcome
        }
    }

    public func unsubscribe(
        eventSource: EventSourceID, userID: String, deviceID: String, applicationID: String, owing change: UUID? = nil
    ) throws(StoreError) -> RemovedSubscription? {
        let filter = SubscriptionFilter(
            eventSource: eventSource, userID: userID, deviceID: deviceID, applicationID: applicationID)
        return try database.write { database in
            guard let subscription = try database.deviceSubscriptions(matching: filter).first else { return nil }
            let removed = try database.remove(subscription)
            if let change { try database.owe([.unsubscribed(removed)], change: change) }
            return removed
        }
    }

    public func userSubscription(
        eventSource: EventSourceID, userID: String
    ) throws(StoreError) -> UserSubscription? {
        try database.read { try $0.userSubscription(eventSource, userID: userID) }
    }

    public func saveState(
        _ state: JSONValue, eventSource: EventSourceID, userID: String
    ) throws(StoreError) -> Bool {
        try database.write { database in
            let changed = try database.run(
                "UPDATE user_subscription SET state = ? WHERE adapter = ? AND event_source = ? AND user_id = ?",
                [try state.storedText(), eventSource.adapter, eventSource.name, userID])
            return changed > 0
        }
    }

    public func deviceSubscriptions(
        matching filter: SubscriptionFilter
    ) throws(StoreError) -> [DeviceSubscription] {
        try database.read { try $0.deviceSubscriptions(matching: filter) }
    }

    public func targets(of eventSource: EventSourceID?, userID: String) throws(StoreError) -> [DeliveryTarget] {
        let filter = SubscriptionFilter(eventSource: eventSource, userID: userID)
        let ofSource = eventSource.map { [$0.adapter, $0.name] } ?? []
        return try database.read { database -> [DeliveryTarget] in
            let devices = try database.deviceSubscriptions(matching: filter)
            let numbers = try database.rows(
                """
                SELECT * FROM sms_subscription
                WHERE user_id = ?\(ofSource.isEmpty ? "" : " AND adapter = ? AND event_source = ?")
                ORDER BY adapter, event_source, digits
                """, [userID] + ofSource)
            return try devices.map { .subscription($0) } + numbers.map { .sms(try $0.smsSubscription()) }
        }
    }
}
