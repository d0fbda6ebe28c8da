import Core
public import PushModel
public import WorklightProject

/// The requirements of the security tests, read once from a project's files (server-api 5.1 to 5.3).
///
/// The test that guards a procedure or an event source is not here: adapters are deployed while the server runs, and only the runtime knows the
/// called version.
public struct SecurityPolicy: Sendable {
    /// The result of a search for an application that a client names.
    public enum Admission: Sendable, Hashable {
        case admitted(SecurityRequirements)
        /// The reason why the project has no such application, for messages.
        case unknown(String)
    }

    private let tests: [String: SecurityRequirements]
    private let applications: [String: ApplicationDescriptor]
    /// The realm whose user is the device's for notifications, by test.
    private let userRealms: [String: String]
    private let allowsTools: Bool

    /// - Parameter allowsTools: whether to admit, in development, the simulators of the tools, which call themselves `common` and
    ///   `preview`, and every application of a project without applications.
    public init(project: Project, allowsTools: Bool) {
        let authentication = project.authentication
        var tests = [AuthenticationConfiguration.unprotectedTest: SecurityRequirements()]
        var userRealms: [String: String] = [:]
        for test in authentication.securityTests {
            tests[test.name] = Self.requirements(of: test, authentication)
            userRealms[test.name] = authentication.userRealm(ofSecurityTest: test.name)
        }
        self.tests = tests
        self.userRealms = userRealms
        self.allowsTools = allowsTools
        applications = Dictionary(project.applications.map { ($0.id, $0) }) { first, _ in first }
    }

    /// The project's applications, sorted.
    public var applicationIDs: [String] { applications.keys.sorted() }

    /// Returns the descriptor of an application; `nil` if the project has none of that id.
    public func descriptor(ofApplication id: String) -> ApplicationDescriptor? { applications[id] }

    /// True if the server admits clients: in production only when the project has an application.
    public var admitsClients: Bool { allowsTools || !applications.isEmpty }

    /// Returns the tests that a client must pass to use an application: its environment's test, and on a device the device's
    /// identity, which notifications need.
    ///
    /// A project without applications admits every application in development, where only the adapters' own tests guard
    /// procedures. In production it admits none.
    public func admission(of application: ClientApplication) -> Admission {
        let environment = application.environment
        let standard = SecurityRequirements(device: environment.isDevice)
        guard !applications.isEmpty else {
            return admitsClients
                ? .admitted(standard)
                : .unknown(
                    "the project has no applications, and production mode admits none; put descriptors into apps/")
        }
        guard let descriptor = applications[application.id] else {
            return .unknown(
                "there is no application '\(application.id.prefix(100))' here; there are: "
                    + applications.keys.sorted().joined(separator: ", "))
        }
        if let declared = descriptor.environments.first(where: { ClientEnvironment($0.name).matches(environment) }) {
            return .admitted(
                standard.adding(requirements(ofTest: declared.securityTest))
                    .adding(SecurityRequirements(userRealms: descriptor.startupRealms.map(\.name))))
        }
        if allowsTools, ["common", "preview"].contains(environment.descriptorName) { return .admitted(standard) }
        return .unknown(
            "the application '\(application.id)' has no environment '\(environment.name.prefix(100))'; its descriptor "
                + (descriptor.environments.isEmpty
                    ? "has none"
                    : "has: \(descriptor.environments.map(\.name).joined(separator: ", "))"))
    }

    /// Returns the requirements of a test, and none for `nil`. A test that is not defined can never be passed.
    public func requirements(ofTest name: String?) -> SecurityRequirements {
        guard let name else { return SecurityRequirements() }
        return tests[name]
            ?? SecurityRequirements(
                obstacle: "the security test '\(name)' is not defined in \(AuthenticationConfiguration.path)")
    }

    /// The realm whose user is the user of procedures with this test; `nil` when the test has no user realm.
    public func userRealm(ofTest name: String) -> String? { userRealms[name] }

    /// The realms in which an application's users may be logged in, in the order of their priority.
    public func userRealms(of application: ClientApplication) -> [String] {
        guard let descriptor = applications[application.id] else { return [] }
        let environment = descriptor.environments.first {
            ClientEnvironment($0.name).matches(application.environment)
        }
        let guarded = environment?.securityTest.flatMap { userRealms[$0] }
        return (guarded.map { [$0] } ?? []) + descriptor.startupRealms.map(\.name) + descriptor.userIdentityRealms
    }

    /// The project number that an Android client registers with at Google.
    public func senderID(of application: ClientApplication) -> String? {
        let environments = applications[application.id]?.environments ?? []
        let own = environments.first { ClientEnvironment($0.name).matches(application.environment) }
        return own?.pushSender?.senderID ?? environments.lazy.compactMap(\.pushSender?.senderID).first
    }

    /// The tags that devices may subscribe to.
    public func tags(of application: ClientApplication) -> Tags {
        Tags(declared: applications[application.id]?.tags.map(\.name) ?? [])
    }

    /// The gateway that the application's text messages go through.
    public func smsGateway(of application: ClientApplication) -> String? { applications[application.id]?.smsGateway }

    private static func requirements(
        of test: AuthenticationConfiguration.SecurityTest, _ authentication: AuthenticationConfiguration
    ) -> SecurityRequirements {
        var requirements = SecurityRequirements()
        // Steps are gone through in their order; without a number a test belongs to the first.
        let ordered = test.tests.enumerated().sorted { left, right in
            (left.element.step ?? 1, left.offset) < (right.element.step ?? 1, right.offset)
        }
        for part in ordered.map(\.element) {
            if part.isInternalDeviceID || authentication.isDeviceRealm(part.realm) {
                requirements.device = true
            } else if BuiltInRealm(rawValue: part.realm) == nil || part.realm == BuiltInRealm.anonymousUser.rawValue {
                if !requirements.userRealms.contains(part.realm) { requirements.userRealms.append(part.realm) }
            }
        }
        return requirements
    }
}

extension ClientEnvironment {
    /// Returns true if an element of a descriptor is this environment's: `iOSnative` clients are built from `nativeIOSApp`.
    fileprivate func matches(_ client: ClientEnvironment) -> Bool {
        descriptorName == client.descriptorName
    }
}
