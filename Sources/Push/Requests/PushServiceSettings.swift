public import PushModel
public import WorklightProject

/// The settings that requests to the push services need in addition to the delivery.
///
/// Transports add the secrets, so no request that is made from these holds any.
public struct PushServiceSettings: Sendable, Hashable {
    /// Which of Apple's two services an app's tokens belong to.
    public enum APNsEnvironment: String, Sendable, Hashable, CaseIterable {
        /// For builds run from Xcode.
        case sandbox
        /// For builds from the App Store, TestFlight and enterprise distribution.
        case production

        /// The host at which it is reached, at port 443.
        public var host: String {
            switch self {
            case .sandbox: "api.sandbox.push.apple.com"
            case .production: "api.push.apple.com"
            }
        }
    }

    /// The settings that differ by application. The settings for all applications replace each `nil`.
    public struct Application: Sendable, Hashable {
        public var apnsEnvironment: APNsEnvironment?
        /// The bundle id; the application's own id unless set.
        public var apnsTopic: String?
        /// See ``PushServiceSettings/accountIDs``.
        public var accountIDs: [PushService: String]

        public init(
            apnsEnvironment: APNsEnvironment? = nil, apnsTopic: String? = nil, accountIDs: [PushService: String] = [:]
        ) {
            self.apnsEnvironment = apnsEnvironment
            self.apnsTopic = apnsTopic
            self.accountIDs = accountIDs
        }
    }

    /// The sandbox unless set otherwise.
    public var apnsEnvironment: APNsEnvironment
    /// The bundle id of the applications that set none; nil for each one's own id.
    public var apnsTopic: String?
    /// The ids of the operator's accounts at the services whose request URLs contain them, such as the id of the Firebase project; for the
    /// applications that set none.
    public var accountIDs: [PushService: String]
    /// The settings of single applications, keyed by application id.
    public var applications: [String: Application]
    /// The gateways of `SMSConfig.xml`, by their ids. Their parameters may hold passwords; see
    /// ``SMSGateway/addingParameters(to:)``.
    public var smsGateways: [String: SMSGateway]

    /// - Parameter smsGateways: of several with one id the last counts.
    public init(
        apnsEnvironment: APNsEnvironment = .sandbox, accountIDs: [PushService: String] = [:],
        applications: [String: Application] = [:], smsGateways: [SMSGateway] = []
    ) {
        self.apnsEnvironment = apnsEnvironment
        self.accountIDs = accountIDs
        self.applications = applications
        self.smsGateways = Dictionary(smsGateways.map { ($0.id, $0) }) { _, last in last }
    }

    /// Which of Apple's services the tokens of an application belong to.
    public func apnsEnvironment(of applicationID: String) -> APNsEnvironment {
        applications[applicationID]?.apnsEnvironment ?? apnsEnvironment
    }

    /// The bundle id of an application.
    public func apnsTopic(of applicationID: String) -> String {
        applications[applicationID]?.apnsTopic ?? apnsTopic ?? applicationID
    }

    /// The id of the account at a service that an application's messages are sent with; `nil` without credentials.
    func accountID(at service: PushService, of applicationID: String) -> String? {
        applications[applicationID]?.accountIDs[service] ?? accountIDs[service]
    }
}

extension PushServiceSettings {
    /// Adds what the project's own files say and nothing else has said: the gateways of SMSConfig.xml, and each application's
    /// bundle id.
    public mutating func complete(from project: Project) {
        for gateway in project.smsGateways where smsGateways[gateway.id] == nil {
            smsGateways[gateway.id] = SMSGateway(
                id: gateway.id, hostname: gateway.hostname, port: gateway.port, programName: gateway.programName,
                toParamName: gateway.toParamName, textParamName: gateway.textParamName,
                parameters: gateway.parameters.map { .init(name: $0.name, value: $0.value, encode: $0.encode) })
        }
        for application in project.applications where applications[application.id]?.apnsTopic == nil {
            guard let bundleID = application.environments.compactMap(\.bundleID).first else { continue }
            applications[application.id, default: Application()].apnsTopic = bundleID
        }
    }
}

extension PushServiceSettings {
    /// Combines the operator's settings with the project's own files.
    ///
    /// - Parameter apnsEnvironment: the environment if the settings name none.
    init(of project: Project, _ push: PushSettings, apnsEnvironment: APNsEnvironment) {
        self.init(apnsEnvironment: push.credentials.apns.environment ?? apnsEnvironment)
        apnsTopic = push.credentials.apns.topic
        for (id, own) in push.applications {
            applications[id] = Application(apnsEnvironment: own.apns.environment, apnsTopic: own.apns.topic)
        }
        complete(from: project)
    }
}
