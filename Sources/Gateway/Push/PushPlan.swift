import Delivery
import Foundation
import PushModel
import PushServices
import WorklightProject

/// With which credentials each application's notifications are sent, as settings and project say; decided without any
/// connection being made, so that `check` can show it as well.
struct PushPlan {
    /// Something to be sent with, and where.
    enum Sender {
        case apns(APNsCredential, PushServiceSettings.APNsEnvironment, ServiceEndpoint?)
        case fcm(FCMCredential, ServiceEndpoint?)
        case wns(WNSCredential, ServiceEndpoint?)
        case sms([SMSGateway], ServiceEndpoint?)
        /// With the contact that the push services of browsers may write to.
        case webPush(contact: String, ServiceEndpoint?)
    }

    private(set) var settings: PushServiceSettings
    private(set) var senders: [ServiceMediator.Route: Sender] = [:]
    /// Credentials of the operator's that cannot be used: reasons not to start.
    private(set) var errors: [String] = []
    /// Credentials of the project's that cannot be used, and whatever else the operator should know.
    private(set) var warnings: [String] = []

    private let push: PushSettings
    let project: Project
    private let isProduction: Bool
    private let now: Date

    /// - Parameter now: certificates that have ended by then are of no use.
    init(for project: Project, _ push: PushSettings, isProduction: Bool, now: Date) {
        self.project = project
        self.push = push
        self.isProduction = isProduction
        self.now = now
        settings = PushServiceSettings(
            of: project, push, apnsEnvironment: isProduction ? .production : .sandbox)
        planAPNs()
        planFCM()
        planWNS()
        planSMS()
        if let contact = push.credentials.webPush.contact {
            senders[.init(service: "Web Push")] = .webPush(contact: contact, push.credentials.webPush.endpoint)
        }
        if let file = push.trustedCertificates, !FileManager.default.isReadableFile(atPath: path(file)) {
            errors.append("push.trustedCertificates: expected a readable file, found none at \(path(file))")
        }
    }

    /// The applications of the project and those that only the settings name.
    private var applicationIDs: [String] {
        Set(project.applications.map(\.id)).union(push.applications.keys).sorted()
    }

    private func path(_ text: String) -> String { project.folder.path(ofFile: text) }

    /// A file's path, or the text of a key where that was given instead of a file.
    private func source(_ text: String) -> String {
        text.contains("-----BEGIN") || text.hasPrefix("{") ? text : path(text)
    }

    /// Reads a credential; when it cannot be used, says which setting it came from.
    private mutating func read<Credential>(_ place: String, _ body: () throws -> Credential) -> Credential? {
        do {
            return try body()
        } catch {
            errors.append("\(place): \(error)")
            return nil
        }
    }
}

// MARK: APNs

extension PushPlan {
    private mutating func planAPNs() {
        let common = apnsCredential(push.credentials.apns, place: "push.apns")
        if let common {
            senders[.init(service: "APNs")] = .apns(common, settings.apnsEnvironment, push.credentials.apns.endpoint)
        }
        for id in applicationIDs {
            let own = push.applications[id]?.apns
            let endpoint = own?.endpoint ?? push.credentials.apns.endpoint
            let environment = settings.apnsEnvironment(of: id)
            let credential = own.flatMap { apnsCredential($0, place: "applications.\(id).apns") } ?? common
            if let credential {
                senders[.init(service: "APNs", applicationID: id)] = .apns(credential, environment, endpoint)
            } else if own?.key == nil, own?.certificate == nil, let found = projectCertificate(of: id) {
                settings.applications[id, default: .init()].apnsEnvironment = found.environment
                if settings.applications[id]?.apnsTopic == nil {
                    settings.applications[id]?.apnsTopic = found.certificate.topic
                }
                senders[.init(service: "APNs", applicationID: id)] = .apns(
                    .certificate(found.certificate), found.environment, endpoint)
            }
        }
    }

    private mutating func apnsCredential(_ given: PushCredentialSettings.APNs, place: String) -> APNsCredential? {
        if let key = given.key {
            guard given.certificate == nil else {
                errors.append("\(place): expected key or certificate, found both; remove one of them")
                return nil
            }
            guard let team = given.teamID else {
                errors.append("\(place).teamID: expected the team's id, ten letters and digits, found none")
                return nil
            }
            let text = source(key)
            return read(place) { .token(try APNsTokenKey(key: text, keyID: given.keyID, teamID: team)) }
        }
        if let certificate = given.certificate {
            let (file, now) = (path(certificate), now)
            return read(place) {
                .certificate(try APNsCertificate(p12File: file, password: given.password ?? "", now: now))
            }
        }
        if given.keyID != nil || given.teamID != nil || given.password != nil {
            errors.append("\(place): expected a key or a certificate, found neither; set key to the .p8 file")
        }
        return nil
    }

