public import Foundation

/// A Worklight project's folder, read whole.
///
/// Reading it never fails as a whole: what is wrong is in ``problems``, and the adapters it concerns are left out.
public struct Project: Sendable {
    /// An adapter with its script, ready to be loaded.
    public struct Adapter: Sendable, Hashable {
        public let descriptor: AdapterDescriptor
        public let script: String
    }

    public let folder: URL
    /// Sorted by name.
    public let adapters: [Adapter]
    /// Sorted by their folders' names.
    public let applications: [ApplicationDescriptor]
    public let authentication: AuthenticationConfiguration
    public let smsGateways: [SMSGatewayDescriptor]
    public let properties: WorklightProperties
    /// By file and line.
    public let problems: [ProjectProblem]

    /// Reads the project in `folder`.
    public init(reading folder: URL) {
        let problems = ProblemList()
        let reader = ProjectReader(folder: folder, problems: problems)
        self.folder = folder
        properties = reader.properties()
        adapters = reader.adapters(properties)
        applications = reader.applications(properties)
        authentication = reader.authentication(properties)
        smsGateways = reader.smsGateways(properties)
        ReferenceCheck(
            adapters: adapters.map(\.descriptor), applications: applications, authentication: authentication,
            smsGateways: smsGateways, problems: problems
        ).run()
        self.problems = problems.problems.inOrder
    }

    /// The application of that id.
    public func application(id: String) -> ApplicationDescriptor? { applications.first { $0.id == id } }
}
