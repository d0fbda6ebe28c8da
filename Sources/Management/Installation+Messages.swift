import AdapterRuntime
import Authentication
import Core
package import Foundation
package import Installation
import Push
import PushModel
import WorklightProject

/// Messages that are sent without an adapter.
extension Installation {
    /// The lifetime of an idempotency key, in seconds.
    package static let keyLife: TimeInterval = 24 * 3600

    /// Sends a message to devices, users, tags, platforms or everybody.
    ///
    /// - Parameters:
    ///   - body: `application`, and the options of `sendMessage` (server-api 2.8).
    ///   - key: a request that is repeated under it sends nothing again.
    /// - Throws: ``ManagementError``, `StoreError`.
    func send(_ body: JSONValue, idempotencyKey key: String?) async throws -> JSONValue {
        let (applicationID, message) = try broadcastMessage(body)
        let digest = ManagementAccess.hash(body.sorted.text)
        let asked = SentMessage(
            applicationID: applicationID, idempotencyKey: key, digest: digest, createdAt: time.now)
        let (id, recipients) = try await runBlocking { [store, broadcasts = deliveries.broadcasts, time, message] in
            let known = try store.note(asked, keysSince: asked.createdAt.addingTimeInterval(-Self.keyLife))
            if let known, known.digest != asked.digest {
                throw ManagementError(
                    .unprocessable,
                    "a different request used this key within the last 24 hours; use a new key for a new message",
                    field: "Idempotency-Key")
            }
            let id = known?.id ?? asked.id
            let now = time.now
            // Does nothing when the message has begun, and resumes it after a crash.
            _ = try broadcasts.send(
                Broadcast(
                    id: id, applicationID: applicationID, target: message.target, options: message.options,
                    createdAt: now, expiresAt: now.addingTimeInterval(message.timeToLive)))
            try store.outbox.flush()
            return (id, try store.outbox.counts(ofNotification: id).values.reduce(0, +))
        }
        var warnings = message.warnings
        if recipients == 0 { warnings.append("no device of the application '\(applicationID)' matches") }
        return [
            "id": .string(id.spelling), "recipients": .number(Double(recipients)),
            "warnings": .array(warnings.map { .string($0) }),
        ]
    }

    /// Counts the recipients of a message by platform, and builds a request to each push service.
    ///
    /// - Throws: ``ManagementError``, `StoreError`.
    func preview(_ body: JSONValue) async throws -> JSONValue {
        let (applicationID, message) = try broadcastMessage(body)
        guard message.target.count <= Self.mostPreviewed else {
            throw ManagementError(
                .badRequest, "a preview counts \(Self.mostPreviewed) names at most", field: "target")
        }
        let now = time.now
        let recipients = try await runBlocking { [store] in
            try store.recipients(of: message.target, applicationID: applicationID)
        }
        let builder = deliveries.credentials.requestBuilder
        let platforms = recipients.map { count, example -> JSONValue in
            let delivery = Delivery(
                notificationID: UUID(), content: NotificationContent(message.options), target: example, createdAt: now,
                expiresAt: now.addingTimeInterval(message.timeToLive))
            var object: JSONObject = [
                "platform": .string(example.platformName), "recipients": .number(Double(count)), "requests": [],
            ]
            do throws(PushRequestError) {
                object["requests"] = .array(
                    try builder.requests(for: delivery, now: now).map { $0.json(hiding: example.token) })
            } catch {
                object["problem"] = .string(error.reason)
            }
            return .object(object)
        }
        let warnings = message.warnings + (try await previewWarnings(message.target, recipients.count, applicationID))
        return [
            "recipients": .number(Double(recipients.reduce(0) { $0 + $1.count })),
            "warnings": .array(warnings.map { .string($0) }), "platforms": .array(platforms),
        ]
    }

    /// The largest number of users, devices or tags in a preview.
    private static let mostPreviewed = 1000
    /// Lists the names that reach no device, and the number of blocked devices.
    private func previewWarnings(
        _ target: BroadcastTarget, _ platforms: Int, _ applicationID: String
    ) async throws -> [String] {
        let single: (kind: String, names: [String], target: @Sendable (String) -> BroadcastTarget)? =
            switch target {
            case .users(let names): ("user", names, { .users([$0]) })
            case .devices(let names): ("device", names, { .devices([$0]) })
            default: nil
            }
        var warnings: [String] = []
        if let single {
            warnings = try await runBlocking { [store] in
                try single.names.filter {
                    try store.recipients(of: single.target($0), applicationID: applicationID).isEmpty
                }
                .map { "no registered device: \(single.kind) '\($0)'" }
            }
        }
        if warnings.isEmpty, platforms == 0 { warnings = ["no device of the application '\(applicationID)' matches"] }
        let blocked = try await runBlocking { [store] in try store.blockedDevices() }.count {
            $0.applicationID == applicationID
        }
        if blocked > 0 {
            warnings.append(
                "\(blocked) device\(blocked == 1 ? "" : "s") of the application \(blocked == 1 ? "is" : "are") blocked; "
                    + "deliveries to blocked devices are refused")
        }
        return warnings
    }

