import AdapterSyntax
import Core
import JavaScriptEngine
import Logging
package import PushModel
import Synchronization
package import WorklightProject

/// The parts of one version of an adapter that all its scopes share.
///
/// Each deployed version has a new one. The old one closes its connections after the last call that began before.
final class AdapterVersion: Sendable {
    let descriptor: AdapterDescriptor
    let script: AdapterScript
    let properties: WorklightProperties
    let services: RuntimeServices
    let settings: RuntimeSettings
    let directory: AdapterDirectory
    let pool: VirtualMachinePool
    let logger: Logger
    let backEnds: AdapterBackEnds
    /// For messages that calls can cause again and again.
    let log: LogLimiter
    /// `nil` for an adapter without such a back end.
    let httpMetrics: BackEndMetrics?
    let sqlMetrics: BackEndMetrics?

    /// The tags that each application declares, by its id.
    let applicationTags: [String: Tags]
    /// The procedures by name.
    let procedures: [String: LoadedProcedure]

    var name: String { descriptor.name }

    /// True if all calls share scopes, even if the scopes have state.
    let sharesScopes: Bool
    /// False if each call has its own scope; otherwise each session has.
    let keepsScopes: Bool
    /// True if the adapter's scopes are closures in a realm that all scopes of a machine share.
    var sharesRealm: Bool {
        let isPossible = script.function != nil && (script.ownRealm == nil || settings.scopes.sharesAllRealms)
        return isPossible && !settings.scopes.ownRealm.includes(name)
    }

    /// True if a call that waits for a back end may hold its machine.
    var holdsMachine: Bool {
        let hasBackEnd = descriptor.connectivity.http != nil || descriptor.connectivity.sql != nil
        return hasBackEnd && (!settings.scopes.runsTwins || !sharesRealm || script.twinned == nil)
            || !script.blocking.isEmpty
    }

    /// Returns true if the scopes stay with the owner after a call.
    func keepsScopes(for owner: ScopeOwner) -> Bool {
        if case .session = owner { keepsScopes } else { true }
    }

    /// True if a realm's `login-function` is one of its functions.
    let logsUsersIn: Bool
    /// Those of its functions that realms name, each with the position: `the realm 'R' in server/conf/authenticationConfig.xml:9 names A.f`.
    let realmFunctions: [String: String]

    init(
        descriptor: AdapterDescriptor, script: AdapterScript, of project: Project, services: RuntimeServices,
        settings: RuntimeSettings, directory: AdapterDirectory, pool: VirtualMachinePool
    ) {
        self.descriptor = descriptor
        self.script = script
        properties = project.properties
        applicationTags = project.applicationTags
        procedures = Dictionary(
            uniqueKeysWithValues: descriptor.procedures.map { procedure in
                let realm = procedure.securityTest.flatMap { project.authentication.userRealm(ofSecurityTest: $0) }
                return (
                    procedure.name,
                    LoadedProcedure(
                        procedure, adapter: descriptor.name, settings: settings, userRealm: realm,
                        metrics: services.metrics.procedure(procedure.name, of: descriptor.name))
                )
            })
        self.services = services
        self.settings = settings
        self.directory = directory
        self.pool = pool
        let own = descriptor.name + "."
        logsUsersIn =
            descriptor.isRealmScript
            || project.authentication.realms.contains { $0.parameter("login-function")?.hasPrefix(own) ?? false }
        realmFunctions = project.realmFunctionOrigins(of: descriptor.name)
        sharesScopes = !descriptor.isRealmScript && settings.scopes.shared.includes(descriptor.name)
        keepsScopes = descriptor.isRealmScript || !project.properties.isSessionIndependent
        var logger = services.logger
        logger[metadataKey: "adapter"] = "\(descriptor.name)"
        self.logger = logger
        log = LogLimiter(logger: logger, time: services.time, guards: services.metrics.guards)
        httpMetrics = descriptor.connectivity.http.map { _ in services.metrics.backEnd(.http, of: descriptor.name) }
        sqlMetrics = descriptor.connectivity.sql.map { _ in services.metrics.backEnd(.sql, of: descriptor.name) }
        backEnds = AdapterBackEnds(
            descriptor: descriptor, properties: properties, project: project.folder, dataFolder: settings.dataFolder,
            maximumResponseSize: settings.backEndResponse, redirectHosts: settings.redirectHosts,
            allowsLegacyTLS: settings.allowsLegacyTLS,
            exactNumbers: settings.exactNumbers.includes(descriptor.name), standIns: services.standIns, logger: logger)
    }

    /// Returns the declared procedure of that name.
    ///
    /// - Throws: ``UnknownNameError``.
    func procedure(named name: String) throws(UnknownNameError) -> LoadedProcedure {
        if let procedure = procedures[name] { return procedure }
        throw UnknownNameError(
            kind: "procedure", name: name, known: descriptor.procedures.map(\.name), place: "in \(descriptor.path)")
    }

    /// Returns a function as a procedure, whether or not it is declared as one.
    func configured(_ function: String) -> LoadedProcedure {
        procedures[function]
            ?? LoadedProcedure(
                ProcedureDescriptor(name: function, line: 0), adapter: name, settings: settings, userRealm: nil,
                metrics: nil)
    }
}

extension Project {
    /// The tags of each application, by its id.
    package var applicationTags: [String: Tags] {
        Dictionary(uniqueKeysWithValues: applications.map { ($0.id, Tags(declared: $0.tags.map(\.name))) })
    }
}

/// The results of reading a project's scripts: the engine's input, their declarations, and their problems.
///
/// Many runtimes of one project, such as those of its tests, can share them.
public struct ScriptReadings: Sendable {
    struct Adapter: Sendable {
        let script: AdapterScript
        let declarations: ScriptDeclarations
    }

    /// The adapters by name; without those that cannot be loaded.
    let adapters: [String: Adapter]
    /// The problems by adapter.
    let problems: [String: [ProjectError]]
}
