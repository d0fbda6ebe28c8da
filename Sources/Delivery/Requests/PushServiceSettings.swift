/// What the requests to the push services need to know besides the delivery.
///
/// Transports add the secrets, so no request that is made from these holds any.
public struct PushServiceSettings: Sendable, Hashable {
    /// Which of Apple's two services an app's tokens belong to.
    public enum APNsEnvironment: String, Sendable, Hashable, CaseIterable {
        /// For builds run from Xcode.
        case sandbox
        /// For builds from the App Store, TestFlight and enterprise distribution.
        case production

        var host: String {
            switch self {
            case .sandbox: "api.sandbox.push.apple.com"
            case .production: "api.push.apple.com"
            }
        }
    }

    /// Stands where the Firebase project's id is missing; good for the preview, which sends nothing.
    public static let missingFirebaseProject = "project-not-configured"

    /// The sandbox unless set otherwise.
    public var apnsEnvironment: APNsEnvironment
    /// The bundle id of each application, by the application's id. An application that is not listed has its own id as
    /// its bundle id.
    public var apnsTopics: [String: String]
    /// The id of the Firebase project that the Android apps belong to; ``missingFirebaseProject`` unless set.
    public var firebaseProject: String
    /// The gateways of `SMSConfig.xml`, by their ids. Their parameters may hold passwords; see
    /// ``SMSGateway/addingParameters(to:)``.
    public var smsGateways: [String: SMSGateway]

    /// - Parameter smsGateways: of several with one id the last counts.
    public init(
        apnsEnvironment: APNsEnvironment = .sandbox, apnsTopics: [String: String] = [:],
        firebaseProject: String = PushServiceSettings.missingFirebaseProject, smsGateways: [SMSGateway] = []
    ) {
        self.apnsEnvironment = apnsEnvironment
        self.apnsTopics = apnsTopics
        self.firebaseProject = firebaseProject
        self.smsGateways = Dictionary(smsGateways.map { ($0.id, $0) }) { _, last in last }
    }

    func apnsTopic(of applicationID: String) -> String { apnsTopics[applicationID] ?? applicationID }
}
