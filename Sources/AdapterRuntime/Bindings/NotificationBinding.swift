import Foundation
import JavaScriptEngine
import Logging
import PushModel

/// `WL.Server.createDefaultNotification` and the `notify*` functions (server-api 2.8).
extension AdapterScope {
    func installNotifications(in object: ScriptValue) throws {
        try add("createDefaultNotification", to: object) { scope, call in
            try scope.defaultNotification(text: call[0], badge: call[1], payload: call[2])
        }
        try add("notifyAllDevices", to: object) { scope, call in
            let user = try UserSubscriptionHandle.of(call[0], for: "notifyAllDevices")
            let devices = try scope.adapter.services.subscriptions.deviceSubscriptions(matching: user.filter)
            return try scope.notify(devices, options: call[1], function: "notifyAllDevices")
        }
        try add("notifyDevice", to: object) { scope, call in
            let user = try UserSubscriptionHandle.of(call[0], for: "notifyDevice")
            let device = try call[1].text()
            // Documented as the device's id; the documents' own example passes a token.
            let devices = try scope.adapter.services.subscriptions.deviceSubscriptions(matching: user.filter)
                .filter { $0.deviceID == device || $0.token.value == device }
            if devices.isEmpty {
                scope.logger.error(
                    "notifyDevice: user '\(user.userID)' has no device '\(device)' subscribed to \(user.eventSource)")
            }
            return try scope.notify(devices, options: call[2], function: "notifyDevice")
        }
        for name in ["notifyDeviceSubscription", "submitNotification"] {
            try add(name, to: object) { scope, call in
                try scope.notify(
                    try scope.current(call[0], function: name), options: call[1], function: name)
            }
        }
    }

    /// The blocks with what the caller gave. The original writes them so even when arguments are missing.
    ///
    /// The blocks up to MPNS are documented to the letter; WNS came with 7.0 and only its shape is known.
    private func defaultNotification(text: ScriptValue, badge: ScriptValue, payload: ScriptValue) throws -> ScriptValue
    {
        let object = { (members: [(String, ScriptValue)]) throws -> ScriptValue in
            let object = self.context.makeObject()
            for (key, value) in members { try object.set(key, value) }
            return object
        }
        let line = try object([("content", text)])
        return try object([
            (
                "APNS",
                try object([
                    ("badge", badge), ("alert", text), ("payload", payload), ("sound", context.make("")),
                    ("actionKey", context.null),
                ])
            ),
            ("GCM", try object([("alert", text), ("payload", payload)])),
            ("SMS", try object([("text", text)])),
            (
                "MPNS",
                try object([
                    ("raw", try object([("payload", payload)])), ("toast", context.null),
                    ("tile", try object([("title", text), ("count", badge)])),
                ])
            ),
            (
                "WNS",
                try object([
                    ("raw", try object([("payload", payload)])),
                    (
                        "toast",
                        try object([
                            (
                                "visual",
                                try object([
                                    (
                                        "binding",
                                        try object([
                                            ("template", context.make("ToastText01")),
                                            ("text", try context.makeArray([line])),
                                        ])
                                    )
                                ])
                            )
                        ])
                    ),
                    ("badge", try object([("value", badge)])),
                ])
            ),
        ])
    }

    /// The device subscription that a script holds, as it is in the store now; nothing when it has ended meanwhile.
    private func current(_ value: ScriptValue, function: String) throws -> [DeviceSubscription] {
        guard let handle = value.hostData as? DeviceSubscriptionHandle else {
            throw HostError("\(function): expected a device subscription, got \(value.kind)")
        }
        let known = handle.subscription
        let devices = try adapter.services.subscriptions.deviceSubscriptions(
            matching: SubscriptionFilter(
                eventSource: known.eventSource, userID: known.userID, deviceID: known.deviceID,
                applicationID: known.applicationID))
        if devices.isEmpty {
            logger.warning(
                "\(function): the device of user '\(known.userID)' is no longer subscribed to \(known.eventSource)")
        }
        return devices
    }

    /// Commits one delivery for each device, and answers how long to wait before the next, in milliseconds.
    private func notify(
        _ devices: [DeviceSubscription], options: ScriptValue, function: String
    ) throws -> ScriptValue {
        guard options.isObject, let text = try options.json() else {
            throw HostError("\(function): expected the notification's options, an object, got \(options.kind)")
        }
        let json: JSONValue
        let notification: PushNotification
        do {
            json = try JSONValue(parsing: text)
            notification = try PushNotification(options: json)
        } catch {
            throw HostError("\(function): \(error)")
        }
        if notification.isFlatForm, adapter.once.isFirst("flat form") {
            logger.warning(
                """
                \(function): the options have the flat form of Worklight 5.0.5; it works, but blocks such as APNS and GCM \
                say more (see createDefaultNotification)
                """)
        }
        guard !devices.isEmpty else { return context.make(0.0) }
        let now = adapter.services.time.now
        let id = UUID()
        let deliveries = devices.map { device in
            Delivery(
                notificationID: id, options: json, subscription: device, createdAt: now,
                expiresAt: now.addingTimeInterval(notification.timeToLive))
        }
        let delay = try submit(deliveries)
        return context.make(Double(delay))
    }
}
