public import Core
import Push
public import PushModel

/// A notification to one app on one device, as it would go to its push service, byte for byte.
public struct SentNotification: Sendable, Hashable {
    /// `Apple`, `Android`, `Windows`, `Web`, or `SMS`.
    public let platform: String
    public let user: String?
    public let device: String?
    public let application: String?
    /// `Adapter.EventSource`; `nil` for what `sendMessage` sent.
    public let eventSource: String?
    /// The tag by which `sendMessage` meant it.
    public let tag: String?
    /// What would be sent: one request, or several for Windows; none when it is refused.
    public let requests: [PushRequest]
    /// Why nothing can be sent to this platform: too large, say, or without a part for it.
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

    /// The fields of the first request's header.
    public var headers: [String: String] {
        Dictionary((requests.first?.headers ?? []).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// The body of the first request; as JSON where it is JSON.
    public var body: JSONValue {
        guard let text = requests.first?.body else { return .null }
        return (try? JSONValue(parsing: text)) ?? .string(text)
    }

    /// Holds the body against what is expected. The order of members does not count.
    ///
    /// - Throws: ``PayloadMismatchError``.
    public func expect(body expected: JSONValue, fileID: String = #fileID, line: Int = #line)
        throws(PayloadMismatchError)
    {
        try expect(expected, found: body, TestPlace(fileID: fileID, line: line))
    }

    /// Holds a part of the body against what is expected: objects may have further members, as with the random `id` that web pages
    /// are sent.
    ///
    /// - Throws: ``PayloadMismatchError``.
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

/// A payload, or an answer, that is not what was expected.
public struct PayloadMismatchError: HarnessError, Hashable {
    /// What was looked at.
    public let what: String
    /// Line by line: `-` expected, `+` found.
    public let text: String
    public var place: TestPlace?

    init(what: String, text: String, place: TestPlace) {
        (self.what, self.text, self.place) = (what, text, place)
    }

    public var message: String { "\(what) is not as expected:\n\(text)" }
}
