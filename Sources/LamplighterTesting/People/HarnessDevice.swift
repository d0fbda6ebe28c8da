import AdapterRuntime
public import Core
import Foundation
public import PushModel
import Storage

/// A user's device with an application on it.
public struct HarnessDevice: Sendable {
    let harness: AdapterHarness
    public let user: String
    public let id: String
    public let platform: Platform
    public let application: String

    /// Subscribes to an event source, and runs the adapter's callbacks.
    ///
    /// - Parameters:
    ///   - eventSource: `Adapter.EventSource`, or only its name where the harness has one adapter.
    ///   - alias: the event source's name when `nil`.
    ///   - options: what the app asks for.
    ///   - toleratingFailures: whether callbacks may throw, as they may on the server; the log then tells.
    /// - Throws: ``HarnessMisuseError`` for names that the project does not have, ``SubscriptionRefusedError`` when `onUserChange` does not
    ///   want it, ``CallbackError`` when a callback throws or does not exist, ``UnansweredRequestsError``, `StoreError`.
    @discardableResult
    public func subscribe(
        to eventSource: String, alias: String? = nil,
        options: JSONValue = ["alert": true, "badge": true, "sound": true], toleratingFailures: Bool = false,
        fileID: String = #fileID, line: Int = #line
    ) async throws -> Self {
        try await TestPlace(fileID: fileID, line: line).during {
            try await subscribe(to: harness.eventSource(eventSource), alias, options, toleratingFailures)
        }
        return self
    }

    private func subscribe(
        to source: EventSourceID, _ alias: String?, _ options: JSONValue, _ toleratingFailures: Bool
    ) async throws {
        try checkUser()
        try checkApplication()
        try harness.checkExistence(of: source)
        if !toleratingFailures { try harness.checkCallbacks(of: source) }
        let subscription = DeviceSubscription(
            eventSource: source, userID: user, deviceID: id, applicationID: application,
            alias: alias ?? source.name, platform: platform, token: try token, options: options)
        let reply = try await harness.watchingCallbacks(tolerating: toleratingFailures) {
            try await harness.runtime.subscribe(subscription)
        }
        if case .refused(let reply, let errors) = reply {
            throw SubscriptionRefusedError(eventSource: source, reply: .object(reply), errors: errors)
        }
    }

    /// Ends a subscription, and runs the adapter's callbacks.
    ///
    /// - Returns: whether there was one.
    /// - Throws: ``CallbackError`` when a callback throws, unless failures are tolerated; ``UnansweredRequestsError``,
    ///   ``HarnessMisuseError``, `StoreError`.
    @discardableResult
    public func unsubscribe(
        from eventSource: String, toleratingFailures: Bool = false, fileID: String = #fileID, line: Int = #line
    ) async throws -> Bool {
        try await TestPlace(fileID: fileID, line: line).during {
            let source = try harness.eventSource(eventSource)
            try checkUser()
            try checkApplication()
            try harness.checkExistence(of: source)
            if !toleratingFailures { try harness.checkCallbacks(of: source) }
            return try await harness.watchingCallbacks(tolerating: toleratingFailures) {
                try await harness.runtime.unsubscribe(
                    eventSource: source, userID: user, deviceID: id, applicationID: application)
            }
        }
    }

    /// Tells the server the device's token, so that broadcasts reach it.
    ///
    /// - Throws: ``HarnessMisuseError``, `StoreError`.
    @discardableResult
    public func register(fileID: String = #fileID, line: Int = #line) throws -> Self {
        try TestPlace(fileID: fileID, line: line).during {
            try checkApplication()
            try harness.store.register(
                DeviceRegistration(
                    applicationID: application, deviceID: id, userID: user.isEmpty ? nil : user, platform: platform,
                    token: try token))
        }
        return self
    }

    /// Registers the device and subscribes it to a tag.
    ///
    /// - Throws: ``HarnessMisuseError`` when the application does not declare the tag, `StoreError`.
    @discardableResult
    public func subscribe(toTag tag: String, fileID: String = #fileID, line: Int = #line) throws -> Self {
        try TestPlace(fileID: fileID, line: line).during {
            try check(tag: tag)
            try register(fileID: fileID, line: line)
            _ = try harness.store.subscribe(toTag: tag, applicationID: application, deviceID: id)
        }
        return self
    }

    /// What its push service would have given it: made of its name, so always the same.
    public var token: DeviceToken {
        get throws {
            try DeviceToken(exampleOf: "\(application)/\(id)", platform: platform)
        }
    }
}

/// An adapter's `onUserChange` did not want a subscription.
public struct SubscriptionRefusedError: HarnessError {
    public let eventSource: EventSourceID
    /// What it answered.
    public let reply: JSONValue
    public let errors: [String]
    public var place: TestPlace?

    init(eventSource: EventSourceID, reply: JSONValue, errors: [String]) {
        (self.eventSource, self.reply, self.errors) = (eventSource, reply, errors)
    }

    public var message: String {
        "\(eventSource) refused the subscription: " + (errors.isEmpty ? reply.text : errors.joined(separator: "; "))
    }
}
