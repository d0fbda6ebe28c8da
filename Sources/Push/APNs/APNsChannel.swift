import Core
import PushModel
import WorklightProject

import struct Foundation.Date

/// Apple's push service, for iPhones and iPads.
enum APNsChannel: PushChannel {
    static let service = PushService.apns
    static let serves = DeliveryChannel.devices(.apple)
    static let sizeLimit = SizeLimit(service: service, bytes: 4096)

    static let settings: [PushSetting] = [
        .text("apns.key", "a .p8 file, or its contents", of: \.apns.key),
        .text("apns.keyID", "the key's id, ten letters and digits", of: \.apns.keyID) {
            $0.wholeMatch(of: /[A-Za-z0-9]{10}/) != nil
        },
        .text("apns.teamID", "the team's id, ten letters and digits", of: \.apns.teamID) {
            $0.wholeMatch(of: /[A-Za-z0-9]{10}/) != nil
        },
        .text("apns.certificate", "a .p12 file", of: \.apns.certificate),
        .text("apns.password", "the .p12 file's password", of: \.apns.password, isSecret: true) { _ in true },
        PushSetting(
            key: "apns.environment", expected: "sandbox or production", show: { $0.apns.environment?.rawValue }
        ) { settings, text in
            settings.apns.environment = PushServiceSettings.APNsEnvironment(rawValue: text)
            return settings.apns.environment != nil
        },
        .text("apns.topic", "the app's bundle id", of: \.apns.topic),
        .endpoint("apns.endpoint", of: \.apns.endpoint),
    ]

    static func plan(_ plan: inout PushPlan) { plan.planAPNs() }

    static func remedy(for environment: ApplicationDescriptor.Environment, prefix: String) -> String? {
        guard ["iphone", "ipad", "nativeiosapp"].contains(environment.name.lowercased()) else { return nil }
        return "set \(prefix).apns.key, keyID and teamID, or put a valid .p12 beside the descriptor"
    }
}

/// A credential for one of Apple's services.
private struct APNsSender: PushSender {
    let credential: APNsCredential
    let environment: PushServiceSettings.APNsEnvironment
    let endpoint: ServiceEndpoint?

    var name: String { "\(credential), \(environment.rawValue)" }

    var expires: Date? {
        if case .certificate(let certificate) = credential { certificate.notAfter } else { nil }
    }

    func connect(_ context: inout PushConnectionContext) throws -> any PushTransport {
        var settings = HTTP2ClientSettings()
        settings.maximumConnections = max(context.properties["push.apns.connections"].flatMap { Int($0) } ?? 3, 1)
        let connections =
            context.apns[endpoint]
            ?? APNsConnections(context.transport(at: endpoint, proxy: "apns", .socks), settings: settings)
        context.apns[endpoint] = connections
        return try connections.transport(with: credential, to: environment)
    }
}

extension PushPlan {
    fileprivate mutating func planAPNs() {
        let common = apnsCredential(
            push.credentials.apns, topic: push.credentials.apns.topic, settings.apnsEnvironment, place: "push.apns")
        if let common {
            senders[.init(service: .apns)] = APNsChannel.sender(common) {
                APNsSender(
                    credential: $0, environment: settings.apnsEnvironment, endpoint: push.credentials.apns.endpoint)
            }
        }
        for id in applicationIDs {
            let own = push.applications[id]?.apns
            let endpoint = own?.endpoint ?? push.credentials.apns.endpoint
            let environment = settings.apnsEnvironment(of: id)
            let topic = settings.apnsTopic(of: id)
            let credential =
                own.flatMap { apnsCredential($0, topic: topic, environment, place: "applications.\(id).apns") }
                ?? common.map { $0.map { shared($0, topic: topic, environment) } }
            let route = ServiceMediator.Route(service: .apns, applicationID: id)
            if let credential {
                senders[route] = APNsChannel.sender(credential) {
                    APNsSender(credential: $0, environment: environment, endpoint: endpoint)
                }
            } else if let reading = projectCertificate(of: id) {
                if case .success(let found) = reading {
                    settings.applications[id, default: .init()].apnsEnvironment = found.environment
                    if settings.applications[id]?.apnsTopic == nil {
                        settings.applications[id]?.apnsTopic = found.certificate.topic
                    }
                }
                senders[route] = APNsChannel.sender(reading) {
                    APNsSender(
                        credential: .certificate($0.certificate), environment: $0.environment, endpoint: endpoint)
                }
            }
        }
    }

    /// The common credential for one application: of a file with the certificates of several apps, the one for its topic.
    private func shared(
        _ common: APNsCredential, topic: String, _ environment: PushServiceSettings.APNsEnvironment
    ) -> APNsCredential {
        guard case .certificate(let certificate) = common, certificate.topic != topic,
            let file = push.credentials.apns.certificate,
            let own = try? APNsCertificate(
                p12File: path(file), password: push.credentials.apns.password ?? "", topic: topic,
                environment: environment, now: now)
        else { return common }
        return own.topic == topic ? .certificate(own) : common
    }

    private mutating func apnsCredential(
        _ given: PushCredentialSettings.APNs, topic: String?, _ environment: PushServiceSettings.APNsEnvironment,
        place: String
    ) -> Result<APNsCredential, UnusableCredentialError>? {
        if let key = given.key {
            guard given.certificate == nil else {
                return fail("\(place): expected key or certificate, found both; remove one of them")
            }
            guard let team = given.teamID else {
                return fail("\(place).teamID: expected the team's id, ten letters and digits, found none")
            }
            let text = source(key)
            return read(place) { .token(try APNsTokenKey(key: text, keyID: given.keyID, teamID: team)) }
        }
        if let certificate = given.certificate {
            let (file, now) = (path(certificate), now)
            return read(place) {
                .certificate(
                    try APNsCertificate(
                        p12File: file, password: given.password ?? "", topic: topic, environment: environment, now: now)
                )
            }
        }
        if given.keyID != nil || given.teamID != nil || given.password != nil {
            return fail("\(place): expected a key or a certificate, found neither; set key to the .p8 file")
        }
        return nil
    }

    /// The certificate that the project keeps beside the application's descriptor (server-api 5.2): the one for the wanted
    /// environment, else the other one, with its own environment.
    private mutating func projectCertificate(
        of id: String
    ) -> Result<ProjectCertificate, UnusableCredentialError>? {
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
                p12File: path(choice.file.path), password: choice.password, topic: settings.apnsTopic(of: id),
                environment: choice.file.kind.environment, now: now)
            return .success(
                ProjectCertificate(certificate: certificate, environment: choice.file.kind.environment))
        } catch {
            return failInProject("APNs for \(id): \(error)")
        }
    }

    /// A certificate of the project with the service that it is for.
    private struct ProjectCertificate {
        let certificate: APNsCertificate
        let environment: PushServiceSettings.APNsEnvironment
    }
}

extension ApplicationDescriptor.APNSCertificate.Kind {
    /// The service that a file of this name is for.
    var environment: PushServiceSettings.APNsEnvironment {
        switch self {
        case .sandbox: .sandbox
        case .production: .production
        }
    }
}

extension PushCredentialSettings {
    /// The operator's settings for APNs.
    public struct APNs: Sendable, Hashable {
        /// The path of the `.p8` file, or its contents.
        public var key: String?
        public var keyID: String?
        public var teamID: String?
        /// A `.p12` file, instead of a key.
        public var certificate: String?
        /// The `.p12` file's password.
        public var password: String?
        public var environment: PushServiceSettings.APNsEnvironment?
        /// The app's bundle id.
        public var topic: String?
        public var endpoint: ServiceEndpoint?
    }
}
