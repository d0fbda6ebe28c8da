import AdapterSyntax
import Logging
package import PushModel
package import WorklightProject

/// What all scopes of one version of an adapter share.
///
/// A deployed version gets a new one. The old one goes, and closes its connections, with the last call that began before.
final class AdapterCommon: Sendable {
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

    /// The tags that each application declares, by its id.
    let applicationTags: [String: Tags]
    /// By name.
    let procedures: [String: LoadedProcedure]

    var name: String { descriptor.name }

    /// Whether each session has its own scope of this adapter: always, unless `scopes.shared` or `mfp.session.independent` of 7.1
    /// (server-api 5.4) lets sessions share one; `scopes.session` overrides `mfp.session.independent`.
    let keepsState: Bool

    /// Whether a realm's `login-function` is one of its functions.
    let logsUsersIn: Bool
    /// Those of its functions that realms name, sorted.
    let realmFunctions: [String]

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
                        procedure, adapter: descriptor.name, settings: settings, userRealm: realm)
                )
            })
        self.services = services
        self.settings = settings
        self.directory = directory
        self.pool = pool
        let own = descriptor.name + "."
        logsUsersIn = project.authentication.realms.contains { $0.parameter("login-function")?.hasPrefix(own) ?? false }
        realmFunctions = project.realmFunctions(of: descriptor.name).sorted()
        keepsState =
            settings.scopes.session.includes(descriptor.name)
            || !settings.scopes.shared.includes(descriptor.name) && !project.properties.isSessionIndependent
        var logger = services.logger
        logger[metadataKey: "adapter"] = "\(descriptor.name)"
        self.logger = logger
        log = LogLimiter(logger: logger, time: services.time)
        backEnds = AdapterBackEnds(
            descriptor: descriptor, properties: properties, project: project.folder,
            maximumResponseSize: settings.backEndResponse, allowsLegacyTLS: settings.allowsLegacyTLS,
            exactNumbers: settings.exactNumbers.includes(descriptor.name), standIns: services.standIns, logger: logger)
    }

    /// The declared procedure of that name.
    ///
    /// - Throws: ``UnknownNameError``.
    func procedure(named name: String) throws(UnknownNameError) -> LoadedProcedure {
        if let procedure = procedures[name] { return procedure }
        throw UnknownNameError(
            kind: "procedure", name: name, known: descriptor.procedures.map(\.name), place: "in \(descriptor.path)")
    }

    /// A function as a procedure, whether or not it is declared as one.
    func configured(_ function: String) -> LoadedProcedure {
        procedures[function]
            ?? LoadedProcedure(
                ProcedureDescriptor(name: function, line: 0), adapter: name, settings: settings, userRealm: nil)
    }
}

extension Project {
    /// The tags of each application, by its id.
    package var applicationTags: [String: Tags] {
        Dictionary(uniqueKeysWithValues: applications.map { ($0.id, Tags(declared: $0.tags.map(\.name))) })
    }
}
