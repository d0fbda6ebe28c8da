import Core
import Foundation

/// The message that a phone shows for an arrival.
struct PhoneMessage {
    /// The app, as far as the request names it.
    let app: String
    private(set) var title: String?
    private(set) var text: String?
    private(set) var badge: String?
    /// The part of a Windows notification: `toast`, `tile`, `badge` or `raw`.
    private(set) var part: String?
    /// Nothing that a person would notice.
    var isSilent: Bool { title == nil && text == nil && badge == nil && !hasSound }
    private var hasSound = false
    /// The body, laid out for reading.
    let payload: String

    init(_ arrival: Arrival) {
        let body = arrival.bodyJSON
        app = Self.app(arrival)
        payload = Self.readable(body)
        switch arrival.service {
        case .apns: readAPNs(body)
        case .fcm: readFCM(body)
        case .wns: readWNS(arrival)
        // Not as JSON: a text message can be a number or 'true'.
        case .sms: text = arrival.body.isEmpty ? nil : String(decoding: arrival.body, as: UTF8.self)
        case .webPush, .oauth: readText(body)
        }
    }

    private static func app(_ arrival: Arrival) -> String {
        switch arrival.service {
        case .apns: arrival.header("apns-topic") ?? SandboxIdentity.certificateTopic
        case .fcm: "Android app"
        case .wns: "Windows app"
        case .sms: "Messages"
        case .webPush: "Browser"
        case .oauth: "OAuth"
        }
    }

    private mutating func readAPNs(_ body: JSONValue) {
        let aps = body["aps"]
        switch aps?["alert"] {
        case .string(let alert): text = alert
        case .object(let alert):
            title = alert["title"]?.string
            text = alert["body"]?.string ?? alert["loc-key"]?.string
        default: break
        }
        badge = aps?["badge"].flatMap(Self.plain)
        hasSound = aps?["sound"] != nil
    }

    private mutating func readFCM(_ body: JSONValue) {
        let message = body["message"]
        let notification = message?["android"]?["notification"] ?? message?["notification"]
        title = notification?["title"]?.string
        text = notification?["body"]?.string ?? message?["data"]?["alert"]?.string
        badge = message?["data"]?["badge"].flatMap(Self.plain)
        hasSound = message?["data"]?["sound"] != nil
    }

    private mutating func readWNS(_ arrival: Arrival) {
        let texts = XMLTexts.read(arrival.body)
        let type = arrival.header("X-WNS-Type")
        part = type.map { $0.hasPrefix("wns/") ? String($0.dropFirst(4)) : $0 }
        switch type {
        case "wns/badge": badge = texts?.badge
        case "wns/raw": break
        default:
            if let texts, texts.texts.count > 1 { title = texts.texts.first }
            text = texts.map { ($0.texts.count > 1 ? Array($0.texts.dropFirst()) : $0.texts).joined(separator: "\n") }
        }
    }

    /// Reads a web message: JSON with the usual members, or plain text.
    private mutating func readText(_ body: JSONValue) {
        guard body.object != nil else {
            text = Self.plain(body)
            return
        }
        let notification = body["notification"] ?? body
        title = notification["title"]?.string
        text = (notification["body"] ?? notification["alert"] ?? notification["text"])?.string
        badge = notification["badge"].flatMap(Self.plain)
    }

    private static func plain(_ value: JSONValue) -> String? {
        switch value {
        case .null, .bool, .object, .array: nil
        case .string(let text): text.isEmpty ? nil : text
        default: value.text
        }
    }

    /// Returns a readable form of a value. JSON in a string within JSON, as Worklight's `payload`, is parsed.
    private static func readable(_ value: JSONValue) -> String {
        if let text = value.string { return text }
        return opened(value).prettyText(indentation: 2, shortest: 40)
    }

    private static func opened(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text):
            guard text.hasPrefix("{"), let inner = try? JSONValue(parsing: text) else { return value }
            return opened(inner)
        case .array(let elements): return .array(elements.map(opened))
        case .object(let object):
            var result = JSONObject()
            for member in object.members { result[member.key] = opened(member.value) }
            return .object(result)
        default: return value
        }
    }
}
