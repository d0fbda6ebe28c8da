import PushModel
import WorklightProject

/// One push service: the platforms it serves, the form of its requests, and the source of its credentials.
///
/// A channel is a folder of this module, an entry in ``PushChannels/all``, and a property of ``PushCredentialSettings``.
/// A new kind of device is also a case of `Platform` and of the switches in `DeviceToken`, both in `PushModel`.
/// Recipients that are not devices, such as the phone numbers of SMS, have cases of `DeliveryChannel` and
/// `DeliveryTarget`. CONTRIBUTING.md lists the other files to change.
protocol PushChannel: SendableMetatype {
    /// One request in the service's own terms, without credentials.
    associatedtype Request: ChannelRequest

    static var service: PushService { get }

    /// The way out that leads to it.
    static var serves: DeliveryChannel { get }

    /// The operator's settings, in the order in which they are listed.
    static var settings: [PushSetting] { get }

    /// True if the report at the start mentions missing credentials.
    static var needsCredentials: Bool { get }

    /// Makes the requests that carry a message: one, or one for each part of the message; never none.
    ///
    /// - Throws: ``PushRequestError`` when the options have nothing for the service, are malformed or too large.
    static func requests(for message: OutgoingMessage) throws(PushRequestError) -> [Request]

    /// Adds what the settings and the project have to send with.
    static func plan(_ plan: inout PushPlan)

    /// Returns the remedy for missing credentials.
    ///
    /// - Parameters:
    ///   - environment: one that a descriptor of the project has a `pushSender` for.
    ///   - prefix: the key of the application's settings.
    /// - Returns: nil when the service does not serve apps of the environment.
    static func remedy(for environment: ApplicationDescriptor.Environment, prefix: String) -> String?
}

extension PushChannel {
    static var needsCredentials: Bool { true }

    static func remedy(for environment: ApplicationDescriptor.Environment, prefix: String) -> String? { nil }

    /// The requests of a message as they are shown and recorded.
    ///
    /// - Throws: ``PushRequestError``.
    static func records(of message: OutgoingMessage) throws(PushRequestError) -> [PushRequest] {
        try requests(for: message).map { $0.record }
    }

    /// Returns the sender for a valid credential; otherwise a sender that makes deliveries wait, with the reason.
    static func sender<Credential>(
        _ reading: Result<Credential, UnusableCredentialError>, _ make: (Credential) -> any PushSender
    ) -> any PushSender {
        switch reading {
        case .success(let credential): return make(credential)
        case .failure(let error): return UnusableSender<Self>(error: error)
        }
    }
}

/// A request to a push service, without credentials.
protocol ChannelRequest: Sendable {
    /// The request to the service's real address, as it is shown and recorded.
    var record: PushRequest { get }
}

/// The push channels.
enum PushChannels {
    /// Every channel, in the order of the reports and settings.
    static let all: [any PushChannel.Type] = [
        APNsChannel.self, FCMChannel.self, WNSChannel.self, WebPushChannel.self, SMSChannel.self,
    ]
}
