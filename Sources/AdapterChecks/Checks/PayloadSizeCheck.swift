import AdapterSyntax
import Core
import Foundation
import Push
import PushModel
import WorklightProject

/// Finds notifications whose literal strings alone exceed the limit of a push service.
///
/// Computed values count as nothing, so a message that is found too large certainly is.
enum PayloadSizeCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        script.facts.serverCalls.compactMap { call in
            guard let options = options(of: call) else { return nil }
            let sendsTexts = !project.project.smsGateways.isEmpty || !script.calls(of: "subscribeSMS").isEmpty
            let reasons = refusals(of: options, withTexts: sendsTexts)
            guard !reasons.isEmpty else { return nil }
            return script.problem(
                .payloadSize, at: call.range,
                "\(call.name): such a message is refused by its push service: \(reasons.joined(separator: "; ")). Send an id, and let the "
                    + "app fetch the rest")
        }
    }

    /// Returns the options in the form of `notify*`, as far as they are known.
    static func options(of call: ScriptFacts.ServerCall) -> JSONValue? {
        let index: Int
        switch call.name {
        case "createDefaultNotification": return standard(call.arguments)
        case "notifyAllDevices", "notifyAll", "notifyDeviceSubscription", "submitNotification": index = 1
        case "notifyDevice", "notifyDeviceToken": index = 2
        case "sendMessage":
            guard call.arguments.count > 1, let json = json(call.arguments[1]) else { return nil }
            return try? BroadcastMessage(options: json).options
        default: return nil
        }
        return call.arguments.count > index ? json(call.arguments[index]) : nil
    }

    /// Returns the result of `createDefaultNotification` for these arguments.
    private static func standard(_ arguments: [LiteralValue]) -> JSONValue {
        let (text, badge, payload) = (value(0, arguments), value(1, arguments), value(2, arguments))
        let toast = text.map { text -> JSONValue in
            ["visual": ["binding": ["template": .string(WNSToast.plainTemplate), "text": [["content": text]]]]]
        }
        return object([
            ("APNS", object([("badge", badge), ("alert", text), ("payload", payload), ("sound", "")])),
            ("GCM", object([("alert", text), ("payload", payload)])), ("SMS", object([("text", text)])),
            ("WNS", object([("raw", object([("payload", payload)])), ("toast", toast)])),
        ])
    }

    private static func value(_ index: Int, _ arguments: [LiteralValue]) -> JSONValue? {
        arguments.count > index ? json(arguments[index]) : nil
    }

    private static func object(_ members: [(String, JSONValue?)]) -> JSONValue {
        var object = JSONObject()
        for (key, value) in members { object[key] = value }
        return .object(object)
    }

    static func json(_ value: LiteralValue) -> JSONValue? {
        switch value {
        case .string(let text): .string(text)
        case .number(let number): .number(number)
        case .bool(let bool): .bool(bool)
        case .null: .null
        case .array(let values): .array(values.map { json($0) ?? .null })
        case .object(let members): object(members.filter { !$0.isUnknown }.map { ($0.key, json($0.value)) })
        case .name, .function, .other: nil
        }
    }

    /// Returns the refusals of the services. The subscription is the shortest, so that a real one can only make the message larger.
    private static func refusals(of options: JSONValue, withTexts: Bool) -> [String] {
        let source = EventSourceID(adapter: "A", name: "E")
        let now = Date(timeIntervalSince1970: 0)
        let builder = PushRequestBuilder()
        let targets = Platform.allCases.map { platform in
            DeliveryTarget.subscription(
                DeviceSubscription(
                    eventSource: source, userID: "u", deviceID: "d", applicationID: "a", alias: "", platform: platform,
                    token: DeviceToken(stored: ""), options: [:]))
        }
        var reasons: [String] = []
        for target in targets {
            let delivery = Delivery(
                notificationID: UUID(), content: NotificationContent(options), target: target, createdAt: now,
                expiresAt: now)
            do {
                _ = try builder.requests(for: delivery, now: now)
            } catch  where error.isTooLarge {
                reasons.append(error.reason)
            } catch {
                continue
            }
        }
        if withTexts, let text = options["SMS"]?["text"]?.string, text.utf16.count > PushRequestBuilder.longestSMSText {
            reasons.append(
                "SMS takes at most \(PushRequestBuilder.longestSMSText) characters and this message has \(text.utf16.count)"
            )
        }
        return reasons
    }
}