    /// The certificate that the project keeps beside the application's descriptor (server-api 5.2): the one for the wanted
    /// environment, else the other one, with its own environment.
    private mutating func projectCertificate(
        of id: String
    ) -> (certificate: APNsCertificate, environment: PushServiceSettings.APNsEnvironment)? {
        guard let application = project.applications.first(where: { $0.id == id }) else { return nil }
        let wanted = settings.apnsEnvironment(of: id)
        var choices: [(file: ApplicationDescriptor.APNSCertificate, password: String)] = []
        for environment in application.environments {
            guard let password = environment.pushSender?.password else { continue }
            choices += environment.certificates.map { ($0, password) }
        }
        let isWanted = { (kind: ApplicationDescriptor.APNSCertificate.Kind) in kind.rawValue == wanted.rawValue }
        guard let choice = choices.first(where: { isWanted($0.file.kind) }) ?? choices.first else { return nil }
        do {
            let certificate = try APNsCertificate(
                p12File: path(choice.file.path), password: choice.password, now: now)
            return (certificate, choice.file.kind == .production ? .production : .sandbox)
        } catch {
            warnings.append("APNs for \(id): \(error)")
            return nil
        }
    }
}

// MARK: The others

extension PushPlan {
    private mutating func planFCM() {
        let common = fcmCredential(push.credentials.fcm, place: "push.fcm")
        if let common {
            settings.firebaseProject = common.projectID
            senders[.init(service: "FCM")] = .fcm(common, push.credentials.fcm.endpoint)
        }
        for id in push.applications.keys.sorted() {
            guard let own = push.applications[id]?.fcm else { continue }
            guard let credential = fcmCredential(own, place: "applications.\(id).fcm") else { continue }
            settings.applications[id, default: .init()].firebaseProject = credential.projectID
            senders[.init(service: "FCM", applicationID: id)] = .fcm(
                credential, own.endpoint ?? push.credentials.fcm.endpoint)
        }
    }

    private mutating func fcmCredential(_ given: PushCredentialSettings.FCM, place: String) -> FCMCredential? {
        guard let account = given.serviceAccount else { return nil }
        let isText = account.hasPrefix("{")
        let file = URL(filePath: path(account))
        return read("\(place).serviceAccount") {
            isText
                ? try FCMCredential(json: account, source: "the service account") : try FCMCredential(file: file)
        }
    }

    private mutating func planWNS() {
        let endpoint = push.credentials.wns.endpoint
        if let common = wnsCredential(push.credentials.wns, place: "push.wns") {
            senders[.init(service: "WNS")] = .wns(common, endpoint)
        }
        for id in applicationIDs {
            let route = ServiceMediator.Route(service: "WNS", applicationID: id)
            let own = push.applications[id]?.wns
            if let own, let credential = wnsCredential(own, place: "applications.\(id).wns") {
                senders[route] = .wns(credential, own.endpoint ?? endpoint)
            } else if own?.packageSID == nil, senders[.init(service: "WNS")] == nil, let found = projectPackage(of: id)
            {
                senders[route] = .wns(found, own?.endpoint ?? endpoint)
            }
        }
    }

    private mutating func wnsCredential(_ given: PushCredentialSettings.WNS, place: String) -> WNSCredential? {
        switch (given.packageSID, given.clientSecret) {
        case (nil, nil): return nil
        case (let sid?, let secret?):
            return read(place) { try WNSCredential(packageSID: sid, clientSecret: secret, source: place) }
        default:
            errors.append("\(place): expected packageSID and clientSecret both, found only one of them")
            return nil
        }
    }

    /// `<pushSender packageSID clientSecret>` of Windows 8 (server-api 5.2).
    private mutating func projectPackage(of id: String) -> WNSCredential? {
        guard let application = project.applications.first(where: { $0.id == id }),
            let sender = application.environments.lazy.compactMap(\.pushSender).first(where: { $0.packageSID != nil })
        else { return nil }
        do {
            return try WNSCredential(
                packageSID: sender.packageSID ?? "", clientSecret: sender.clientSecret ?? "",
                source: "\(application.path):\(sender.line)")
        } catch {
            warnings.append("WNS for \(id): \(error)")
            return nil
        }
    }

    /// Gateways need no credentials but their own parameters. In development no text message goes out that somebody would
    /// have to pay, unless the gateways are replaced by something that only looks like one.
    private mutating func planSMS() {
        let gateways = settings.smsGateways.values.sorted { $0.id < $1.id }
        let endpoint = push.credentials.smsEndpoint
        guard !gateways.isEmpty, isProduction || endpoint != nil else { return }
        senders[.init(service: "SMS")] = .sms(gateways, endpoint)
    }
}

extension URL {
    /// The path of a file that a setting names: as it is, or from this folder on.
    func path(ofFile text: String) -> String { text.hasPrefix("/") ? text : appending(path: text).path }
}
