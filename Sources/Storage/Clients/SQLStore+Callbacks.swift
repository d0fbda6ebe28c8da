import Foundation
public import PushModel

/// The callbacks that changes of subscriptions owe.
extension SQLStore {
    public func pendingCallbacks(
        of adapters: Set<String>? = nil, from position: Int64? = nil, limit: Int
    ) throws(StoreError) -> PendingCallbackPage {
        try database.read { database in
            let names = adapters?.sorted()
            let isTheirs = names.map { "AND adapter IN (\(marks($0.count)))" } ?? ""
            let rows = try database.rows(
                """
                SELECT * FROM owed_callback
                WHERE seq >= ? \(isTheirs) ORDER BY seq LIMIT ?
                """, [position ?? 0] + (names ?? []) + [max(limit, 1)])
            let last: Int64? = try rows.count < max(limit, 1) ? nil : rows.last?.value("seq")
            return PendingCallbackPage(callbacks: try rows.map { try $0.owedCallback() }, next: last.map { $0 + 1 })
        }
    }

    public func pendingCallbacks(before callback: PendingCallback, limit: Int?) throws(StoreError) -> [PendingCallback]
    {
        let (change, subscription) = (callback.id.change.storedText, callback.event.deviceSubscription)
        return try database.read { database in
            try database.rows(
                """
                SELECT * FROM owed_callback
                WHERE (adapter, event_source, user_id) = (?, ?, ?) AND change <> ?
                    AND seq < (SELECT seq FROM owed_callback WHERE change = ? AND number = ?)
                ORDER BY seq DESC LIMIT ?
                """,
                [
                    subscription.eventSource.adapter, subscription.eventSource.name, subscription.userID, change,
                    change, callback.id.number, limit ?? Int.max,
                ]
            ).map { try $0.owedCallback() }
        }
    }

    public func isCallbackPending(_ callback: PendingCallback.ID) throws(StoreError) -> Bool {
        try database.read { database in
            try database.row(
                "SELECT 1 FROM owed_callback WHERE change = ? AND number = ?",
                [callback.change.storedText, callback.number]) != nil
        }
    }

    public func settle(_ callback: PendingCallback.ID) throws(StoreError) {
        try database.writeAhead { database in
            try database.run(
                "DELETE FROM owed_callback WHERE change = ? AND number = ?",
                [callback.change.storedText, callback.number])
        }
    }

    public func pendingCallbackCounts(exceptOf adapters: Set<String>) throws(StoreError) -> [String: Int] {
        try database.read { database in
            let rows = try database.rows("SELECT adapter, count(*) AS count FROM owed_callback GROUP BY adapter")
            return try Dictionary(
                uniqueKeysWithValues: rows.map { (try $0.value("adapter") as String, try $0.value("count") as Int) }
            ).filter { !adapters.contains($0.key) }
        }
    }

    public func dropPendingCallbacks(of adapter: String) throws(StoreError) -> Int {
        try database.write { database in try database.run("DELETE FROM owed_callback WHERE adapter = ?", [adapter]) }
    }
}

extension StoreTransaction {
    /// Records the callbacks of a change, in the change's own transaction.
    func owe(_ events: [SubscriptionEvent], change: UUID) throws {
        for (number, event) in events.enumerated() {
            let (kind, user, isEdge): (PendingCallbackKind, UserSubscription, Bool) =
                switch event {
                case .subscribed(_, let user, let isFirst): (.subscribed, user, isFirst)
                case .unsubscribed(let removed):
                    (.unsubscribed, removed.userSubscription, removed.wasLastDeviceOfUser)
                }
            let subscription = event.deviceSubscription
            try run(
                """
                INSERT INTO owed_callback (
                    change, number, kind, adapter, event_source, user_id, user_state, device_id, application_id, alias,
                    platform, token, options, is_edge
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    change.storedText, number, kind.rawValue, subscription.eventSource.adapter,
                    subscription.eventSource.name, subscription.userID, try user.state.storedText(),
                    subscription.deviceID, subscription.applicationID, subscription.alias,
                    subscription.platform.rawValue, subscription.token.value, try subscription.options.storedText(),
                    isEdge,
                ])
        }
    }
}

private enum PendingCallbackKind: String {
    case subscribed, unsubscribed
}

extension StoreRow {
    fileprivate func owedCallback() throws -> PendingCallback {
        let subscription = try deviceSubscription()
        let user = UserSubscription(
            eventSource: subscription.eventSource, userID: subscription.userID, state: try json("user_state"))
        let isEdge: Bool = try value("is_edge")
        let kind: PendingCallbackKind = try choice("kind")
        let event: SubscriptionEvent =
            switch kind {
            case .subscribed: .subscribed(subscription, of: user, isFirstDeviceOfUser: isEdge)
            case .unsubscribed:
                .unsubscribed(
                    RemovedSubscription(
                        deviceSubscription: subscription, userSubscription: user, wasLastDeviceOfUser: isEdge))
            }
        return PendingCallback(
            id: PendingCallback.ID(change: try uuid("change"), number: try value("number")), event: event)
    }
}
