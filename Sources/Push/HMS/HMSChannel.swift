import PushModel
import WorklightProject

/// Huawei Push Kit, for Huawei's devices.
enum HMSChannel: PushChannel {
    static let service = PushService.hms
    static let serves = DeliveryChannel.devices(.huawei)
    static let sizeLimit = SizeLimit(service: service, bytes: 4096)

    static let settings: [PushSetting] = [
        .text("hms.appID", "the app's id in AppGallery Connect, digits only", of: \.hms.appID) {
            $0.wholeMatch(of: /[0-9]{1,32}/) != nil
        },
        .text("hms.appSecret", "the app's secret in AppGallery Connect", of: \.hms.appSecret, isSecret: true),
        .endpoint("hms.endpoint", of: \.hms.endpoint),
    ]

    static func requests(for message: OutgoingMessage) throws(PushRequestError) -> [HMSRequest] {
        [try message.hmsRequest()]
    }

    static func plan(_ plan: inout PushPlan) { plan.planHMS() }

    static func remedy(for environment: ApplicationDescriptor.Environment, prefix: String) -> String? {
        guard environment.name.lowercased() == "nativehuaweiapp" else { return nil }
        return "set \(prefix).hms.appID and appSecret"
    }
}

/// An app in AppGallery Connect.
private struct HMSSender: PushSender {
    let credential: HMSCredential
    let endpoint: ServiceEndpoint?

    var name: String { "\(credential)" }

    func connect(_ context: inout PushConnectionContext) throws -> any PushTransport {
        try HMSTransport(credential, context.transport(at: endpoint))
    }
}

extension PushPlan {
    fileprivate mutating func planHMS() {
        let endpoint = push.credentials.hms.endpoint
        if let common = hmsCredential(push.credentials.hms, place: "push.hms") {
            if case .success(let credential) = common { settings.accountIDs[.hms] = credential.appID }
            senders[.init(service: .hms)] = HMSChannel.sender(common) {
                HMSSender(credential: $0, endpoint: endpoint)
            }
        }
        for id in push.applications.keys.sorted() {
            guard let own = push.applications[id]?.hms else { continue }
            guard let reading = hmsCredential(own, place: "applications.\(id).hms") else { continue }
            if case .success(let credential) = reading {
                settings.applications[id, default: .init()].accountIDs[.hms] = credential.appID
            }
            senders[.init(service: .hms, applicationID: id)] = HMSChannel.sender(reading) {
                HMSSender(credential: $0, endpoint: own.endpoint ?? endpoint)
            }
        }
    }

    private mutating func hmsCredential(
        _ given: PushCredentialSettings.HMS, place: String
    ) -> Result<HMSCredential, UnusableCredentialError>? {
        switch (given.appID, given.appSecret) {
        case (nil, nil): return nil
        case (let id?, let secret?):
            return .success(HMSCredential(appID: id, appSecret: secret))
        default:
            return fail("\(place): expected appID and appSecret both, found only one of them")
        }
    }
}

extension PushCredentialSettings {
    /// What the operator can set for HMS.
    public struct HMS: Sendable, Hashable {
        public var appID: String?
        public var appSecret: String?
        public var endpoint: ServiceEndpoint?
    }
}
