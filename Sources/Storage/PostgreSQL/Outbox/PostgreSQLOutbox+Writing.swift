import Core
import Foundation
import PushModel

/// New deliveries.
extension PostgreSQLOutbox {
    /// - Returns: the ids of the notifications that were written, by their numbers.
    @discardableResult
    func insert(
        _ deliveries: [Delivery], in transaction: any StoreTransaction, _ changes: inout OutboxChanges
    ) throws -> [Int64: UUID] {
        let now = try now(in: transaction)
        let notifications = try insertNotifications(of: deliveries, in: transaction)
        var rows = DeliveryArrays()
        for delivery in deliveries {
            try rows.append(delivery, notification: notifications[NotificationKey(delivery)] ?? 0, now: now)
        }
        let numbers = try transaction.all(Int64.self, DeliveryArrays.insert, rows.arguments)
        guard numbers.count == deliveries.count else {
            throw StoredValueError(code: .other, reason: "PostgreSQL inserted fewer deliveries than expected")
        }
        var ends = DeliveryEnds()
        for (number, delivery) in zip(numbers, deliveries) {
            changes.add(number, in: delivery.state.isEnd ? delivery.state : .queued)
            guard let endedAt = delivery.endedAt, delivery.state.isEnd else { continue }
            changes.ended += 1
            ends.append(
                number, delivery.id, claim: 0, attempts: Int64(delivery.attempts), delivery.state, endedAt: endedAt,
                serviceID: delivery.serviceID, reason: delivery.reason,
                requests: try delivery.requests.storedText())
        }
        if !ends.isEmpty { try transaction.run(DeliveryEnds.move, ends.arguments + [nil]) }
        return Dictionary(uniqueKeysWithValues: notifications.map { ($0.value, $0.key.id) })
    }

    private func insertNotifications(
        of deliveries: [Delivery], in transaction: any StoreTransaction
    ) throws -> [NotificationKey: Int64] {
        var rows: [NotificationKey: Int64] = [:]
        for delivery in deliveries {
            let key = NotificationKey(delivery)
            guard rows[key] == nil else { continue }
            rows[key] = try transaction.insertNotification(key, delivery.content)
        }
        return rows
    }
}

extension StoreTransaction {
    /// Inserts a row of `notification`.
    ///
    /// - Returns: its number.
    func insertNotification(_ key: NotificationKey, _ content: NotificationContent) throws -> Int64 {
        let options = try content.source ?? content.options.storedText()
        return try first(
            Int64.self,
            """
            INSERT INTO notification (id, adapter, event_source, created_at, expires_at, options)
            VALUES (?, ?, ?, ?, ?, ?) RETURNING seq
            """,
            [
                key.id.uuidString, key.eventSource?.adapter, key.eventSource?.name, key.createdAt.timeIntervalSince1970,
                key.expiresAt.timeIntervalSince1970, options,
            ]) ?? 0
    }
}

/// The columns of new deliveries, each as an array.
struct DeliveryArrays {
    private var ids = PostgreSQLArray()
    private var notifications = PostgreSQLArray()
    private var lanes = PostgreSQLArray()
    private var dues = PostgreSQLArray()
    private var dueSetAts = PostgreSQLArray()
    private var channels = PostgreSQLArray()
    private var attempts = PostgreSQLArray()
    private var users = PostgreSQLArray()
    private var devices = PostgreSQLArray()
    private var applications = PostgreSQLArray()
    private var aliases = PostgreSQLArray()
    private var tags = PostgreSQLArray()
    private var tokens = PostgreSQLArray()
    private var phoneNumbers = PostgreSQLArray()
    private var gateways = PostgreSQLArray()
    private var options = PostgreSQLArray()
    private var areForUsers = PostgreSQLArray()
    private var digits = PostgreSQLArray()
    private var reasons = PostgreSQLArray()
    private var requests = PostgreSQLArray()
    private var failures = PostgreSQLArray()
    private var texts = JSONTextCache()

    /// The SQL expression that is hashed to a device's lane.
    static let laneOfDevice = "application_id || chr(31) || device_id"

    /// Returns the numbers in the order of the arrays.
    static let insert = """
        INSERT INTO delivery (id, notification, lane, due, due_set_at, channel, attempts, user_id, device_id, application_id, alias, tag,
            token, phone_number, gateway_id, subscription_options, is_for_user, digits, reason, requests, failures)
        SELECT n.id, n.notification, hashtextextended(n.lane, 0), n.due, n.due_set_at, n.channel, n.attempts, n.user_id, n.device_id,
            n.application_id, n.alias, n.tag, n.token, n.phone_number, n.gateway_id, n.options, n.is_for_user, n.digits, n.reason,
            n.requests, n.failures::jsonb
        FROM unnest(?::uuid[], ?::bigint[], ?::text[], ?::float8[], ?::float8[], ?::integer[], ?::integer[], ?::text[], ?::text[],
            ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::boolean[], ?::text[], ?::text[], ?::text[],
            ?::text[])
            WITH ORDINALITY AS n (id, notification, lane, due, due_set_at, channel, attempts, user_id, device_id, application_id,
                alias, tag, token, phone_number, gateway_id, options, is_for_user, digits, reason, requests, failures, place)
        ORDER BY n.place RETURNING seq
        """

    var arguments: [(any StoreArgument)?] {
        [
            ids, notifications, lanes, dues, dueSetAts, channels, attempts, users, devices, applications, aliases, tags,
            tokens,
            phoneNumbers, gateways, options, areForUsers, digits, reasons, requests, failures,
        ]
    }

    /// - Parameter now: the due time of a new delivery.
    mutating func append(_ delivery: Delivery, notification: Int64, now: Double) throws {
        let isNew = delivery.attempts == 0 && delivery.due == delivery.createdAt
        ids.append(delivery.id)
        notifications.append(notification)
        dues.append(isNew ? now : delivery.due.timeIntervalSince1970)
        dueSetAts.append(isNew ? now : delivery.createdAt.timeIntervalSince1970)
        channels.append(Int64(delivery.target.channel.rawValue))
        // An ended delivery is moved to `delivery_end` at once; until then the unique index must not count it as begun.
        attempts.append(Int64(delivery.state.isEnd ? 0 : delivery.attempts))
        reasons.append(delivery.reason?.withoutNUL)
        requests.append(try delivery.requests.storedText())
        failures.append(try delivery.failures.storedText())
        let target = delivery.target
        users.append(target.userID)
        applications.append(target.applicationID)
        devices.append(target.deviceID)
        tokens.append(target.token?.value)
        switch target {
        case .subscription(let to):
            try append(alias: to.alias, options: to.options)
            lanes.append("\(to.applicationID)\u{1F}\(to.deviceID)")
        case .registration(let to, let address):
            try append(tag: address.tag, isForUser: address == .user)
            lanes.append("\(to.applicationID)\u{1F}\(to.deviceID)")
        case .sms(let to):
            try append(alias: to.alias, phone: to)
            lanes.append(to.phoneNumber.digits)
        }
    }

    /// Appends the columns that only some targets have.
    private mutating func append(
        alias: String? = nil, options: JSONValue? = nil, tag: String? = nil, isForUser: Bool? = nil,
        phone: SMSSubscription? = nil
    ) throws {
        aliases.append(alias)
        self.options.append(try options.map { try texts.text($0) })
        tags.append(tag)
        areForUsers.append(isForUser)
        phoneNumbers.append(phone?.phoneNumber.text)
        digits.append(phone?.phoneNumber.digits)
        gateways.append(phone?.gatewayID)
    }
}
