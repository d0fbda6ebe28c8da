import Core
import PushModel

/// The app on a device that a message goes to.
struct MessageRecipient {
    let applicationID: String
    let platform: Platform
    let token: DeviceToken
    /// What the app said it wants to see when it subscribed; empty for a message of `sendMessage`.
    let options: JSONValue
    /// The member of the payload by which the client finds who is to have the message: the alias of the event source, or
    /// the tag. A message to a device, user or platform has none, and goes to the client's general listener
    /// (wire-protocol 4.4).
    let mark: JSONObject.Member?
    /// Members of the adapter's own payload that would mislead the client. An `alias` would call the callback of an event
    /// source that sent nothing.
    let reservedKeys: Set<String>

    init(_ subscription: DeviceSubscription) {
        applicationID = subscription.applicationID
        platform = subscription.platform
        token = subscription.token
        options = subscription.options
        mark = JSONObject.Member(key: "alias", value: .string(subscription.alias))
        reservedKeys = ["alias"]
    }

    /// - Parameter tag: also for a broadcast, whose tag is `Push.ALL`.
    init(_ registration: DeviceRegistration, tag: String?) {
        applicationID = registration.applicationID
        platform = registration.platform
        token = registration.token
        options = [:]
        mark = tag.map { JSONObject.Member(key: "tag", value: .string($0)) }
        reservedKeys = ["alias", "tag"]
    }
}
