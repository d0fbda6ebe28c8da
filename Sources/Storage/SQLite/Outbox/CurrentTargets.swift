import GRDB
import PushModel

/// Looks up who gets a claimed delivery. Runs inside the caller's transaction.
struct CurrentTargets: RecipientLookup {
    private let subscription: RawStatement
    private let registration: RawStatement
    private let sms: RawStatement
    private var values = JSONValueCache()

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

    mutating func current(_ old: DeviceSubscription) throws -> DeviceSubscription? {
        try subscription.bind(1, old.eventSource.adapter)
        try subscription.bind(2, old.eventSource.name)
        try subscription.bind(3, old.userID)
        try subscription.bind(4, old.deviceID)
        try subscription.bind(5, old.applicationID)
        defer { subscription.reset() }
        return try subscription.step() ? try subscription.current(old, from: 0, values: &values) : nil
    }

    func registration(applicationID: String, deviceID: String, tag: String?) throws -> FoundRegistration? {
        try registration.bind(1, tag)
        try registration.bind(2, applicationID)
        try registration.bind(3, deviceID)
        defer { registration.reset() }
        guard try registration.step() else { return nil }
        return try registration.registration(applicationID: applicationID, deviceID: deviceID, from: 0)
    }

    func current(_ old: SMSSubscription) throws -> SMSSubscription? {
        try sms.bind(1, old.eventSource.adapter)
        try sms.bind(2, old.eventSource.name)
        try sms.bind(3, old.phoneNumber.digits)
        try sms.bind(4, old.userID)
        defer { sms.reset() }
        return try sms.step() ? sms.current(old, from: 0) : nil
    }
}
