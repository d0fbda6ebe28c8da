import Foundation

/// A notification that the device received: `{"aps":{…},"payload":"<JSON text>"}` (wire-protocol 4.4).
public struct WLNotification: Sendable {
    private let values: SendableJSONObject
    /// What the adapter sent with it: the object in the text `payload`.
    private let object: SendableJSONObject

    /// - Parameter userInfo: what the system handed to the application.
    public init(userInfo: [AnyHashable: Any]) {
        // Through JSON, so that nobody can change it any more.
        let plain = Dictionary(
            userInfo.map { ("\($0.key.base)", JSONText.text(of: $0.value) == nil ? "\($0.value)" : $0.value) }
        ) { first, _ in first }
        values = SendableJSONObject(values: JSONText.text(of: plain).flatMap(JSONText.object(parsing:)) ?? [:])
        let payload = values.values["payload"]
        object = SendableJSONObject(
            values: (payload as? String).flatMap(JSONText.object(parsing:)) ?? payload as? [String: Any] ?? [:])
    }

    /// The whole dictionary.
    public var userInfo: [AnyHashable: Any] { values.values }
    /// What the adapter sent with it, and the alias.
    public var payload: [String: Any] { object.values }
    /// The name under which the application registered the event source; `nil` for messages to everybody.
    public var alias: String? {
        switch payload["alias"] {
        case let text as String: text
        case let number as NSNumber: number.stringValue
        default: nil
        }
    }
    /// What is shown: `aps.alert`, or its `body`.
    public var alert: String? {
        let alert = (values.values["aps"] as? [String: Any])?["alert"]
        return alert as? String ?? (alert as? [String: Any])?["body"] as? String
    }
    /// The number on the application's icon.
    public var badge: Int? { (values.values["aps"] as? [String: Any])?["badge"] as? Int }

    var propertyText: String { JSONText.text(of: values.values["aps"] ?? [String: Any]()) ?? "{}" }
    var payloadText: String { JSONText.text(of: object.values) ?? "{}" }
}
