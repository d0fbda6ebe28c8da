import PushModel
import WorklightProject

/// The Windows Push Notification Services, for apps on Windows 8 and later.
enum WNSChannel: PushChannel {
    static let service = PushService.wns
    static let serves = DeliveryChannel.devices(.windows)
    static let sizeLimit = SizeLimit(service: service, bytes: 5000)

    static let settings: [PushSetting] = [
        .text("wns.packageSID", "the package's SID, such as ms-app://s-1-15-2-…", of: \.wns.packageSID),
        .text("wns.clientSecret", "the package's client secret", of: \.wns.clientSecret, isSecret: true),
        .endpoint("wns.endpoint", of: \.wns.endpoint),
    ]

    static func plan(_ plan: inout PushPlan) { plan.planWNS() }

    static func remedy(for environment: ApplicationDescriptor.Environment, prefix: String) -> String? {
        guard ["windows8", "windowsphoneuniversal"].contains(environment.name.lowercased()) else { return nil }
        return "set \(prefix).wns.packageSID and clientSecret"
    }
}

/// A package of an app.
private struct WNSSender: PushSender {
    let credential: WNSCredential
    let endpoint: ServiceEndpoint?

    var name: String { "\(credential)" }

    func connect(_ context: inout PushConnectionContext) throws -> any PushTransport {
        try WNSTransport(credential, context.transport(at: endpoint, proxy: "wns"))
    }
}

extension PushPlan {
    fileprivate mutating func planWNS() {
        let endpoint = push.credentials.wns.endpoint
        if let common = wnsCredential(push.credentials.wns, place: "push.wns") {
            senders[.init(service: .wns)] = WNSChannel.sender(common) {
                WNSSender(credential: $0, endpoint: endpoint)
            }
        }
        for id in applicationIDs {
            let route = ServiceMediator.Route(service: .wns, applicationID: id)
            let own = push.applications[id]?.wns
            if let own, let credential = wnsCredential(own, place: "applications.\(id).wns") {
                senders[route] = WNSChannel.sender(credential) {
                    WNSSender(credential: $0, endpoint: own.endpoint ?? endpoint)
                }
            } else if own?.packageSID == nil, senders[.init(service: .wns)] == nil, let found = projectPackage(of: id) {
                senders[route] = WNSChannel.sender(found) {
                    WNSSender(credential: $0, endpoint: own?.endpoint ?? endpoint)
                }
            }
        }
    }

    private mutating func wnsCredential(
        _ given: PushCredentialSettings.WNS, place: String
    ) -> Result<WNSCredential, UnusableCredentialError>? {
        switch (given.packageSID, given.clientSecret) {
        case (nil, nil): return nil
        case (let sid?, let secret?):
            return read(place) { try WNSCredential(packageSID: sid, clientSecret: secret, source: place) }
        default:
            return fail("\(place): expected packageSID and clientSecret both, found only one of them")
        }
    }

    /// `<pushSender packageSID clientSecret>` of Windows 8 (server-api 5.2).
    private mutating func projectPackage(of id: String) -> Result<WNSCredential, UnusableCredentialError>? {
        guard let application = project.applications.first(where: { $0.id == id }),
            let sender = application.environments.lazy.compactMap(\.pushSender).first(where: { $0.packageSID != nil })
        else { return nil }
        do {
            return .success(
                try WNSCredential(
                    packageSID: sender.packageSID ?? "", clientSecret: sender.clientSecret ?? "",
                    source: "\(application.path):\(sender.line)"))
        } catch {
            return failInProject("WNS for \(id): \(error)")
        }
    }
}

extension PushCredentialSettings {
    /// The operator's settings for WNS.
    public struct WNS: Sendable, Hashable {
        public var packageSID: String?
        public var clientSecret: String?
        public var endpoint: ServiceEndpoint?
    }
}
