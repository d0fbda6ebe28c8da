import Foundation
import WorklightProject

extension PushPlan {
    mutating func planFCM() {
        let common = fcmCredential(push.credentials.fcm, place: "push.fcm")
        if let common {
            if case .success(let credential) = common { settings.firebaseProject = credential.projectID }
            senders[.init(service: .fcm)] = Sender(common) { .fcm($0, push.credentials.fcm.endpoint) }
        }
        for id in push.applications.keys.sorted() {
            guard let own = push.applications[id]?.fcm else { continue }
            guard let reading = fcmCredential(own, place: "applications.\(id).fcm") else { continue }
            if case .success(let credential) = reading {
                settings.applications[id, default: .init()].firebaseProject = credential.projectID
            }
            senders[.init(service: .fcm, applicationID: id)] = Sender(reading) {
                .fcm($0, own.endpoint ?? push.credentials.fcm.endpoint)
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

    mutating func planWNS() {
        let endpoint = push.credentials.wns.endpoint
        if let common = wnsCredential(push.credentials.wns, place: "push.wns") {
            senders[.init(service: .wns)] = Sender(common) { .wns($0, endpoint) }
        }
        for id in applicationIDs {
            let route = ServiceMediator.Route(service: .wns, applicationID: id)
            let own = push.applications[id]?.wns
            if let own, let credential = wnsCredential(own, place: "applications.\(id).wns") {
                senders[route] = Sender(credential) { .wns($0, own.endpoint ?? endpoint) }
            } else if own?.packageSID == nil, senders[.init(service: .wns)] == nil, let found = projectPackage(of: id) {
                senders[route] = Sender(found) { .wns($0, own?.endpoint ?? endpoint) }
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

    /// Gateways need no credentials but their own parameters. In development no text message goes out that somebody would
    /// have to pay, unless the gateways are replaced by something that only looks like one.
    mutating func planSMS() {
        let gateways = settings.smsGateways.values.sorted { $0.id < $1.id }
        let endpoint = push.credentials.smsEndpoint
        guard !gateways.isEmpty, isProduction || endpoint != nil else { return }
        senders[.init(service: .sms)] = .sms(gateways, endpoint)
    }
}
