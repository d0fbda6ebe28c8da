import Core
import Foundation
import GRDB
import PushModel

/// The columns of the table `delivery` that are its target's, and how a target gets into them and out.
///
/// A target with a phone number is an SMS subscription; of the others, those of an event source are device subscriptions
/// and the rest registrations.
enum DeliveryColumns {
    /// In the order of ``Delivery``'s own columns, then the target's.
    static let names = """
        seq, id, notification, channel, begun, user_id, device_id, application_id, alias, tag, token, phone_number,
        gateway_id, subscription_options, is_for_user
        """
    static let count: Int32 = 15
}

extension RawStatement {
    /// Binds a target to the ten parameters from `first` on.
    func bind(_ target: DeliveryTarget, from first: Int32, texts: inout JSONTextCache) throws {
        switch target {
        case .subscription(let to):
            try bind(first, to.userID)
            try bind(first + 1, to.deviceID)
            try bind(first + 2, to.applicationID)
            try bind(first + 3, to.alias)
            try bindNull(first + 4)
            try bind(first + 5, to.token.value)
            try bindNull(first + 6)
            try bindNull(first + 7)
            try bind(first + 8, try texts.text(to.options))
            try bindNull(first + 9)
        case .registration(let to, let address):
            try bind(first, to.userID)
            try bind(first + 1, to.deviceID)
            try bind(first + 2, to.applicationID)
            try bindNull(first + 3)
            try bind(first + 4, address.tag)
            try bind(first + 5, to.token.value)
            for index in 6...8 as ClosedRange<Int32> { try bindNull(first + index) }
            try bind(first + 9, address == .user ? 1 : 0)
        case .sms(let to):
            try bind(first, to.userID)
            try bindNull(first + 1)
            try bind(first + 2, to.applicationID)
            try bind(first + 3, to.alias)
            try bindNull(first + 4)
            try bindNull(first + 5)
            try bind(first + 6, to.phoneNumber.text)
            try bind(first + 7, to.gatewayID)
            try bindNull(first + 8)
            try bindNull(first + 9)
        }
    }
}

/// Reads rows of ``DeliveryColumns/names`` as deliveries without attempts, and each row of a notification once.
struct DeliveryReader {
    private let select: RawStatement
    private let accepted: AcceptedNotifications?
    private var notifications: [Int64: StoredNotification] = [:]
    private var rows = DeliveryRowReader()

    init(_ database: Database, _ accepted: AcceptedNotifications? = nil) throws {
        self.accepted = accepted
        select = try RawStatement(
            database,
            "SELECT id, adapter, event_source, created_at, expires_at, options FROM notification WHERE seq = ?")
    }

    mutating func delivery(_ row: RawStatement) throws -> Delivery {
        let number = row.integer(2)
        if let known = notifications[number] { return try rows.delivery(row, of: known) }
        try select.bind(1, number)
        defer { select.reset() }
        guard try select.step() else {
            throw StoredValueError(code: .corrupt, reason: "a delivery has no notification")
        }
        let stored = try StoredNotification(select, accepted)
        notifications[number] = stored
        return try rows.delivery(row, of: stored)
    }
}
