import AdapterRuntime
package import Authentication
package import Core
import Credentials
import Databases
import Foundation
import Logging
import PushModel
import Storage
import Tokens
public import WorklightProject

/// The services that authenticate and authorise callers, made once from a project's files.
package final class SecurityServices: Sendable {
    package let policy: SecurityPolicy
    package let gate: RealmAuthenticator
    package let sessions: SessionTable
    package let cookieless = CookielessClientDetector()
    package let deviceContexts: DeviceContextBudget
    package let rules: ApplicationRules
    package let authorization: AuthorizationServer
    package let backEnds: BackEndAuthenticator
    /// `nil` in production.
    package let development: DevelopmentAccess?
    /// The size in bytes from which on responses are compressed for clients that want it (server-api 5.4, `compress.response.threshold`).
    package let compressionThreshold: Int
    /// Logs what clients can cause again and again.
    package let log: LogLimiter
    package let blocks: DeviceBlocks
    /// Those of the management API.
    package let accounts: ManagementAccounts
    /// The problems with realms and login modules.
    let problems: [ProjectError]

    /// Makes what a project's files ask for.
    ///
    /// - Throws: `StoreError`, `DirectoryConfigurationError` and `OpenIDSettingsError`.
    init(
        for project: Project, settings: InstallationSettings, runtime: AdapterRuntime,
        store: any ApplicationRuleStore & OAuthClientStore, blocks: DeviceBlocks, telemetry: Telemetry
    ) throws {
        let (time, logger, guards) = (telemetry.time, telemetry.logger, telemetry.metrics.guards)
        var services = LoginServices(for: project, time: time, logger: logger)
        services.takesClientCertificates =
            settings.tls?.clientAuthorities != nil || settings.clientCertificateHeader != nil
        let (realms, problems) = RealmReader.read(project, services: services)
        let log = LogLimiter(logger: logger, time: time, guards: guards)
        self.log = log
        self.blocks = blocks
        self.problems = problems + settings.loginKeyProblems(of: project)
        policy = SecurityPolicy(project: project, allowsTools: settings.mode == .development)
        gate = RealmAuthenticator(
            realms: realms, runtime: runtime, refusals: settings.loginsPerAddress, loginKeys: settings.loginKeys,
            time: time, logger: logger, guards: guards)
        sessions = SessionTable(settings: settings.sessionSettings(for: project), time: time) { session in
            Task { await runtime.endSession(id: session.client.id) }
        } onLimit: { limit, address in
            let address = address ?? "this machine"
            switch limit {
            case .sessions: log.reached("limits.sessions", by: address, "ended a session")
            case .sessionsPerNetwork: log.reached("limits.sessionsPerAddress", by: address, "ended a session")
            case .formerID:
                log.reached("uses of a former session id", by: address, "sent a client to a new session")
            }
        }
        deviceContexts = DeviceContextBudget(limits: settings.deviceContexts)
        rules = try ApplicationRules(store: store)
        authorization = try AuthorizationServer(
            folder: settings.dataFolder, clients: store, mostClients: settings.mostOAuthClients,
            tokenLife: settings.tokenLife(for: project), time: time, log: log)
        backEnds = BackEndAuthenticator(keys: settings.backEnds, time: time)
        development =
            settings.mode == .development
            ? try DevelopmentAccess(folder: settings.dataFolder, isOpen: settings.isDevelopmentOpen) : nil
        compressionThreshold = project.properties["compress.response.threshold"].flatMap { Int($0) } ?? 20_480
        accounts = try ManagementAccounts(settings, time: time, logger: logger, guards: guards)
    }
}

extension Installation {
    /// The problems of the realms and login modules of a project. Nobody can log in to a realm with a problem.
    public static func loginProblems(of project: Project) -> [ProjectError] {
        let logger = Logger(label: "check") { _ in SwiftLogNoOpLogHandler() }
        return RealmReader.read(project, services: LoginServices(for: project, time: SystemTime(), logger: logger))
            .problems
    }
}

extension InstallationSettings {
    /// The realms of `loginKeys` that a project does not define.
    func loginKeyProblems(of project: Project) -> [ProjectError] {
        let known = project.authentication.realms.map(\.name)
        return loginKeys.keys.filter { !known.contains($0) }.sorted().map {
            ProjectError(
                .warning, file: "lamplighter.yaml", line: nil,
                "loginKeys names the realm '\($0)', which is not defined in \(AuthenticationConfiguration.path)"
                    + Suggestion.text(for: $0, among: known))
        }
    }

    /// The project's own idle time holds unless the operator sets another: `serverSessionTimeout`, in minutes.
    fileprivate func sessionSettings(for project: Project) -> SessionSettings {
        var settings = sessions
        if let own = sessionTimeout {
            settings.idleTimeout = own
        } else if let minutes = project.properties["serverSessionTimeout"].flatMap({ Double($0) }), minutes > 0 {
            settings.idleTimeout = .seconds(minutes * 60)
        }
        return settings
    }

    /// An hour, or the shortest `accessTokenExpiration` of the project's applications (6.3).
    fileprivate func tokenLife(for project: Project) -> Duration {
        .seconds(project.applications.compactMap(\.accessTokenExpiration).filter { $0 >= 1 }.min() ?? 3600)
    }
}

extension LoginServices {
    /// The services for the login modules of a project.
    fileprivate init(for project: Project, time: any TimeSource, logger: Logger) {
        let pairs: @Sendable (Parameters) -> [(name: String, value: String)] = { $0.map { ($0.name, $0.value) } }
        self.init(
            ldap: { try LDAPDirectory(parameters: pairs($0), logger: logger) },
            rdbms: { parameters in
                try DatabaseDirectory(
                    parameters: pairs(parameters), logger: logger,
                    sourceAdvice: WorklightProperties.dataSourceAdvice(jndiName:)
                ) { name in
                    project.properties.dataSource(jndiName: name).flatMap { definition in
                        try? SQLDataSource(
                            definition: definition, maxConcurrentConnections: 4, adapter: "login",
                            folder: project.folder,
                            logger: logger)
                    }
                }
            },
            passwordFile: { parameters in
                guard let file = parameters.first(where: { $0.name == "file" })?.value, !file.isEmpty else {
                    throw DirectoryConfigurationError(
                        module: "lamplighter.PasswordFileLoginModule", parameter: "file",
                        problem: "it is missing; expected a file's path, from the project's folder")
                }
                // Not relative to the folder's URL: without a slash at its end its last component would be lost.
                return try PasswordFileDirectory(
                    file: file.hasPrefix("/") ? URL(filePath: file) : project.folder.appending(path: file), name: file)
            },
            openID: { parameters in
                let value = { (name: String) in parameters.first { $0.name == name }?.value }
                let audiences = (value("audience") ?? "").split(separator: ",")
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                return OpenIDConnect(
                    settings: try OpenIDSettings(
                        issuer: value("issuer") ?? "", audiences: audiences, jwksURL: value("jwksURL"),
                        userClaim: value("userClaim") ?? "sub"), clock: { time.now })
            })
    }
}