    /// Reads a message and its target.
    ///
    /// - Throws: ``ManagementError``, `UnknownNameError`.
    private func broadcastMessage(_ body: JSONValue) throws -> (applicationID: String, message: BroadcastMessage) {
        let applicationID = try applicationOfMessage(body["application"]?.string)
        if let target = body["target"]?.object, target.members.count != 1 {
            throw ManagementError(
                .badRequest,
                "expected one of userIds, deviceIds, tagNames, platforms and eventSource; leave target out for everybody",
                field: "target")
        }
        let source = try eventSource(ofTarget: body["target"])
        var message: BroadcastMessage
        do {
            message = try BroadcastMessage(options: source == nil ? body : body.with("target", nil))
        } catch {
            throw ManagementError(
                .badRequest, error.reason, field: error.path.isEmpty ? "message" : error.path)
        }
        do {
            if let tags = project.applicationTags[applicationID] { try message.checkTags(tags) }
        } catch {
            throw ManagementError(.badRequest, "\(error)", field: "target.tagNames")
        }
        if let source { message.target = .eventSource(source) }
        return (applicationID, message)
    }

    /// The event source that a target names; `nil` for other targets.
    private func eventSource(ofTarget target: JSONValue?) throws -> EventSourceID? {
        guard let name = target?["eventSource"]?.string else { return nil }
        let source = try Self.eventSource(name)
        try checkEventSource(source)
        return source
    }

    /// - Throws: `UnknownNameError` when no adapter that is loaded has the event source.
    func checkEventSource(_ source: EventSourceID) throws(UnknownNameError) {
        let known = runtime.eventSources.map(\.id)
        guard known.contains(source) else {
            throw UnknownNameError(
                kind: "event source", name: source.description, known: known.map(\.description))
        }
    }

    /// Returns the number of a message's deliveries in each state, and whether all have been created.
    ///
    /// - Throws: ``ManagementError`` with status 404, `StoreError`.
    func message(_ text: String) async throws -> JSONValue {
        let unknown = ManagementError(
            .notFound, "unknown message '\(text.prefix(100))'; messages are purged with their deliveries")
        guard let id = UUID(uuidString: text) else { throw unknown }
        return try await runBlocking { [store] in
            let message = try store.message(id)
            let counts = try store.outbox.counts(ofNotification: id)
            guard message != nil || !counts.isEmpty else { throw unknown }
            var states = JSONObject()
            for state in DeliveryState.allCases { states[state.rawValue] = .number(Double(counts[state] ?? 0)) }
            var reply: JSONObject = ["id": .string(id.spelling)]
            reply["application"] = (message?.applicationID).map(JSONValue.string)
            reply["created"] = (message?.createdAt.spelling).map(JSONValue.string)
            reply["isComplete"] = .bool(try !store.outbox.unfinishedBroadcasts().contains(id))
            reply["deliveries"] = .object(states)
            return .object(reply)
        }
    }

    /// Stops creating deliveries of a message, and cancels those that are queued.
    ///
    /// - Returns: the number of cancelled deliveries.
    /// - Throws: ``ManagementError`` with status 404, `StoreError`.
    func cancelMessage(_ text: String) async throws -> Int {
        _ = try await message(text)
        guard let id = UUID(uuidString: text) else { return 0 }
        return try await runBlocking { [store, time] in
            try store.outbox.endBroadcast(id)
            let filter = DeliveryFilter(state: .queued, notificationID: id)
            var (count, before): (Int, Int64?) = (0, nil)
            repeat {
                let page = try store.outbox.deliveries(matching: filter, before: before, limit: 1000)
                count += try store.outbox.cancelDeliveries(
                    page.items.compactMap(\.number.value), reason: Self.cancellation, at: time.now)
                before = page.next
            } while before != nil
            return count
        }
    }

    /// The reason why a cancelled delivery is refused.
    static let cancellation = "cancelled by an operator"

    private func applicationOfMessage(_ given: String?) throws(ManagementError) -> String {
        guard let id = given else { return try application(nil) }
        let known = security.policy.applicationIDs
        guard known.isEmpty || known.contains(id) else {
            throw ManagementError(
                .badRequest,
                "unknown application '\(id.prefix(100))'; expected one of: \(known.joined(separator: ", "))",
                field: "application")
        }
        return id
    }
}

extension JSONValue {
    /// An object with another value of a member; `nil` removes it.
    fileprivate func with(_ key: String, _ value: JSONValue?) -> JSONValue {
        guard var object else { return self }
        object[key] = value
        return .object(object)
    }
}

extension NotificationError {
    /// Without the path.
    fileprivate var reason: String {
        let start = "\(path.isEmpty ? "options" : path): "
        let text = description
        return text.hasPrefix(start) ? String(text.dropFirst(start.count)) : text
    }
}

extension BroadcastTarget {
    /// The number of values that it names.
    fileprivate var count: Int {
        switch self {
        case .devices(let names), .users(let names), .tags(let names): names.count
        case .platforms(let platforms): platforms.count
        case .eventSource: 1
        }
    }
}
