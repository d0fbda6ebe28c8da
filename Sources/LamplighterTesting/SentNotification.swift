public import Core
import Push
public import PushModel

/// A notification to one app on one device, with the requests that the server would send to the push service, byte for byte.
///
/// ```swift
/// let notification = try #require(try harness.sent.first)
/// #expect(notification.user == "ann" && notification.platform == "Apple")
/// try notification.expect(bodyContaining: ["aps": ["badge": 1]])
/// ```
public struct SentNotification: Sendable, Hashable {
    /// The platform: `Apple`, `Android`, `Windows`, `Web`, or `SMS`.
    public let platform: String
    public let user: String?
    public let device: String?
    public let application: String?
    /// The event source, as `Adapter.EventSource`; `nil` for a message of `sendMessage`.
    public let eventSource: String?
    /// The tag that `sendMessage` addressed; `nil` for another kind of address.
    public let tag: String?
    /// The requests to the push service: one, or several for Windows; none when the notification is refused.
    public let requests: [PushRequest]
    /// The reason why the server would send nothing to this platform, for example a payload that is too large; `nil` when it would send.
    public let refusal: String?

    init(_ delivery: Delivery, _ builder: PushRequestBuilder) {
        platform = delivery.target.platformName
        user = delivery.target.userID
        device = delivery.target.deviceID
        application = delivery.target.applicationID
        eventSource = delivery.target.eventSource?.description
        if case .registration(_, let address) = delivery.target { tag = address.tag } else { tag = nil }
        do {
            requests = try builder.requests(for: delivery, now: delivery.createdAt)
            refusal = nil
        } catch {
            requests = []
            refusal = error.reason
        }
    }

    /// The push service: `APNs`, `FCM` and so on.
    public var service: String? { requests.first?.service.rawValue }

    /// The headers of the first request.
    public var headers: [String: String] {
        Dictionary((requests.first?.headers ?? []).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// The body of the first request: its JSON value, or a string if it is not JSON; `null` without a request.
    public var body: JSONValue {
        guard let text = requests.first?.body else { return .null }
        return (try? JSONValue(parsing: text)) ?? .string(text)
    }

    /// Compares the body with an expected value. The order of members is ignored.
    ///
    /// - Throws: ``PayloadMismatchError`` with the lines that differ, or with the reason of a refusal.
    public func expect(body expected: JSONValue, fileID: String = #fileID, line: Int = #line)
        throws(PayloadMismatchError)
    {
        try expect(expected, found: body, TestPlace(fileID: fileID, line: line))
    }

    /// Compares a part of the body with an expected value: objects may have further members, such as the random `id` in payloads for web
    /// pages.
    ///
    /// - Throws: ``PayloadMismatchError`` with the lines that differ, or with the reason of a refusal.
    public func expect(
        bodyContaining expected: JSONValue, fileID: String = #fileID, line: Int = #line
    ) throws(PayloadMismatchError) {
        try expect(expected, found: body.restricted(to: expected), TestPlace(fileID: fileID, line: line))
    }

    private func expect(_ expected: JSONValue, found: JSONValue, _ place: TestPlace) throws(PayloadMismatchError) {
        if let refusal {
            throw PayloadMismatchError(what: "\(self)", text: "nothing would be sent: \(refusal)", place: place)
        }
        guard let difference = expected.difference(to: found) else { return }
        throw PayloadMismatchError(what: "\(self)", text: difference, place: place)
    }
}

extension SentNotification: CustomStringConvertible {
    public var description: String {
        "the notification to \(user.map { "\($0)'s " } ?? "")\(device ?? "phone number") (\(platform))"
    }
}

/// An error for a payload, or another value, that differs from the expected one.
public struct PayloadMismatchError: HarnessError, Hashable {
    /// The name of the compared value, such as `the value`.
    public let what: String
    /// The difference line by line, `-` expected and `+` actual, or the reason why nothing would be sent.
    public let text: String
    public var place: TestPlace?

    init(what: String, text: String, place: TestPlace) {
        (self.what, self.text, self.place) = (what, text, place)
    }

    public var message: String { "\(what) is not as expected:\n\(text)" }
}
