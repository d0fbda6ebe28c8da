import GRDB
import PushModel

/// Looks up who gets a claimed delivery: apps get new tokens and users unsubscribe while their deliveries wait, for a service
/// that is down or for the next attempt. Runs inside the caller's transaction.
struct CurrentTargets {
    private let subscription: RawStatement
    private let registration: RawStatement
    private let sms: RawStatement
    private var values = JSONValues()

    init(_ database: Database) throws {
        subscription = try RawStatement(
            database,
            """
            SELECT alias, platform, token, options FROM device_subscription
            WHERE adapter = ? AND event_source = ? AND user_id = ? AND device_id = ? AND application_id = ?
            """)
        registration = try RawStatement(
            database,
            """
            SELECT user_id, platform, token, EXISTS (
                SELECT 1 FROM tag_subscription AS t
                WHERE t.application_id = r.application_id AND t.tag = ? AND t.device_id = r.device_id
            ), coalesce(\(OwnershipSQL.isOfGuest), false)
            FROM device_registration AS r WHERE application_id = ? AND device_id = ?
            """)
        sms = try RawStatement(
            database,
            """
            SELECT gateway_id, alias, application_id FROM sms_subscription
            WHERE adapter = ? AND event_source = ? AND digits = ? AND user_id = ?
            """)
    }

    /// Gives a delivery the target that it has now, or the reason why it has none any more.
    mutating func update(_ delivery: inout Delivery) throws {
        switch delivery.target {
        case .subscription(let old):
            if let current = try current(old) {
                delivery.target = .subscription(current)
            } else if try find(applicationID: old.applicationID, deviceID: old.deviceID, tag: nil) != nil {
                delivery.withdrawal =
                    "the device is no longer subscribed to \(old.eventSource) for user '\(old.userID)'"
            }
        case .registration(let old, let address):
            guard
                let found = try find(applicationID: old.applicationID, deviceID: old.deviceID, tag: address.tag)
            else { return }
            if let tag = address.tag, !found.hasTag {
                delivery.withdrawal = "the device is no longer subscribed to the tag '\(tag)'"
            } else if address == .user, !found.isOfGuest, found.registration.userID != old.userID {
                delivery.withdrawal = "the device is no longer used by user '\(old.userID ?? "")'"
            } else {
                delivery.target = .registration(found.registration, by: address)
            }
        case .sms(let old):
            if let current = try current(old) {
                delivery.target = .sms(current)
            } else {
                delivery.withdrawal = "the phone number is no longer subscribed to \(old.eventSource)"
            }
        }
    }

    private mutating func current(_ old: DeviceSubscription) throws -> DeviceSubscription? {
        try subscription.bind(1, old.eventSource.adapter)
        try subscription.bind(2, old.eventSource.name)
        try subscription.bind(3, old.userID)
        try subscription.bind(4, old.deviceID)
        try subscription.bind(5, old.applicationID)
        defer { subscription.reset() }
        guard try subscription.step() else { return nil }
        return DeviceSubscription(
            eventSource: old.eventSource, userID: old.userID, deviceID: old.deviceID, applicationID: old.applicationID,
            alias: subscription.text(0), platform: try subscription.platform(1),
            token: DeviceToken(stored: subscription.text(2)),
            options: try values.value(subscription.text(3), in: "options"))
    }

    private func find(
        applicationID: String, deviceID: String, tag: String?
    ) throws -> (registration: DeviceRegistration, hasTag: Bool, isOfGuest: Bool)? {
        try registration.bind(1, tag)
        try registration.bind(2, applicationID)
        try registration.bind(3, deviceID)
        defer { registration.reset() }
        guard try registration.step() else { return nil }
        let current = DeviceRegistration(
            applicationID: applicationID, deviceID: deviceID, userID: registration.optionalText(0),
            platform: try registration.platform(1), token: DeviceToken(stored: registration.text(2)))
        return (current, registration.integer(3) != 0, registration.integer(4) != 0)
    }

    private func current(_ old: SMSSubscription) throws -> SMSSubscription? {
        try sms.bind(1, old.eventSource.adapter)
        try sms.bind(2, old.eventSource.name)
        try sms.bind(3, old.phoneNumber.digits)
        try sms.bind(4, old.userID)
        defer { sms.reset() }
        guard try sms.step() else { return nil }
        return SMSSubscription(
            eventSource: old.eventSource, phoneNumber: old.phoneNumber, gatewayID: sms.text(0), userID: old.userID,
            alias: sms.optionalText(1), applicationID: sms.optionalText(2))
    }
}

extension RawStatement {
    fileprivate func platform(_ column: Int32) throws -> Platform {
        guard let platform = Platform(rawValue: text(column)) else {
            throw StoredValueError(code: .corrupt, reason: "column platform holds an unknown name")
        }
        return platform
    }
}
