import Core
import Foundation
import PushModel

/// Which subscriptions of a device get its new token.
enum TokenUpdateScope {
    /// Those that have the device's former token, and the registered user's.
    case device
    /// Those of these users.
    case users(Set<RealmUser>)
}

/// The parts of the operations on registrations and tags. Each runs inside the caller's transaction.
extension StoreTransaction {
    /// Adds a registration, or brings it and the device's subscriptions up to date, and notes the time.
    ///
    /// - Returns: whether the registration is new or changed.
    func register(_ new: DeviceRegistration, at now: Date, heirs: TokenUpdateScope = .device) throws -> Bool {
        let former = try registration(applicationID: new.applicationID, deviceID: new.deviceID)
        if former == nil {
            try run(
                """
                INSERT INTO device_registration (application_id, device_id, user_id, user_realm, platform, token)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                [
                    new.applicationID, new.deviceID, new.userID, new.userRealm, new.platform.rawValue, new.token.value,
                ])
            try run(
                "INSERT INTO tag_subscription (application_id, tag, device_id) VALUES (?, ?, ?)",
                [new.applicationID, Tags.broadcast, new.deviceID])
        }
        let userID = new.userID ?? former?.userID
        let userRealm = new.userID == nil ? former?.userRealm : new.userRealm
        let visible = [userID, userRealm, new.platform.rawValue, new.token.value]
        let updated = try run(
            """
            UPDATE device_registration SET user_id = ?, user_realm = ?, platform = ?, token = ?
            WHERE application_id = ? AND device_id = ? AND (user_id, user_realm, platform, token) IS DISTINCT FROM (?, ?, ?, ?)
            """, visible + [new.applicationID, new.deviceID] + visible)
        try run(
            "UPDATE device_registration SET confirmed_at = ? WHERE application_id = ? AND device_id = ?",
            [now.timeIntervalSince1970, new.applicationID, new.deviceID])
        let (tokens, users): ([String], [RealmUser]) =
            switch heirs {
            case .device:
                (
                    [former?.token.value, new.token.value].compactMap(\.self),
                    new.userID.map { [RealmUser(id: $0, realm: new.userRealm)] } ?? []
                )
            case .users(let users): ([new.token.value], Array(users))
            }
        let ofUser = users.map { _ in " OR (user_id, user_realm) IS NOT DISTINCT FROM (?, ?)" }.joined()
        try run(
            """
            UPDATE device_subscription SET token = ?, platform = ?
            WHERE device_id = ? AND application_id = ? AND (token, platform) <> (?, ?)
            AND (token IN (\(marks(tokens.count)))\(ofUser))
            """,
            [
                new.token.value, new.platform.rawValue, new.deviceID, new.applicationID, new.token.value,
                new.platform.rawValue,
            ] + tokens + users.flatMap { [$0.id, $0.realm] as [(any StoreArgument)?] })
        return former == nil || updated > 0
    }

    func registration(applicationID: String, deviceID: String) throws -> DeviceRegistration? {
        try row(
            "SELECT * FROM device_registration WHERE application_id = ? AND device_id = ?",
            [applicationID, deviceID])?.deviceRegistration()
    }

    /// Returns true if the device confirmed its token after `date`.
    func isConfirmed(applicationID: String, deviceID: String, since date: Date) throws -> Bool {
        try first(
            Bool.self, "SELECT confirmed_at > ? FROM device_registration WHERE application_id = ? AND device_id = ?",
            [date.timeIntervalSince1970, applicationID, deviceID]) ?? false
    }

    func tags(applicationID: String, deviceID: String) throws -> [String] {
        try all(
            String.self, "SELECT tag FROM tag_subscription WHERE application_id = ? AND device_id = ? ORDER BY tag",
            [applicationID, deviceID])
    }

    /// The next targets of a broadcast.
    func targets(
        applicationID: String, from page: RegistrationPage, limit: Int, part: (Int) throws -> TargetPart?
    ) throws -> (targets: [DeliveryTarget], next: RegistrationPage?) {
        var targets: [DeliveryTarget] = []
        let (_, next) = try walk(from: page, limit: limit, part: part) { part, position, wanted in
            let query = RecipientQuery(part, of: applicationID, after: position, limit: wanted, in: self)
            guard part.kind == .eventSource else {
                let before = targets.count
                try forEachRow(query.sql, query.arguments) {
                    targets.append(.registration(try $0.deviceRegistration(), by: part.address))
                }
                return (targets.count - before, targets.last?.deviceID)
            }
            let more = try rows(query.sql, query.arguments).map { try $0.deviceSubscription() }
            targets += more.map(DeliveryTarget.subscription)
            return (
                more.count, more.last.map { SubscriberPosition(userID: $0.userID, deviceID: $0.deviceID).text }
            )
        }
        return (targets, next)
    }

    /// Reads one page of the registrations of a target, part by part. A page reads at most `limit` parts, so that it is short even
    /// when few of the parts match a registration.
    ///
    /// - Parameters:
    ///   - part: the target's part of that number, or `nil` after the last.
    ///   - take: takes at most the given number of a part's registrations after a device, and returns how many it took and the last device.
    /// - Returns: the number of registrations taken, and the next page; `nil` at the end.
    func walk(
        from page: RegistrationPage, limit: Int, part: (Int) throws -> TargetPart?,
        take: (TargetPart, _ after: String?, _ wanted: Int) throws -> (count: Int, last: String?)
    ) throws -> (count: Int, next: RegistrationPage?) {
        let limit = max(limit, 1)
        var (page, count) = (page, 0)
        for _ in 0..<limit {
            guard let part = try part(page.part) else { return (count, nil) }
            let wanted = limit - count
            let taken = try take(part, page.afterDevice, wanted)
            count += taken.count
            guard taken.count < wanted else {
                page.afterDevice = taken.last ?? page.afterDevice
                return (count, page)
            }
            page = RegistrationPage(part: page.part + 1)
        }
        return (count, page)
    }
}

/// A position in the recipients of a broadcast.
struct RegistrationPage {
    /// Which of the target's values.
    var part = 0
    /// The last returned device of that part; `nil` for none.
    var afterDevice: String?
}
