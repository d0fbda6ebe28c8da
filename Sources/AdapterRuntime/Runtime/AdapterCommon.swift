import Logging
import PushModel
import WorklightProject

/// What all scopes of an adapter share.
final class AdapterCommon: Sendable {
    let descriptor: AdapterDescriptor
    let script: String
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
    /// The user realm of each procedure's security test, by the procedure's name.
    private let userRealms: [String: String]

    var name: String { descriptor.name }

    /// Whether calls may run in any scope: `mfp.session.independent` of 7.1 (server-api 5.4).
    let isSessionIndependent: Bool

    init(
        adapter: Project.Adapter, of project: Project, services: RuntimeServices, settings: RuntimeSettings,
        directory: AdapterDirectory, pool: ScopePool
    ) {
        descriptor = adapter.descriptor
        script = adapter.script
        properties = project.properties
        applicationTags = Dictionary(
            uniqueKeysWithValues: project.applications.map { ($0.id, Tags(declared: $0.tags.map(\.name))) })
        userRealms = Dictionary(
            uniqueKeysWithValues: descriptor.procedures.compactMap { procedure in
                let realm = procedure.securityTest.flatMap { project.authentication.userRealm(ofSecurityTest: $0) }
                return realm.map { (procedure.name, $0) }
            })
        self.services = services
        self.settings = settings
        self.directory = directory
        self.pool = pool
        isSessionIndependent = properties["mfp.session.independent"]?.lowercased() == "true"
        var logger = services.logger
        logger[metadataKey: "adapter"] = "\(adapter.descriptor.name)"
        self.logger = logger
        backEnds = AdapterBackEnds(
            descriptor: descriptor, properties: properties, project: project.folder,
            maximumResponseSize: settings.backEndResponse, logger: logger)
    }

    /// The realm whose identity is the user of a procedure; `nil` when its security test does not say, or there is none.
    func userRealm(ofProcedure name: String) -> String? { userRealms[name] }
}
