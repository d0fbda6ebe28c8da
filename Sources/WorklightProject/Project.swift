public import Foundation

/// A Worklight project's folder, read whole.
///
/// Reading it never fails as a whole: ``problems`` has the errors, and the adapters that they concern are left out.
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
    /// The scripts in place of the project's own Java authenticators and login modules: one for each realm that uses a class, named as
    /// ``AuthenticationConfiguration/scriptName(ofClass:realm:)``.
    public let realmScripts: [Adapter]
    public let properties: WorklightProperties
    /// The problems, ordered by file and line.
    public private(set) var problems: [ProjectError]
    /// Those of the files, each for itself.
    private let fileProblems: [ProjectError]

    /// Reads the project in `folder`.
    ///
    /// - Parameter environment: overrides properties (``WorklightProperties/variable(for:)``), and provides the values of placeholders.
    public init(reading folder: URL, environment: [String: String] = ProcessInfo.processInfo.environment) {
        let problems = ProblemList()
        let reader = ProjectReader(folder: folder, problems: problems)
        // A project must not read the server's own settings, such as the store's password.
        let properties = reader.properties(
            environment.filter { name, _ in
                !name.hasPrefix("LAMPLIGHTER_") || name.hasPrefix("LAMPLIGHTER_PROPERTY_")
            })
        let authentication = reader.authentication(properties)
        self.init(
            folder: folder, adapters: reader.adapters(properties), applications: reader.applications(properties),
            authentication: authentication, smsGateways: reader.smsGateways(properties),
            realmScripts: reader.realmScripts(authentication), properties: properties,
            fileProblems: { problems.problems })
    }

    /// - Parameter fileProblems: called when everything has been read.
    private init(
        folder: URL, adapters: [Adapter], applications: [ApplicationDescriptor],
        authentication: AuthenticationConfiguration, smsGateways: [SMSGatewayDescriptor], realmScripts: [Adapter],
        properties: WorklightProperties, fileProblems: () -> [ProjectError]
    ) {
        self.folder = folder
        self.adapters = adapters
        self.applications = applications
        self.authentication = authentication
        self.smsGateways = smsGateways
        self.realmScripts = realmScripts
        self.properties = properties
        self.fileProblems = fileProblems()
        let references = ProblemList()
        ReferenceCheck(
            adapters: adapters.map(\.descriptor), applications: applications, authentication: authentication,
            smsGateways: smsGateways,
            folders: Set(adapters.map(\.descriptor.name)).union(
                self.fileProblems.compactMap { problem in
                    let parts = problem.file.split(separator: "/")
                    return problem.severity == .error && parts.count > 1 && parts[0] == "adapters"
                        ? String(parts[1]) : nil
                }),
            hasReadableGateways: !self.fileProblems.contains {
                $0.file == SMSGatewayDescriptor.path && $0.severity == .error
            }, problems: references
        ).run()
        problems = []
        problems = (self.fileProblems + references.problems + omissions()).inOrder
    }

    /// Returns the project with its adapters replaced by these.
    ///
    /// - Parameters:
    ///   - name: the adapter whose problems are replaced.
    ///   - problems: its new problems.
    func with(adapters: [Adapter], problems: [ProjectError], ofAdapter name: String) -> Project {
        let others = fileProblems.filter { !$0.concerns(adapter: name) }
        return Project(
            folder: folder, adapters: adapters.sorted { $0.descriptor.name < $1.descriptor.name },
            applications: applications, authentication: authentication, smsGateways: smsGateways,
            realmScripts: realmScripts, properties: properties, fileProblems: { others + problems })
    }

    /// Returns the project with some scripts replaced, by their paths. Nothing is read again.
    public func with(scripts: [String: String]) -> Project {
        let adapters = adapters.map { adapter in
            Adapter(
                descriptor: adapter.descriptor,
                script: scripts[adapter.descriptor.scriptPath] ?? adapter.script)
        }
        return Project(
            folder: folder, adapters: adapters, applications: applications, authentication: authentication,
            smsGateways: smsGateways, realmScripts: realmScripts, properties: properties,
            fileProblems: { fileProblems })
    }

    /// The application of that id.
    public func application(id: String) -> ApplicationDescriptor? { applications.first { $0.id == id } }
}

extension Project {
    /// The functions of an adapter that realms call: `login-function` and `logout-function`.
    public func realmFunctions(of adapter: String) -> Set<String> { Set(realmFunctionOrigins(of: adapter).keys) }

    /// Returns the functions of an adapter that realms call, each with its origin: `the realm 'R' in server/conf/authenticationConfig.xml:9 names
    /// A.f`.
    package func realmFunctionOrigins(of adapter: String) -> [String: String] {
        let own = adapter + "."
        var origins: [String: String] = [:]
        for realm in authentication.realms {
            for name in ["login-function", "logout-function"].compactMap(realm.parameter) where name.hasPrefix(own) {
                let function = String(name.dropFirst(own.count))
                guard origins[function] == nil else { continue }
                origins[function] =
                    "the realm '\(realm.name)' in \(AuthenticationConfiguration.path):\(realm.line) names \(name)"
            }
        }
        return origins
    }

    /// Returns true if a parameter of a realm or a login module names a function of an adapter, as custom provisioning does.
    public func isConfigured(function: String, of adapter: String) -> Bool {
        let name = "\(adapter).\(function)"
        return (authentication.realms.map(\.parameters) + authentication.loginModules.map(\.parameters))
            .contains { $0.contains { $0.value == name } }
    }
}
