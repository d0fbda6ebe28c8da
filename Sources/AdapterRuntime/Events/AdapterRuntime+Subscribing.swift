public import Core
import Foundation
import JavaScriptEngine
public import PushModel

extension AdapterRuntime {
    /// Subscribes an app on a device to an event source for a user, and runs the callbacks (server-api 2.7).
    ///
    /// In this order:
    /// 1. If the device has a subscription there of another user, `onUserChange` decides. It gets one object: `userId`,
    ///    `previousUserId`, `device`, `applicationId`, `platform`, `alias` and the client's `options`; the documents name
    ///    the argument but not its members. Unless its result has `isSuccessful: true`, nothing changes. Without an
    ///    `onUserChange` the new user gets the device, so that it does not receive messages for the user who logged out.
    /// 2. The subscription is stored with the owed callbacks (``PendingCallback``). From here on it remains, even if the callbacks
    ///    fail.
    /// 3. For removed subscriptions, `onDeviceUnsubscribe` and, with a user's last device, `onUserUnsubscribe`.
    /// 4. With a user's first device `onUserSubscribe`, then `onDeviceSubscribe`; not when the same subscription
    ///    existed, so that a repeated request does not count as a new subscription.
    ///
    /// - Parameters:
    ///   - permit: the result of the security check of the subscriber.
    ///   - caller: who traces it; callbacks have no other.
    /// - Throws: ``UnknownNameError`` for the event source, ``StalePermitError``, ``StoreError``.
    public func subscribe(
        _ subscription: DeviceSubscription, permit: CallPermit = .unconditional, caller: Caller = Caller()
    ) async throws -> SubscribeReply {
        try await inOneScope(caller) { try await subscribe(subscription, permit, $0) }
    }

    private func subscribe(
        _ subscription: DeviceSubscription, _ permit: CallPermit, _ caller: Caller
    ) async throws -> SubscribeReply {
        let source = subscription.eventSource
        _ = try declaration(of: source)
        let loaded = try adapter(named: source.adapter)
        return try await owing { change in
            let decision = try await loaded.run(for: caller) { scope, then in
                // Another version may have come while this waited.
                guard let declared = scope.eventSources[source.name] else {
                    throw UnknownNameError(
                        kind: "event source", name: source.description, known: scope.eventSources.keys.sorted())
                }
                try permit.check(declared.declaration.securityTest)
                try scope.admit(subscription, change, then: then)
            }
            switch decision {
            case .refused(let reply, let errors):
                return .refused(reply: reply, errors: errors)
            case .stored(let outcome, let reply):
                await announce(outcome.events(of: subscription), of: change, caller)
                return .subscribed(outcome.change, reply: reply)
            }
        }
    }

    /// Ends a device subscription, and runs `onDeviceUnsubscribe` and, with the user's last device, `onUserUnsubscribe`.
    ///
    /// - Parameter caller: who traces it; callbacks have no other.
    /// - Returns: whether there was such a subscription.
    /// - Throws: ``StoreError``.
    public func unsubscribe(
        eventSource: EventSourceID, userID: String, deviceID: String, applicationID: String, caller: Caller = Caller()
    ) async throws -> Bool {
        let subscriptions = services.subscriptions
        let removed = try await end(caller) { change in
            try subscriptions.unsubscribe(
                eventSource: eventSource, userID: userID, deviceID: deviceID, applicationID: applicationID,
                owing: change
            ).map { [$0] } ?? []
        }
        return !removed.isEmpty
    }

    /// Ends the subscription of a device that another user uses now, as ``subscribe(_:permit:caller:)`` does for the event
    /// source that the other user subscribes to: `onUserChange` is asked first, with the alias and the options of the
    /// subscription that would end.
    ///
    /// - Parameter userID: the other user.
    /// - Returns: whether the subscription has ended; not if `onUserChange` wants it to stay, or it has ended already.
    /// - Throws: ``StoreError``, and what loading the scope throws.
    @discardableResult
    public func endSubscription(_ previous: DeviceSubscription, becauseOf userID: String) async throws -> Bool {
        if let loaded = directory[previous.eventSource.adapter] {
            let next = DeviceSubscription(
                eventSource: previous.eventSource, userID: userID, deviceID: previous.deviceID,
                applicationID: previous.applicationID, alias: previous.alias, platform: previous.platform,
                token: previous.token, options: previous.options)
            let refusal = try await loaded.run(for: Caller()) { scope, then in
                scope.change(from: previous, to: next) { then(.success($0.refusal)) }
            }
            guard refusal == nil else { return false }
        }
        return try await unsubscribe(
            eventSource: previous.eventSource, userID: previous.userID, deviceID: previous.deviceID,
            applicationID: previous.applicationID)
    }
}

