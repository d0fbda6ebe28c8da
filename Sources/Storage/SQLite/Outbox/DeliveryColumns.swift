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

/// Texts of JSON, each made once while the same value comes again and again.
struct JSONTexts {
    private var last: (value: JSONValue, text: String)?

    mutating func text(_ value: JSONValue) throws -> String {
        if let last, last.value == value { return last.text }
        let text = try value.storedText()
        last = (value, text)
        return text
    }
}

/// JSON of texts, each read once while the same text comes again and again.
struct JSONValues {
    private var last: (text: String, value: JSONValue)?

    mutating func value(_ text: String, in column: String) throws -> JSONValue {
        if let last, last.text == text { return last.value }
        let value = try JSONValue(stored: text, in: column)
        last = (text, value)
        return value
    }
}

extension RawStatement {
    /// Binds a target to the ten parameters from `first` on.
    func bind(_ target: DeliveryTarget, from first: Int32, texts: inout JSONTexts) throws {
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

/// Reads rows of ``DeliveryColumns/names`` as deliveries that nobody has attempted.
struct DeliveryReader {
    private var notifications: NotificationReader
    private var values = JSONValues()

    init(_ database: Database) throws {
        notifications = try NotificationReader(database)
    }

    mutating func delivery(_ row: RawStatement) throws -> Delivery {
        let notification = try notifications.notification(row.integer(2))
        var delivery = Delivery(
            id: try row.id(1), notificationID: notification.id, content: notification.content,
            target: try target(row, notification.eventSource), createdAt: notification.createdAt,
            expiresAt: notification.expiresAt)
        delivery.number = StoreNumber(row.integer(0))
        return delivery
    }

    private mutating func target(_ row: RawStatement, _ eventSource: EventSourceID?) throws -> DeliveryTarget {
        guard let channel = DeliveryChannel(rawValue: row.count(3)) else {
            throw StoredValueError(code: .corrupt, reason: "column channel holds an unknown number")
        }
        guard let platform = channel.platform else { return try sms(row, eventSource) }
        guard let eventSource else {
            return .registration(
                DeviceRegistration(
                    applicationID: row.text(7), deviceID: row.text(6), userID: row.optionalText(5), platform: platform,
                    token: DeviceToken(stored: row.text(10))),
                by: row.optionalText(9).map(MessageAddress.tag) ?? (row.integer(14) == 1 ? .user : .device))
        }
        return .subscription(
            DeviceSubscription(
                eventSource: eventSource, userID: row.text(5), deviceID: row.text(6), applicationID: row.text(7),
                alias: row.text(8), platform: platform, token: DeviceToken(stored: row.text(10)),
                options: try values.value(row.text(13), in: "subscription_options")))
    }

    private func sms(_ row: RawStatement, _ eventSource: EventSourceID?) throws -> DeliveryTarget {
        guard let eventSource else {
            throw StoredValueError(code: .corrupt, reason: "a delivery to a phone number has no event source")
        }
        let phoneNumber: PhoneNumber
        do {
            phoneNumber = try PhoneNumber(row.text(11))
        } catch {
            throw StoredValueError(code: .corrupt, reason: "column phone_number: \(error)")
        }
        return .sms(
            SMSSubscription(
                eventSource: eventSource, phoneNumber: phoneNumber, gatewayID: row.text(12), userID: row.text(5),
                alias: row.optionalText(8), applicationID: row.optionalText(7)))
    }
}
