import Logging
import PushModel
import WorklightProject

/// What all scopes of an adapter share.
final class AdapterCommon: Sendable {
    let descriptor: AdapterDescriptor
    let script: AdapterScript
    /// Those of all adapters: an error's stack can go through several.
    let translatedScripts: TranslatedScripts
    let properties: WorklightProperties
    let services: RuntimeServices
    let settings: RuntimeSettings
    let directory: AdapterDirectory
    let pool: ScopePool
    let logger: Logger
    let backEnds: AdapterBackEnds
    let once = OncePerKey()
    let backEndTrouble = TroubleState()

    /// The tags that each application declares, by its id.
    let applicationTags: [String: Tags]
    /// By name.
    let procedures: [String: LoadedProcedure]

    var name: String { descriptor.name }

    /// Whether calls may run in any scope: `mfp.session.independent` of 7.1 (server-api 5.4).
    let isSessionIndependent: Bool

    /// Whether a realm's `login-function` is one of its functions.
    let logsUsersIn: Bool

    init(
        descriptor: AdapterDescriptor, script: AdapterScript, of project: Project, services: RuntimeServices,
        settings: RuntimeSettings, directory: AdapterDirectory, pool: ScopePool, translatedScripts: TranslatedScripts
    ) {
        self.descriptor = descriptor
        self.script = script
        self.translatedScripts = translatedScripts
        properties = project.properties
        applicationTags = Dictionary(
            uniqueKeysWithValues: project.applications.map { ($0.id, Tags(declared: $0.tags.map(\.name))) })
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
        logsUsersIn = project.authentication.realms.contains { realm in
            realm.parameter("login-function")?.hasPrefix(own) ?? false
        }
        isSessionIndependent = properties["mfp.session.independent"]?.lowercased() == "true"
        var logger = services.logger
        logger[metadataKey: "adapter"] = "\(descriptor.name)"
        self.logger = logger
        backEnds = AdapterBackEnds(
            descriptor: descriptor, properties: properties, project: project.folder,
            maximumResponseSize: settings.backEndResponse, standIns: services.standIns, logger: logger)
    }
}
