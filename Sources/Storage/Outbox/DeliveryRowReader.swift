import Core
import Foundation
import PushModel
import Synchronization

/// A row that a statement returns, by the numbers of its columns from 0.
protocol ColumnReader {
    func isNull(_ column: Int32) -> Bool
    /// 0 for NULL.
    func integer(_ column: Int32) -> Int64
    /// 0 for NULL.
    func real(_ column: Int32) -> Double
    func optionalText(_ column: Int32) -> String?
    /// - Throws: ``StoredValueError`` when the column holds no id.
    func id(_ column: Int32) throws -> UUID
}

extension ColumnReader {
    func count(_ column: Int32) -> Int { Int(integer(column)) }

    func date(_ column: Int32) -> Date { Date(timeIntervalSince1970: real(column)) }

    /// Empty for NULL.
    func text(_ column: Int32) -> String { optionalText(column) ?? "" }

    func platform(_ column: Int32) throws -> Platform {
        guard let platform = Platform(rawValue: text(column)) else {
            throw StoredValueError(code: .corrupt, reason: "column platform holds an unknown name")
        }
        return platform
    }
}

/// The values that the deliveries of a notification have in common: one row.
struct StoredNotification {
    let id: UUID
    let eventSource: EventSourceID?
    let createdAt: Date
    let expiresAt: Date
    let content: NotificationContent

    /// Reads the columns `id, adapter, event_source, created_at, expires_at, options` from `first` on.
    ///
    /// - Parameter accepted: the notifications whose options need not be read again.
    init(_ row: some ColumnReader, from first: Int32 = 0, _ accepted: AcceptedNotifications?) throws {
        id = try row.id(first)
        eventSource = row.optionalText(first + 1).map { EventSourceID(adapter: $0, name: row.text(first + 2)) }
        (createdAt, expiresAt) = (row.date(first + 3), row.date(first + 4))
        content =
            try accepted?.contents.withLock { [id] in $0[id] }
            ?? NotificationContent(try JSONValue(stored: row.text(first + 5), in: "options"))
    }
}

/// A cache of the last accepted notifications, as `notify*` read them, for later claims.
///
/// The key is the notification's id, which the server draws at random for each call. So an id never finds another notification.
final class AcceptedNotifications: Sendable {
    let contents = Mutex(BoundedTable<UUID, NotificationContent>(capacity: 256))

    func add(_ deliveries: [Delivery]) {
        contents.withLock { contents in
            var last: UUID?
            for delivery in deliveries where delivery.notificationID != last {
                last = delivery.notificationID
                contents[delivery.notificationID] = delivery.content
            }
        }
    }
}

/// Reads rows of ``DeliveryColumns/names`` as deliveries without attempts.
struct DeliveryRowReader {
    private var values = JSONValueCache()

    mutating func delivery(_ row: some ColumnReader, of notification: StoredNotification) throws -> Delivery {
        var delivery = Delivery(
            id: try row.id(1), notificationID: notification.id, content: notification.content,
            target: try target(row, notification.eventSource), createdAt: notification.createdAt,
            expiresAt: notification.expiresAt)
        delivery.number = StoreNumber(row.integer(0))
        return delivery
    }

    private mutating func target(_ row: some ColumnReader, _ eventSource: EventSourceID?) throws -> DeliveryTarget {
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

    private func sms(_ row: some ColumnReader, _ eventSource: EventSourceID?) throws -> DeliveryTarget {
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

extension ColumnReader {
    /// Reads the state of a delivery from the columns `state, attempts, due, ended_at, service_id, reason, requests, failures` and
    /// the number of the delivery that it waits for, from `first` on.
    /// Without a state it has no attempts; without a time it waits for another one, or is due since its creation.
    func readStanding(of delivery: inout Delivery, from first: Int32) throws {
        if !isNull(first + 8) { delivery.waitsFor = StoreNumber(integer(first + 8)) }
        guard let text = optionalText(first) else { return }
        guard let state = DeliveryState(rawValue: text) else {
            throw StoredValueError(code: .corrupt, reason: "column state holds an unknown word")
        }
        delivery.state = state
        delivery.attempts = count(first + 1)
        if state.isEnd {
            delivery.endedAt = date(first + 3)
            delivery.due = date(first + 3)
            delivery.serviceID = optionalText(first + 4)
        } else {
            delivery.due = real(first + 2) > 0 ? date(first + 2) : delivery.createdAt
        }
        delivery.reason = optionalText(first + 5)
        delivery.requests = try [PushRequest](stored: optionalText(first + 6))
        delivery.failures = try [DeliveryFailure](stored: optionalText(first + 7))
    }
}

extension [PushRequest] {
    /// JSON, or nothing when there are none.
    func storedText() throws -> String? {
        isEmpty ? nil : String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    }

    fileprivate init(stored text: String?) throws {
        guard let text else {
            self = []
            return
        }
        do {
            self = try JSONDecoder().decode([PushRequest].self, from: Data(text.utf8))
        } catch is DecodingError {
            throw StoredValueError(code: .corrupt, reason: "column requests does not hold push requests")
        }
    }
}

extension [DeliveryFailure] {
    /// JSON with times in seconds since 1970, or nothing when there are none.
    func storedText() throws -> String? {
        guard !isEmpty else { return nil }
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        let storable = map { DeliveryFailure(time: $0.time, reason: $0.reason.withoutNUL) }
        return String(decoding: try encoder.encode(storable), as: UTF8.self)
    }

    init(stored text: String?) throws {
        guard let text else {
            self = []
            return
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        do {
            self = try decoder.decode([DeliveryFailure].self, from: Data(text.utf8))
        } catch is DecodingError {
            throw StoredValueError(code: .corrupt, reason: "column failures does not hold failed attempts")
        }
    }
}

extension String {
    /// The string without NUL. Services' reasons come from outside, and a NUL must not prevent the end of a delivery from being recorded.
    var withoutNUL: String { utf8.contains(0) ? replacing("\0", with: "\u{FFFD}") : self }
}

/// Serialises JSON values, once for a repeated value.
struct JSONTextCache {
    private var last: (value: JSONValue, text: String)?

    mutating func text(_ value: JSONValue) throws -> String {
        if let last, last.value == value { return last.text }
        let text = try value.storedText()
        last = (value, text)
        return text
    }
}

/// Parses JSON, once for a repeated string.
struct JSONValueCache {
    private var last: (text: String, value: JSONValue)?

    mutating func value(_ text: String, in column: String) throws -> JSONValue {
        if let last, last.text == text { return last.value }
        let value = try JSONValue(stored: text, in: column)
        last = (text, value)
        return value
    }
}

/// The values that identify a row of `notification`.
struct NotificationKey: Hashable {
    let id: UUID
    let eventSource: EventSourceID?
    let createdAt: Date
    let expiresAt: Date

    init(_ delivery: Delivery) {
        id = delivery.notificationID
        eventSource = delivery.target.eventSource
        (createdAt, expiresAt) = (delivery.createdAt, delivery.expiresAt)
    }

    init(_ broadcast: Broadcast) {
        eventSource = if case .eventSource(let source) = broadcast.target { source } else { nil }
        (id, createdAt, expiresAt) = (broadcast.id, broadcast.createdAt, broadcast.expiresAt)
    }
}