extension AdapterRuntime {
    /// Runs several calls for a caller. Traced calls share their scopes, which end with the last.
    private func inOneScope<Result>(
        _ caller: Caller, _ body: (Caller) async throws -> Result
    ) async throws -> Result {
        guard let tracer = caller.tracer else { return try await body(caller) }
        var caller = caller
        caller.keepsTraceScope = true
        return try await pool.forgetting(.trace(ObjectIdentifier(tracer))) { [caller] in try await body(caller) }
    }
}

/// The result of a request to subscribe.
public enum SubscribeReply: Sendable, Hashable {
    /// The subscription is stored. `reply` has the other members that `onUserChange` returned for the client; otherwise it is empty.
    case subscribed(SubscribeOutcome.Change, reply: JSONObject)
    /// The adapter's `onUserChange` did not want it.
    case refused(reply: JSONObject, errors: [String])
}

private enum AdmissionDecision: Sendable {
    case refused(reply: JSONObject, errors: [String])
    case stored(SubscribeOutcome, reply: JSONObject)
}

/// An adapter's reply to another user on a device.
private struct UserChange: Sendable {
    /// The reasons why the other user is refused; `nil` when the user is accepted. It may be empty.
    var refusal: [String]?
    /// The other members that `onUserChange` returned.
    var reply = JSONObject()
}

extension AdapterScope {
    /// Steps 1 and 2 of subscribing.
    fileprivate func admit(
        _ subscription: DeviceSubscription, _ change: UUID,
        then: @escaping (Result<AdmissionDecision, any Error>) -> Void
    ) throws {
        let store = adapter.services.subscriptions
        let filter = SubscriptionFilter(
            eventSource: subscription.eventSource, deviceID: subscription.deviceID,
            applicationID: subscription.applicationID)
        let decide = { (verdict: UserChange) in
            then(
                Result {
                    if let errors = verdict.refusal { return .refused(reply: verdict.reply, errors: errors) }
                    return .stored(try store.subscribe(subscription, owing: change), reply: verdict.reply)
                })
        }
        let previous = try store.deviceSubscriptions(matching: filter).first { $0.userID != subscription.userID }
        guard let previous else { return decide(UserChange()) }
        self.change(from: previous, to: subscription, then: decide)
    }

    /// Calls `onUserChange`. Without one, the other user gets the device.
    fileprivate func change(
        from previous: DeviceSubscription, to subscription: DeviceSubscription, then: @escaping (UserChange) -> Void
    ) {
        run(.onUserChange, of: subscription.eventSource.name) { [self] in
            [try changeArgument(from: previous, to: subscription)]
        } then: { outcome in
            switch outcome {
            case .absent: then(UserChange())
            case .failed(let message): then(UserChange(refusal: ["Runtime: \(message)"]))
            case .returned(let value):
                var reply = value.object ?? JSONObject()
                let isWelcome = reply["isSuccessful"] == .bool(true)
                reply["isSuccessful"] = nil
                then(UserChange(refusal: isWelcome ? nil : [], reply: reply))
            }
        }
    }

    private func changeArgument(
        from previous: DeviceSubscription, to subscription: DeviceSubscription
    ) throws -> ScriptValue {
        let object = context.makeObject()
        let members = [
            ("userId", subscription.userID), ("previousUserId", previous.userID), ("device", subscription.deviceID),
            ("applicationId", subscription.applicationID), ("platform", subscription.platform.rawValue),
            ("alias", subscription.alias),
        ]
        for (key, value) in members { try object.set(key, context.make(value)) }
        try object.set("options", context.parse(json: subscription.options.text) ?? context.makeObject())
        return object
    }
}
