import AdapterRuntime
import Authentication
import Core
import Foundation
import Installation
import Push
import PushModel
import Synchronization

/// What the routes of the management API have in common.
extension Installation {
    /// The application of a project without any.
    private static let standInApplication = "PushApp"

    /// Reads an event source's name.
    ///
    /// - Throws: ``ManagementError`` with status 400.
    static func eventSource(_ text: String) throws(ManagementError) -> EventSourceID {
        guard let source = EventSourceID(text) else {
            throw ManagementError(
                .badRequest, "expected Adapter.EventSource, found '\(text.prefix(100))'", field: "eventSource")
        }
        return source
    }

    /// The given application, or the project's only one.
    ///
    /// - Throws: ``ManagementError`` with status 400 when the project has several.
    func application(_ given: String?) throws(ManagementError) -> String {
        if let given { return given }
        let known = security.policy.applicationIDs
        guard known.count < 2 else {
            throw ManagementError(
                .badRequest, "missing; the project has several applications: \(known.joined(separator: ", "))",
                field: "application")
        }
        return known.first ?? Self.standInApplication
    }

    /// Reads a subscription from a request's body.
    ///
    /// - Throws: ``ManagementError`` with status 400.
    func deviceSubscription(_ body: JSONValue) throws(ManagementError) -> DeviceSubscription {
        func text(_ key: String) -> String { body[key]?.string ?? "" }
        let source = try Self.eventSource(text("eventSource"))
        let application = try application(body["application"]?.string)
        for (field, value) in [("user", text("user")), ("device", text("device")), ("application", application)]
        where value.utf8.count > 512 {
            throw ManagementError(
                .badRequest, "expected 512 bytes of UTF-8 at most, found \(value.utf8.count)", field: field)
        }
        guard let platform = Platform(rawValue: text("platform")) else {
            throw ManagementError(.badRequest, "unknown platform", field: "platform")
        }
        do {
            return DeviceSubscription(
                eventSource: source, userID: text("user"), deviceID: text("device"), applicationID: application,
                alias: body["alias"]?.string ?? source.name, platform: platform,
                token: try DeviceToken(text("token"), platform: platform),
                options: ["alert": true, "badge": true, "sound": true])
        } catch {
            throw ManagementError(.badRequest, "\(error)", field: "token")
        }
    }

    /// Queues an ended delivery again, as a new one with the same content, target and time to live.
    ///
    /// - Returns: the new delivery.
    /// - Throws: ``ManagementError`` with status 409 when the device is not registered any more, or when the message has a newer
    ///   delivery to it; `StoreError`.
    func retry(_ old: Delivery) async throws -> Delivery {
        let now = time.now
        let delivery = Delivery(
            notificationID: old.notificationID, content: old.content, target: old.target, createdAt: now,
            expiresAt: now.addingTimeInterval(old.expiresAt.timeIntervalSince(old.createdAt)))
        let stored = try await runBlocking { [self] in
            // Two retries at once would both find no newer delivery.
            try retries.withLock { _ in
                if let device = old.target.deviceID, let application = old.target.applicationID,
                    try store.registration(applicationID: application, deviceID: device) == nil
                {
                    throw ManagementError(.conflict, "the device '\(device)' is not registered any more")
                }
                let filter = DeliveryFilter(
                    userID: old.target.userID, deviceID: old.target.deviceID, notificationID: old.notificationID)
                let newest = try store.deliveries(matching: filter, before: nil, limit: 1).items.first
                guard newest?.number.value == old.number.value else {
                    throw ManagementError(
                        .conflict, "delivery \(newest?.number.value ?? 0) of this message to the device is newer")
                }
                try store.enqueue([delivery])
                try store.flush()
                return try store.deliveries(matching: filter, before: nil, limit: 1).items.first
            }
        }
        worker.wake()
        return stored ?? delivery
    }

    /// The numbers of devices and subscriptions, counted once a minute at most.
    ///
    /// - Returns: the numbers, and when they were counted.
    /// - Throws: `StoreError`.
    func registrationCounts() async throws -> (RegistrationCounts, Date)? {
        let now = time.uptime
        let (known, isDue) = countedRegistrations.withLock { state -> ((RegistrationCounts, Date)?, Bool) in
            let isDue = state.nextCount <= now
            if isDue { state.nextCount = now + .seconds(60) }
            return (state.counts, isDue)
        }
        guard isDue else { return known }
        let count: @Sendable () async throws -> (RegistrationCounts, Date) = { [self] in
            let counts = (try await runBlocking { [store] in try store.registrationCounts() }, time.now)
            countedRegistrations.withLock { $0.counts = counts }
            return counts
        }
        guard let known else { return try await count() }
        // The next call gets the new numbers.
        Task { try? await count() }
        return known
    }
}
