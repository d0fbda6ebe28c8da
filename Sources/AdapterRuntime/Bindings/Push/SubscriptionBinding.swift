import Core
import JavaScriptEngine
import Logging
import PushModel

/// `WL.Server.getUserNotificationSubscription` and the objects it returns (server-api 2.7).
extension AdapterScope {
    static func declareSubscriptions(in table: inout BindingTable.Declarations) {
        table.add("getUserNotificationSubscription") { scope, call in
            try scope.userSubscription(eventSource: call[0], userID: call[1])
        }
    }

    /// Returns the script's object for a user subscription: everything in it but `state` is read-only.
    func makeUserSubscription(_ subscription: UserSubscription) throws -> ScriptValue {
        let object = context.makeObject(
            hostData: UserSubscriptionHandle(eventSource: subscription.eventSource, userID: subscription.userID))
        try object.set("userId", context.make(subscription.userID), .readOnly)
        try object.set("state", context.parse(json: subscription.state.text) ?? context.makeObject())
        let functions = try realm.subscriptionMethods()
        try object.set("getDeviceSubscriptions", functions.getDeviceSubscriptions, .readOnly)
        try object.set("save", functions.save, .readOnly)
        return object
    }

    /// Returns the script's object for a device subscription (seed 000).
    func makeDeviceSubscription(_ subscription: DeviceSubscription) throws -> ScriptValue {
        let object = context.makeObject(hostData: DeviceSubscriptionHandle(.subscription(subscription)))
        let members = [
            ("alias", subscription.alias), ("device", subscription.deviceID), ("token", subscription.token.value),
            ("applicationId", subscription.applicationID), ("platform", subscription.platform.rawValue),
        ]
        for (key, value) in members { try object.set(key, context.make(value), .readOnly) }
        try object.set("options", context.parse(json: subscription.options.text) ?? context.makeObject(), .readOnly)
        return object
    }

    /// Returns the subscription; `null` when there is none. The log then says which part did not match, unlike the original.
    private func userSubscription(eventSource: ScriptValue, userID: ScriptValue) throws -> ScriptValue {
        let sourceText = try eventSource.text()
        guard let source = EventSourceID(sourceText, in: name) else {
            throw HostError(
                "getUserNotificationSubscription: expected 'Adapter.EventSource' first, got \(eventSource.kind)")
        }
        guard !userID.isNullOrUndefined else {
            logger.warning(
                "\(atCall("getUserNotificationSubscription: the user id is \(userID.kind), so there is no subscription"))"
            )
            return context.null
        }
        let user = try userID.text()
        if let subscription = try adapter.services.subscriptions.userSubscription(eventSource: source, userID: user) {
            return try makeUserSubscription(subscription)
        }
        if isKnown(source) {
            logger.debug("getUserNotificationSubscription: user '\(user)' has no device subscribed to \(source)")
        } else {
            adapter.log.warnOnce(
                "unknown source \(source)", to: logger,
                atCall("getUserNotificationSubscription: no adapter declares the event source '\(source)'"))
        }
        return context.null
    }

    private func isKnown(_ source: EventSourceID) -> Bool {
        source.adapter == name && eventSources[source.name] != nil || adapter.directory.eventSource(source) != nil
    }
}

extension ScriptRealm {
    func subscriptionMethods() throws -> SubscriptionFunctions {
        if let known = subscriptionFunctions { return known }
        let functions = try SubscriptionFunctions(in: self)
        subscriptionFunctions = functions
        return functions
    }
}

/// The functions that all user subscriptions of a realm share.
struct SubscriptionFunctions {
    let getDeviceSubscriptions: ScriptValue
    let save: ScriptValue

    init(in realm: ScriptRealm) throws {
        getDeviceSubscriptions = try realm.makeFunction(
            "getDeviceSubscriptions", title: "userSubscription.getDeviceSubscriptions"
        ) { scope, call in
            let handle = try UserSubscriptionHandle.of(call.this, for: "getDeviceSubscriptions")
            let targets = try scope.adapter.services.subscriptions.targets(
                of: handle.eventSource, userID: handle.userID)
            return try call.context.makeArray(
                try targets.compactMap { target -> ScriptValue? in
                    switch target {
                    case .subscription(let device): try scope.makeDeviceSubscription(device)
                    case .sms(let number): try scope.makeSMSSubscription(number)
                    case .registration: nil
                    }
                })
        }
        save = try realm.makeFunction("save", title: "userSubscription.save") { scope, call in
            let handle = try UserSubscriptionHandle.of(call.this, for: "save")
            let state = try call.this.get("state")
            let json = state.isNullOrUndefined ? "{}" : try state.json() ?? "{}"
            guard let value = try? JSONValue(parsing: json), value.object != nil else {
                throw HostError("save: 'state' must be an object, got \(state.kind)")
            }
            let exists = try scope.adapter.services.subscriptions.saveState(
                value, eventSource: handle.eventSource, userID: handle.userID)
            if !exists {
                let warning =
                    "save: user '\(handle.userID)' is no longer subscribed to \(handle.eventSource); the state is dropped"
                scope.logger.warning("\(scope.atCall(warning))")
            }
            return call.context.undefined
        }
    }
}

/// The user subscription behind a script's object.
final class UserSubscriptionHandle: TraceDescribing {
    let eventSource: EventSourceID
    let userID: String

    var traceText: String { "\(userID) at \(eventSource)" }

    init(eventSource: EventSourceID, userID: String) {
        self.eventSource = eventSource
        self.userID = userID
    }

    /// Returns the handle of a script's value.
    ///
    /// - Throws: ``HostError`` when it is not a user subscription.
    static func of(_ value: ScriptValue, for function: String) throws -> UserSubscriptionHandle {
        if let handle = value.hostData as? UserSubscriptionHandle { return handle }
        let hint =
            value.isNull ? "; getUserNotificationSubscription returns null for a user without one: test for it" : ""
        throw HostError("\(function): expected a user subscription, got \(value.kind)\(hint)")
    }
}

/// The device subscription behind a script's object.
final class DeviceSubscriptionHandle: TraceDescribing {
    let target: DeliveryTarget

    var traceText: String { target.deviceID ?? target.userID ?? "device" }

    init(_ target: DeliveryTarget) {
        self.target = target
    }
}
