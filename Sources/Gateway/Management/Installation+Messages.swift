import AdapterRuntime
import Authentication
import Crypto
import Delivery
import Foundation
import PushModel
import WorklightProject

/// Messages that are sent without an adapter.
extension Installation {
    /// The lifetime of an idempotency key, in seconds.
    static let keyLife = TimeInterval(24 * 3600)

    private static let keys = ["application", "message", "target", "settings"]

    /// Sends a message to devices, users, tags, platforms or everybody.
    ///
    /// - Parameters:
    ///   - body: `application`, and the options of `sendMessage` (server-api 2.8).
    ///   - key: a request that is repeated under it sends nothing again.
    /// - Throws: ``ManagementError``, ``IdempotencyError``, `StoreError`.
    func send(_ body: JSONValue, idempotencyKey key: String?) async throws -> ManagementReply {
        if let unknown = body.object?.members.first(where: { !Self.keys.contains($0.key) }) {
            throw ManagementError(
                field: "\(unknown.key.prefix(100))", reason: "there are only \(Self.keys.joined(separator: ", "))")
        }
        if let key, !(1...255).contains(key.utf8.count) {
            throw ManagementError(field: "Idempotency-Key", reason: "expected 1 to 255 bytes, got \(key.utf8.count)")
        }
        let applicationID = try applicationOfMessage(body["application"])
        let message: BroadcastMessage
        do {
            message = try BroadcastMessage(options: body)
        } catch {
            throw ManagementError(field: error.path.isEmpty ? "message" : error.path, reason: error.reason)
        }
        do {
            if let tags = applicationTags[applicationID] { try message.checkTags(tags) }
        } catch {
            throw ManagementError(field: "target.tagNames", reason: "\(error)")
        }
        let digest = SHA256.hash(data: Data(body.text.utf8)).map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        let asked = SentMessage(
            applicationID: applicationID, idempotencyKey: key, digest: digest.joined(), createdAt: time.now)
        let (id, recipients) = try await offLoop { [store, broadcasts, time] in
            let known = try store.note(asked)
            if let known, known.digest != asked.digest { throw IdempotencyError() }
            let id = known?.id ?? asked.id
            // The server may have been killed between recording the message and sending it.
            let hasBegun =
                try known != nil
                && (!store.counts(ofNotification: id).isEmpty || store.unfinishedBroadcasts().contains(id))
            if !hasBegun {
                let (now, life) = (time.now, message.timeToLive)
                _ = try broadcasts.send(
                    Broadcast(
                        id: id, applicationID: applicationID, target: message.target, options: message.options,
                        createdAt: now, expiresAt: now.addingTimeInterval(life)))
            }
            try store.flush()
            return (id, try store.counts(ofNotification: id).values.reduce(0, +))
        }
        var warnings = message.warnings
        if recipients == 0 { warnings.append("no device of the application '\(applicationID)' matches") }
        let reply: JSONValue = [
            "id": .string(id.uuidString.lowercased()), "recipients": .number(Double(recipients)),
            "warnings": .array(warnings.map { .string($0) }),
        ]
        return ManagementReply(body: reply.text, isSuccessful: true)
    }

    /// Returns the number of a message's deliveries in each state, and whether all have been created.
    ///
    /// - Throws: ``UnknownMessageError``, `StoreError`.
    func message(_ text: String) async throws -> ManagementReply {
        guard let id = UUID(uuidString: text) else { throw UnknownMessageError(id: text) }
        return try await offLoop { [store] in
            let message = try store.message(id)
            let counts = try store.counts(ofNotification: id)
            guard message != nil || !counts.isEmpty else { throw UnknownMessageError(id: text) }
            var states = JSONObject()
            for state in DeliveryState.allCases { states[state.rawValue] = .number(Double(counts[state] ?? 0)) }
            var reply: JSONObject = ["id": .string(id.uuidString.lowercased())]
            reply["application"] = (message?.applicationID).map(JSONValue.string)
            reply["created"] = (message?.createdAt.spelling).map(JSONValue.string)
            reply["isComplete"] = .bool(try !store.unfinishedBroadcasts().contains(id))
            reply["deliveries"] = .object(states)
            return ManagementReply(body: JSONValue.object(reply).text, isSuccessful: true)
        }
    }

    private func applicationOfMessage(_ given: JSONValue?) throws(ManagementError) -> String {
        guard let given else { return try application(nil) }
        guard let id = given.string else {
            throw ManagementError(field: "application", reason: "expected a text, found \(given.text.prefix(100))")
        }
        let known = security.policy.applicationIDs
        guard known.isEmpty || known.contains(id) else {
            throw ManagementError(
                field: "application",
                reason: "unknown application '\(id.prefix(100))'; expected one of: \(known.joined(separator: ", "))")
        }
        return id
    }
}

/// An idempotency key came with another request than the first time.
struct IdempotencyError: Error, CustomStringConvertible {
    var description: String {
        "Idempotency-Key: a different request used this key within the last 24 hours; use a new key for a new message"
    }
}

/// There is no message of that id.
struct UnknownMessageError: Error, CustomStringConvertible {
    let id: String

    var description: String { "message '\(id.prefix(100))' not found; messages expire with their deliveries" }
}

extension NotificationError {
    /// Without the path.
    fileprivate var reason: String {
        let start = "\(path.isEmpty ? "options" : path): "
        let text = description
        return text.hasPrefix(start) ? String(text.dropFirst(start.count)) : text
    }
}
