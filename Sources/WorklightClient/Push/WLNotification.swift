import Foundation

/// A notification that the device received: `{"aps":{…},"payload":"<JSON text>"}` (wire-protocol 4.4).
public struct WLNotification: Sendable {
    private let values: SendableJSONObject
    /// The adapter's payload: the object in the JSON string `payload`.
    private let object: SendableJSONObject

    /// Creates a notification from the dictionary that the system passed to the application.
    public init(userInfo: [AnyHashable: Any]) {
        // The conversion to JSON and back makes an immutable copy.
        let plain = Dictionary(
            userInfo.map { ("\($0.key.base)", JSONText.text(of: $0.value) == nil ? "\($0.value)" : $0.value) }
        ) { first, _ in first }
        values = SendableJSONObject(values: JSONText.text(of: plain).flatMap(JSONText.object(parsing:)) ?? [:])
        let payload = values.values["payload"]
        object = SendableJSONObject(
            values: (payload as? String).flatMap(JSONText.object(parsing:)) ?? payload as? [String: Any] ?? [:])
    }

    /// The complete dictionary.
    public var userInfo: [AnyHashable: Any] { values.values }
    /// The adapter's payload, with the alias.
    public var payload: [String: Any] { object.values }
    /// The alias under which the application registered the event source; `nil` for a message that does not come from an event source.
    public var alias: String? {
        switch payload["alias"] {
        case let text as String: text
        case let number as NSNumber: number.stringValue
        default: nil
        }
    }
    /// The message to show: `aps.alert`, or its member `body`; `nil` without one.
    public var alert: String? {
        let alert = (values.values["aps"] as? [String: Any])?["alert"]
        return alert as? String ?? (alert as? [String: Any])?["body"] as? String
    }
    /// The number for the application's icon; `nil` without one.
    public var badge: Int? { (values.values["aps"] as? [String: Any])?["badge"] as? Int }

    var propertyText: String { JSONText.text(of: values.values["aps"] ?? [String: Any]()) ?? "{}" }
    var payloadText: String { JSONText.text(of: object.values) ?? "{}" }
}
