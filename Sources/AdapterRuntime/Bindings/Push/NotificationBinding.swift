import Core
import Foundation
import JavaScriptEngine
import Logging
import PushModel
import Tracing

/// `WL.Server.createDefaultNotification` and the `notify*` functions (server-api 2.8).
extension AdapterScope {
    static func declareNotifications(in table: inout BindingTable.Declarations) {
        table.add("createDefaultNotification") { _, call in
            let make = try call.context.evaluate(AdapterScope.defaultNotification, file: "lamplighter:notification")
            return try make.call([call[0], call[1], call[2]])
        }
        // A list of the original names `notifyAll`, but no document describes it; this is the likely meaning.
        for name in ["notifyAllDevices", "notifyAll"] {
            table.add(name) { scope, call in
                let user = try UserSubscriptionHandle.of(call[0], for: name)
                let targets = try scope.adapter.services.subscriptions.targets(
                    of: user.eventSource, userID: user.userID)
                return try scope.notify(targets, options: call[1], function: name)
            }
        }
        // Documented as the device's id; the documents' own example passes a token. `notifyDeviceToken` is only named.
        for name in ["notifyDevice", "notifyDeviceToken"] {
            table.add(name) { scope, call in
                let user = try UserSubscriptionHandle.of(call[0], for: name)
                let device = try call[1].text()
                let all = try scope.adapter.services.subscriptions.targets(
                    of: user.eventSource, userID: user.userID)
                var targets = all.filter { target in
                    target.deviceID == device || target.subscription?.token.value == device
                        || target.phoneNumber?.dialled == device
                }
                if targets.isEmpty {
                    // `getCurrentDeviceIdentity` has the id that the client names.
                    targets = all.filter { $0.deviceID.map(DeviceClaim.named) == device }
                }
                if targets.isEmpty {
                    let error =
                        "\(name): user '\(user.userID)' has no device '\(device)' subscribed to \(user.eventSource)"
                    scope.logger.error("\(scope.atCall(error))")
                }
                return try scope.notify(targets, options: call[2], function: name)
            }
        }
        for name in ["notifyDeviceSubscription", "submitNotification"] {
            table.add(name) { scope, call in
                try scope.notify(try scope.current(call[0], function: name), options: call[1], function: name)
            }
        }
    }

    /// The blocks with the caller's arguments. The original writes them in this form even when arguments are missing.
    ///
    /// The blocks up to MPNS are documented to the letter; WNS came with 7.0 and only its shape is known.
    private static let defaultNotification = """
        (function (text, badge, payload) {
            return {
                APNS: { badge: badge, alert: text, payload: payload, sound: "", actionKey: null },
                GCM: { alert: text, payload: payload },
                SMS: { text: text },
                MPNS: { raw: { payload: payload }, toast: null, tile: { title: text, count: badge } },
                WNS: {
                    raw: { payload: payload },
                    toast: { visual: { binding: { template: "\(WNSToast.plainTemplate)", text: [{ content: text }] } } },
                    badge: { value: badge }
                }
            };
        })
        """

    /// Returns the subscription that a script holds, as it is in the store now; nothing when it has ended meanwhile.
    private func current(_ value: ScriptValue, function: String) throws -> [DeliveryTarget] {
        guard let handle = value.hostData as? DeviceSubscriptionHandle else {
            throw HostError("\(function): expected a device subscription, got \(value.kind)")
        }
        let services = adapter.services
        let targets: [DeliveryTarget]
        switch handle.target {
        case .subscription(let known):
            let filter = SubscriptionFilter(
                eventSource: known.eventSource, userID: known.userID, deviceID: known.deviceID,
                applicationID: known.applicationID)
            targets = try services.subscriptions.deviceSubscriptions(matching: filter).map { .subscription($0) }
        case .sms(let known):
            let number = try services.smsSubscriptions.smsSubscription(
                eventSource: known.eventSource, phoneNumber: known.phoneNumber)
            targets = number.map { [.sms($0)] } ?? []
        case .registration: targets = []
        }
        if targets.isEmpty {
            let warning = """
                \(function): the device of user '\(handle.target.userID ?? "")' is no longer subscribed to \
                \(handle.target.eventSource?.description ?? "anything")
                """
            logger.warning("\(atCall(warning))")
        }
        return targets
    }

    /// Commits one delivery for each device, and returns how long to wait before the next, in milliseconds.
    private func notify(
        _ targets: [DeliveryTarget], options: ScriptValue, function: String
    ) throws -> ScriptValue {
        guard options.isObject, let text = try options.json() else {
            throw HostError("\(function): expected the notification's options, an object, got \(options.kind)")
        }
        // One for all: it is read once, and stored once.
        let content: NotificationContent
        let notification: PushNotification
        do {
            content = try NotificationContent(parsing: text)
            notification = try content.notification.get()
        } catch {
            throw HostError("\(function): \(error)")
        }
        for warning in notification.warnings { warn("\(function): \(warning)") }
        if notification.isFlatForm {
            adapter.log.warnOnce(
                "flat form", to: logger,
                atCall(
                    """
                    \(function): the options have the flat form of Worklight 5.0.5; it works, but blocks such as APNS and GCM \
                    say more (see createDefaultNotification)
                    """))
        }
        guard !targets.isEmpty else { return context.make(0.0) }
        let now = adapter.services.time.now
        let id = UUID()
        let deliveries = targets.map { target in
            Delivery(
                notificationID: id, content: content, target: target, createdAt: now,
                expiresAt: now.addingTimeInterval(notification.timeToLive))
        }
        let span = adapter.services.tracer?.span("notify", in: table.call.caller.trace, ofKind: .producer)
        span?.addLink(.notification(id))
        table.call.hasUnflushedNotifications = true
        let delay: Int
        do {
            delay = try adapter.services.notifications.submit(deliveries)
        } catch {
            span?.end(failure: "not_stored")
            throw error
        }
        span?.end()
        return context.make(Double(delay))
    }
}

extension DeliveryTarget {
    fileprivate var phoneNumber: PhoneNumber? {
        if case .sms(let subscription) = self { subscription.phoneNumber } else { nil }
    }
}
