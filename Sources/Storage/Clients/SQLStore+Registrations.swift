import Core
public import Foundation
public import PushModel

extension SQLStore: RegistrationStore {
    @discardableResult
    public func register(_ registration: DeviceRegistration) throws(StoreError) -> Bool {
        let now = time.now
        return try database.write { try $0.register(registration, at: now) }
    }

    public func unregister(
        applicationID: String, deviceID: String, token: DeviceToken? = nil, notSince: Date? = nil,
        owing change: UUID? = nil
    ) throws(StoreError) -> RemovedRegistration? {
        let filter = SubscriptionFilter(deviceID: deviceID, applicationID: applicationID)
        return try database.write { database in
            let registration = try database.registration(applicationID: applicationID, deviceID: deviceID)
                .flatMap { token == nil || $0.token == token ? $0 : nil }
            // A device that has registered another token since says nothing of this one.
            if registration != nil, let notSince,
                try database.isConfirmed(applicationID: applicationID, deviceID: deviceID, since: notSince)
            {
                return nil
            }
            let subscriptions = try database.deviceSubscriptions(matching: filter)
                .filter { token == nil || $0.token == token }
            guard registration != nil || !subscriptions.isEmpty else { return nil }
            if registration != nil {
                // Its tags go with it.
                try database.run(
                    "DELETE FROM device_registration WHERE application_id = ? AND device_id = ?",
                    [applicationID, deviceID])
            }
            let removed = try subscriptions.map { try database.remove($0) }
            if let change { try database.owe(removed.map { .unsubscribed($0) }, change: change) }
            return RemovedRegistration(registration: registration, subscriptions: removed)
        }
    }

    @discardableResult
    public func register(
        _ claim: DeviceClaim, user: RealmUser?, platform: Platform, token: DeviceToken
    ) throws(StoreError) -> DeviceRegistration {
        let now = time.now
        return try database.write { try $0.register(claim, user: user, platform: platform, token: token, at: now) }
    }

    public func handOver(
        applicationID: String, from former: String, to installationID: String, token: DeviceToken? = nil
    ) throws(StoreError) {
        let condition = "application_id = ? AND client_id = ? AND token = coalesce(?, token)"
        let values: [String?] = [applicationID, former, token?.value]
        // Most logins are those of clients that have registered nothing, and do not wait for the disk.
        let isKnown = try database.read { database in
            try database.first(
                Bool.self, "SELECT EXISTS (SELECT 1 FROM device_registration WHERE \(condition))", values)
        }
        guard isKnown == true else { return }
        try database.write { database in
            _ = try database.run(
                "UPDATE device_registration SET client_id = ? WHERE \(condition)", [installationID] + values)
        }
    }

    public func registration(
        of claim: DeviceClaim, showing token: DeviceToken? = nil
    ) throws(StoreError) -> DeviceRegistration? {
        try database.read { try $0.ownedDevice(of: claim, showing: token)?.registration }
    }

    public func openRegistration(of claim: DeviceClaim) throws(StoreError) -> DeviceRegistration? {
        try database.read { try $0.openDevice(of: claim) }
    }

    public func noteCheckedUser(applicationID: String, deviceID: String) throws(StoreError) {
        let condition = "application_id = ? AND device_id = ? AND NOT has_checked_user"
        // Most subscriptions come from devices where it is known.
        let isNew = try database.read { database in
            try database.first(
                Bool.self, "SELECT EXISTS (SELECT 1 FROM device_registration WHERE \(condition))",
                [applicationID, deviceID])
        }
        guard isNew == true else { return }
        try database.write { database in
            _ = try database.run(
                "UPDATE device_registration SET has_checked_user = true WHERE \(condition)", [applicationID, deviceID])
        }
    }

    @discardableResult
    public func moveSubscriptions(
        of claim: DeviceClaim, to device: DeviceRegistration
    ) throws(StoreError) -> Int {
        // Most logins and tokens move nothing, and do not wait for the disk.
        let isNeeded = try database.read { try !$0.movableSubscriptions(of: claim, to: device).isEmpty }
        guard isNeeded else { return 0 }
        return try database.write { try $0.moveSubscriptions(of: claim, to: device) }
    }

    public func registration(applicationID: String, deviceID: String) throws(StoreError) -> DeviceRegistration? {
        try database.read { try $0.registration(applicationID: applicationID, deviceID: deviceID) }
    }

    public func subscribe(toTag tag: String, applicationID: String, deviceID: String) throws(StoreError) -> Bool {
        try database.write { database in
            guard try database.registration(applicationID: applicationID, deviceID: deviceID) != nil else {
                return false
            }
            try database.run(
                "INSERT INTO tag_subscription (application_id, tag, device_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [applicationID, Tags.normalised(tag), deviceID])
            return true
        }
    }

    public func unsubscribe(fromTag tag: String, applicationID: String, deviceID: String) throws(StoreError) -> Bool {
        try database.write { database in
            try database.run(
                "DELETE FROM tag_subscription WHERE application_id = ? AND tag = ? AND device_id = ?",
                [applicationID, Tags.normalised(tag), deviceID]) > 0
        }
    }

    public func tags(applicationID: String, deviceID: String) throws(StoreError) -> [String] {
        try database.read { try $0.tags(applicationID: applicationID, deviceID: deviceID) }
    }
}
