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

    /// The ways calls use the adapter's scopes.
    enum ScopeUse: Sendable {
        /// A call takes its session's scope, or a clean one that becomes the session's if the call leaves it changed.
        case compared
        /// Each session has its own scope from its first call on.
        case own
        /// All calls share scopes, even if the scopes have state.
        case shared
    }

    /// The ``scopeUse`` that follows from the settings and the script's source.
    private let declaredUse: ScopeUse

    /// The server's findings about the adapter's scopes while it runs.
    private let scopeState = Mutex(ScopeState())
    /// True if ``ScopeState/obstacle`` is set.
    private let hasObstacle = Atomic(false)
    /// True if ``ScopeState/retainedState`` is set.
    private let keepsState = Atomic(false)

    struct ScopeState {
        /// The reason why scopes cannot be compared, once one has been loaded; see `ScopeImage`.
        var obstacle: ScopeImage.ScopeComparisonError?
        /// Which of the language's objects have shapes that change; see `ScopeImage.probe()`. `nil` until one scope was probed.
        var shapesChange: [Bool]?
        /// The first value that a call has left behind.
        var retainedState: RetainedState?
        /// The procedures that have left something behind.
        var keeping: Set<String> = []
    }

    /// The way calls use the adapter's scopes. `scopes.session` overrides `mfp.session.independent` (server-api 5.4).
    var scopeUse: ScopeUse {
        declaredUse == .compared && hasObstacle.load(ordering: .relaxed) ? .own : declaredUse
    }

    /// True if the settings, and not the script, require that each session has its own scope.
    var ownsScopesBySetting: Bool { !settings.scopes.sharesClean || settings.scopes.session.includes(name) }

    /// True if a call of a session should wait for the session's other calls although the session has no scope yet: a realm names the
    /// adapter.
    var callsShouldQueue: Bool { declaredUse == .compared && logsUsersIn }

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
        declaredUse =
            if descriptor.isRealmScript || settings.scopes.session.includes(descriptor.name) {
                .own
            } else if settings.scopes.shared.includes(descriptor.name) || project.properties.isSessionIndependent {
                .shared
            } else {
                settings.scopes.sharesClean && script.obstacle == nil ? .compared : .own
            }
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

    /// Which of the language's objects have shapes that change: found out once, by `probe`.
    func shapesChange(_ probe: () throws -> [Bool]) rethrows -> [Bool] {
        if let known = scopeState.withLock({ $0.shapesChange }) { return known }
        let found = try probe()
        scopeState.withLock { $0.shapesChange = found }
        return found
    }

    /// Notes that scopes cannot be compared, and logs it the first time.
    func note(_ obstacle: ScopeImage.ScopeComparisonError) {
        let isNew = scopeState.withLock { state in
            defer { state.obstacle = obstacle }
            return state.obstacle == nil
        }
        hasObstacle.store(true, ordering: .relaxed)
        if isNew { logger.info("each session has its own scope from its first call: \(ownScopeReason)") }
    }

    /// The reason why each session has its own scope from its first call on.
    var ownScopeReason: String {
        if let obstacle = scopeState.withLock({ $0.obstacle }) {
            return (obstacle.place.isEmpty ? "" : "\(obstacle.place.quotedName)\(declaration(of: obstacle.place)) ")
                + obstacle.reason
        }
        return script.obstacle.map { "\($0.description) (\(script.file):\($0.position.line))" } ?? "scopes.session"
    }

    /// Notes that a call has left something behind, and logs it the first time.
    ///
    /// - Parameters:
    ///   - variables: the variables of the top level that have changed, or another location; empty when it is not known.
    ///   - procedure: the procedure or callback that was called.
    func noteState(_ variables: [String], after procedure: String, isPoll: Bool) {
        let variable = variables.min { script.globalLines[$0] ?? .max < script.globalLines[$1] ?? .max }
        let state = RetainedState(
            variable: variable, procedure: procedure, isPoll: isPoll, line: variable.flatMap { script.globalLines[$0] },
            file: script.file)
        let isNew = scopeState.withLock { known in
            defer { known.retainedState = known.retainedState ?? state }
            return known.retainedState == nil
        }
        keepsState.store(true, ordering: .relaxed)
        guard isNew else { return }
        logger.info("keeps \(state)")
    }

    /// Notes procedures that have left something behind.
    func recordRetention(_ called: [String]) {
        scopeState.withLock { $0.keeping.formUnion(called) }
    }

    /// Returns whether a procedure has left state behind before: then each session that calls it gets its own scope at once.
    func keepsState(after procedure: String?) -> Bool {
        guard let procedure, hasKeptState else { return false }
        return scopeState.withLock { $0.keeping.contains(procedure) }
    }

    /// True if a call has left something behind.
    var hasKeptState: Bool { keepsState.load(ordering: .relaxed) }

    /// The first value that a call has left behind; `nil` when none has.
    var retainedState: RetainedState? { scopeState.withLock { $0.retainedState } }

    private func declaration(of variable: String) -> String {
        script.globalLines[variable].map { " (\(script.file):\($0))" } ?? ""
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
