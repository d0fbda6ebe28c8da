import Core
public import PushModel

extension SQLStore: MovedRecordStore {
    public func add(_ records: [MovedRecord]) throws(StoreError) -> [MovedRecordOutcome] {
        try database.write { database in try records.map { try database.add($0) } }
    }
}

extension StoreTransaction {
    fileprivate func add(_ record: MovedRecord) throws -> MovedRecordOutcome {
        switch record {
        case .device(let device, let tags, let subscription, let state):
            try add(device, tags: tags, subscription, state: state)
        case .phoneNumber(let subscription): try add(subscription)
        }
    }

    private func add(
        _ device: DeviceRegistration, tags: [String], _ subscription: DeviceSubscription?, state: JSONValue?
    ) throws -> MovedRecordOutcome {
        let key = [device.applicationID, device.deviceID]
        let known = try registration(applicationID: device.applicationID, deviceID: device.deviceID)
        if let known, known.token != device.token || known.platform != device.platform { return .kept(.otherToken) }
        // The device may have changed hands, and the new user must not get the former one's messages.
        if let user = device.userID, let owner = known?.userID, owner != user { return .kept(.otherUser) }
        let other = try row(
            "SELECT 1 FROM device_registration WHERE application_id = ? AND token = ? AND device_id <> ?",
            [device.applicationID, device.token.value, device.deviceID])
        guard other == nil else { return .kept(.otherDevice) }
        if let subscription {
            for other in try conflictingSubscriptions(of: subscription) {
                return .kept(other.userID == subscription.userID ? .otherAlias : .otherUser)
            }
        }
        var changes = 0
        if known == nil {
            changes += try run(
                """
                INSERT INTO device_registration
                (application_id, device_id, user_id, user_realm, platform, token, has_checked_user)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                key + [device.userID, device.userRealm, device.platform.rawValue, device.token.value, true])
        }
        for tag in (known == nil ? [Tags.broadcast] : []) + tags {
            changes += try run(
                "INSERT INTO tag_subscription (application_id, tag, device_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [device.applicationID, Tags.normalised(tag), device.deviceID])
        }
        if let subscription {
            changes += try add(subscription, state: state)
            try run(
                "UPDATE device_registration SET has_checked_user = true WHERE application_id = ? AND device_id = ?", key
            )
        }
        return changes > 0 ? .added : .known
    }

    /// - Returns: the number of added rows.
    private func add(_ new: DeviceSubscription, state: JSONValue?) throws -> Int {
        var changes = 0
        if try ensureUserSubscription(new.eventSource, userID: new.userID) {
            changes += 1
            if let state {
                try run(
                    "UPDATE user_subscription SET state = ? WHERE adapter = ? AND event_source = ? AND user_id = ?",
                    [try state.storedText(), new.eventSource.adapter, new.eventSource.name, new.userID])
            }
        }
        return try changes
            + run(
                """
                INSERT INTO device_subscription
                (adapter, event_source, user_id, device_id, application_id, alias, platform, options, token, user_realm)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
                [
                    new.eventSource.adapter, new.eventSource.name, new.userID, new.deviceID, new.applicationID,
                    new.alias, new.platform.rawValue, try new.options.storedText(), new.token.value, new.userRealm,
                ])
    }

    private func add(_ new: SMSSubscription) throws -> MovedRecordOutcome {
        let known = try smsSubscription(eventSource: new.eventSource, phoneNumber: new.phoneNumber)
        if let known { return known.userID == new.userID ? .known : .kept(.otherNumber) }
        _ = try ensureUserSubscription(new.eventSource, userID: new.userID)
        try upsert(new)
        return .added
    }
}
