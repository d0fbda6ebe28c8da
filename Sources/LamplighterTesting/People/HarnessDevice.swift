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

    /// Subscribes the device to an event source and runs the adapter's callbacks.
    ///
    /// - Parameters:
    ///   - eventSource: `Adapter.EventSource`, or only the event source's name if ``AdapterHarness/Options/adapter`` is set or the project
    ///     has one adapter.
    ///   - alias: the subscription's alias; the event source's name when `nil`.
    ///   - options: the options of the app's subscription.
    ///   - toleratingFailures: whether callbacks may throw, as on the server; ``AdapterHarness/log`` then has their errors.
    /// - Returns: the device.
    /// - Throws: ``SubscriptionRefusedError`` when `onUserChange` refuses the subscription; ``CallbackError`` when a callback throws or does
    ///   not exist; ``HarnessMisuseError`` for names that the project does not have; ``UnansweredRequestsError``, `StoreError`.
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

    /// Ends the device's subscription to an event source and runs the adapter's callbacks.
    ///
    /// - Returns: true if the device was subscribed.
    /// - Throws: ``CallbackError`` when a callback throws or does not exist, unless failures are tolerated; ``UnansweredRequestsError``,
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

    /// Registers the device with its token, so that broadcasts reach it.
    ///
    /// - Returns: the device.
    /// - Throws: ``HarnessMisuseError`` when the project does not have the application; `StoreError`.
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
    /// - Returns: the device.
    /// - Throws: ``HarnessMisuseError`` when the application does not declare the tag; `StoreError`.
    @discardableResult
    public func subscribe(toTag tag: String, fileID: String = #fileID, line: Int = #line) throws -> Self {
        try TestPlace(fileID: fileID, line: line).during {
            try check(tag: tag)
            try register(fileID: fileID, line: line)
            _ = try harness.store.subscribe(toTag: tag, applicationID: application, deviceID: id)
        }
        return self
    }

    /// The device's push token, derived from the names of the application and the device, so always the same.
    public var token: DeviceToken {
        get throws {
            try DeviceToken(exampleOf: "\(application)/\(id)", platform: platform)
        }
    }
}

/// An error for a subscription that an adapter's `onUserChange` refused.
public struct SubscriptionRefusedError: HarnessError {
    public let eventSource: EventSourceID
    /// The object that `onUserChange` returned.
    public let reply: JSONValue
    /// The error messages in the reply.
    public let errors: [String]
    public var place: TestPlace?

    init(eventSource: EventSourceID, reply: JSONValue, errors: [String]) {
        (self.eventSource, self.reply, self.errors) = (eventSource, reply, errors)
    }

    public var message: String {
        "\(eventSource) refused the subscription: " + (errors.isEmpty ? reply.text : errors.joined(separator: "; "))
    }
}
