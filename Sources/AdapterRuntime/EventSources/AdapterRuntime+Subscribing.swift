import JavaScriptEngine
import Logging
import NIOPosix
public import PushModel

extension AdapterRuntime {
    /// Subscribes an app on a device to an event source for a user, and runs the callbacks (server-api 2.7).
    ///
    /// In this order:
    /// 1. If the device has a subscription there of another user, `onUserChange` decides. It gets one object: `userId`,
    ///    `previousUserId`, `device`, `applicationId`, `platform`, `alias` and the client's `options`; the documents name
    ///    the argument but not its members. Unless what it returns has `isSuccessful: true`, nothing changes. Without an
    ///    `onUserChange` the new user gets the device: nobody shall go on receiving what is meant for who logged out.
    /// 2. The subscription is stored. From here on it stands, whatever the callbacks do.
    /// 3. For what had to go, `onDeviceUnsubscribe` and, with a user's last device, `onUserUnsubscribe`.
    /// 4. With a user's first device `onUserSubscribe`, then `onDeviceSubscribe`; not when the same subscription was there
    ///    already, so that a client that repeats a request is not taken for a new one.
    ///
    /// - Parameters:
    ///   - permit: what guarded the event source when the subscriber was looked at.
    ///   - caller: who traces it; callbacks have no other.
    /// - Throws: ``UnknownNameError`` for the event source, ``PermitOutdated``, ``StoreError``.
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
        let decision = try await loaded.run(for: caller) { scope in
            // Another version may have come while this waited.
            guard let declared = scope.eventSources[source.name] else {
                throw UnknownNameError(
                    kind: "event source", name: source.description, known: scope.eventSources.keys.sorted())
            }
            try permit.check(declared.declaration.securityTest)
            return try scope.admit(subscription)
        }
        switch decision {
        case .refused(let reply, let errors):
            return .refused(reply: reply, errors: errors)
        case .stored(let outcome, let reply):
            for removed in outcome.removed { await announce(removed, caller) }
            try await loaded.run(for: caller) { scope in scope.announce(subscription, outcome) }
            return .subscribed(outcome.change, reply: reply)
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
        // It waits for the disk, which whoever asks may not do.
        let removed = try await NIOThreadPool.singleton.runIfActive { [services] in
            try services.subscriptions.unsubscribe(
                eventSource: eventSource, userID: userID, deviceID: deviceID, applicationID: applicationID)
        }
        guard let removed else { return false }
        await announce(removed, caller)
        return true
    }

    /// Runs the callbacks for the subscriptions of a device that is gone, as for ones that the app itself ended.
    public func announce(_ removed: RemovedRegistration) async {
        for subscription in removed.subscriptions { await announce(subscription, Caller()) }
    }

    /// Tells the adapter that a subscription is no more. One that is not loaded is not told.
    private func announce(_ removed: RemovedSubscription, _ caller: Caller) async {
        guard let loaded = directory[removed.deviceSubscription.eventSource.adapter] else { return }
        do {
            try await loaded.run(for: caller) { scope in scope.announce(removed) }
        } catch {
            loaded.common.logger.error("the adapter could not be told of an ended subscription: \(error)")
        }
    }
}

extension AdapterRuntime {
    /// Does several things for a caller. Where they are traced, they share their scopes, which end with the last.
    private func inOneScope<Result>(
        _ caller: Caller, _ body: (Caller) async throws -> Result
    ) async throws -> Result {
        guard let tracer = caller.tracer else { return try await body(caller) }
        var caller = caller
        caller.keepsTraceScope = true
        return try await pool.forgetting(.trace(ObjectIdentifier(tracer))) { [caller] in try await body(caller) }
    }
}

/// What came of a request to subscribe.
public enum SubscribeReply: Sendable, Hashable {
    /// The subscription stands. `reply` has what `onUserChange` wants the client to know besides, else it is empty.
    case subscribed(SubscribeOutcome.Change, reply: JSONObject)
    /// The adapter's `onUserChange` did not want it.
    case refused(reply: JSONObject, errors: [String])
}

private enum AdmissionDecision: Sendable {
    case refused(reply: JSONObject, errors: [String])
    case stored(SubscribeOutcome, reply: JSONObject)
}

extension AdapterScope {
    /// Steps 1 and 2 of subscribing.
    fileprivate func admit(_ subscription: DeviceSubscription) throws -> AdmissionDecision {
        let store = adapter.services.subscriptions
        let filter = SubscriptionFilter(
            eventSource: subscription.eventSource, deviceID: subscription.deviceID,
            applicationID: subscription.applicationID)
        let previous = try store.deviceSubscriptions(matching: filter).first { $0.userID != subscription.userID }
        var reply = JSONObject()
        if let previous {
            switch run(
                .onUserChange, of: subscription.eventSource.name,
                arguments: { [try change(from: previous, to: subscription)] })
            {
            case .absent: break
            case .failed(let message): return .refused(reply: reply, errors: ["Runtime: \(message)"])
            case .returned(let value):
                reply = value.object ?? reply
                let isWelcome = reply["isSuccessful"] == .bool(true)
                reply["isSuccessful"] = nil
                guard isWelcome else { return .refused(reply: reply, errors: []) }
            }
        }
        return .stored(try store.subscribe(subscription), reply: reply)
    }

    private func change(from previous: DeviceSubscription, to subscription: DeviceSubscription) throws -> ScriptValue {
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

    /// Step 4 of subscribing.
    fileprivate func announce(_ subscription: DeviceSubscription, _ outcome: SubscribeOutcome) {
        guard outcome.change != .unchanged else { return }
        let source = subscription.eventSource.name
        if outcome.isFirstDeviceOfUser {
            run(.onUserSubscribe, of: source) { [try makeUserSubscription(outcome.userSubscription)] }
        }
        run(.onDeviceSubscribe, of: source) {
            // onUserSubscribe may have saved a state meanwhile.
            let user = try adapter.services.subscriptions.userSubscription(
                eventSource: subscription.eventSource, userID: subscription.userID)
            return [
                try makeUserSubscription(user ?? outcome.userSubscription), try makeDeviceSubscription(subscription),
            ]
        }
    }

    /// Step 3 of subscribing, and all of unsubscribing.
    fileprivate func announce(_ removed: RemovedSubscription) {
        let source = removed.deviceSubscription.eventSource.name
        run(.onDeviceUnsubscribe, of: source) {
            [
                try makeUserSubscription(removed.userSubscription),
                try makeDeviceSubscription(removed.deviceSubscription),
            ]
        }
        if removed.wasLastDeviceOfUser {
            run(.onUserUnsubscribe, of: source) { [try makeUserSubscription(removed.userSubscription)] }
        }
    }
}
