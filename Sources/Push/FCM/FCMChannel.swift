import Foundation
import PushModel
import WorklightProject

/// Firebase Cloud Messaging, for Android devices.
enum FCMChannel: PushChannel {
    static let service = PushService.fcm
    static let serves = DeliveryChannel.devices(.android)
    static let sizeLimit = SizeLimit(service: service, bytes: 4096)

    static let settings: [PushSetting] = [
        .text(
            "fcm.serviceAccount", "a service account's JSON file, or its contents", of: \.fcm.serviceAccount,
            isSecret: true),
        .endpoint("fcm.endpoint", of: \.fcm.endpoint),
    ]

    static func plan(_ plan: inout PushPlan) { plan.planFCM() }

    static func remedy(for environment: ApplicationDescriptor.Environment, prefix: String) -> String? {
        guard ["android", "nativeandroidapp"].contains(environment.name.lowercased()) else { return nil }
        let key =
            environment.pushSender?.key == nil ? "" : "Google has shut down GCM, so the key here is of no use; "
        return "\(key)set \(prefix).fcm.serviceAccount"
    }
}

/// A service account.
private struct FCMSender: PushSender {
    let credential: FCMCredential
    let endpoint: ServiceEndpoint?

    var name: String { "\(credential)" }

    func connect(_ context: inout PushConnectionContext) throws -> any PushTransport {
        try FCMTransport(credential, context.transport(at: endpoint, proxy: "gcm"))
    }
}

extension PushPlan {
    fileprivate mutating func planFCM() {
        let common = fcmCredential(push.credentials.fcm, place: "push.fcm")
        if let common {
            if case .success(let credential) = common { settings.accountIDs[.fcm] = credential.projectID }
            senders[.init(service: .fcm)] = FCMChannel.sender(common) {
                FCMSender(credential: $0, endpoint: push.credentials.fcm.endpoint)
            }
        }
        for id in push.applications.keys.sorted() {
            guard let own = push.applications[id]?.fcm else { continue }
            guard let reading = fcmCredential(own, place: "applications.\(id).fcm") else { continue }
            if case .success(let credential) = reading {
                settings.applications[id, default: .init()].accountIDs[.fcm] = credential.projectID
            }
            senders[.init(service: .fcm, applicationID: id)] = FCMChannel.sender(reading) {
                FCMSender(credential: $0, endpoint: own.endpoint ?? push.credentials.fcm.endpoint)
            }
        }
    }

    private mutating func fcmCredential(
        _ given: PushCredentialSettings.FCM, place: String
    ) -> Result<FCMCredential, UnusableCredentialError>? {
        guard let account = given.serviceAccount else { return nil }
        let isText = account.hasPrefix("{")
        let file = URL(filePath: path(account))
        return read("\(place).serviceAccount") {
            isText
                ? try FCMCredential(json: account, source: "the service account") : try FCMCredential(file: file)
        }
    }
}

extension PushCredentialSettings {
    /// The operator's settings for FCM.
    public struct FCM: Sendable, Hashable {
        /// The path of the service account's JSON file, or its contents.
        public var serviceAccount: String?
        public var endpoint: ServiceEndpoint?
    }
}
