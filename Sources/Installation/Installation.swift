public import AdapterRuntime
public import Core
import Foundation
public import Logging
import PollScheduler
import PrometheusExporter
import Push
package import PushModel
import Storage
import Tokens
public import WorklightProject

/// A project with its store and its adapters, opened and loaded: everything but the network.
///
/// The server runs one; the command line opens one for a moment when no server runs.
public final class Installation: Sendable {
    public let settings: InstallationSettings
    /// The project as read when the installation was opened.
    package let project: Project
    package let folder: DataFolder
    package let store: any Store
    let storeMetrics: StoreMetrics
    package let telemetry: Telemetry
    package let deliveries: Deliveries
    public let runtime: AdapterRuntime
    package let deployments: AdapterDeployer
    package let security: SecurityServices
    /// The server that runs this installation.
    package let server: ServerState

    package var time: any TimeSource { telemetry.time }
    package var logger: Logger { telemetry.logger }

    /// Locks the data folder, opens the store, and loads the project's adapters.
    ///
    /// - Throws: ``DataFolderError``, `StoreError`, ``PushSettingsError``, ``ModeError``, `CredentialError`,
    ///   `WebPushCredentialError`, `DirectoryConfigurationError` and `OpenIDSettingsError` for the settings of accounts, `UnknownNameError` for a setting that names an adapter which the project does not have.
    public init(opening settings: InstallationSettings, logger: Logger, time: any TimeSource = SystemTime())
        async throws
    {
        let project = Project(reading: settings.project)
        try settings.checkNamesOfAdapters(of: project)
        let plan = PushPlan(
            for: project, settings.push, isProduction: settings.mode == .production, now: time.now)
        try plan.check()
        (self.settings, self.project) = (settings, project)
        folder = try DataFolder(locking: settings.dataFolder)
        let metrics = ServerMetrics()
        storeMetrics = StoreMetrics(factory: metrics.registry)
        let store =
            if let address = settings.store {
                try SQLStore(
                    address, insteadOf: folder.url.path, time: time, metrics: storeMetrics)
            } else {
                try SQLStore(
                    folder: folder.url.path, time: time, metrics: storeMetrics)
            }
        if let remark = store.upgradeRemark { logger.notice("\(remark)") }
        self.store = store
        let clientLog = try SQLiteClientLog(folder: folder.url.path, quota: settings.clientLogQuota)
        plan.log(to: logger)
        let name = try folder.serverName()
        telemetry = Telemetry(
            settings, name: name, clientLog: clientLog, metrics: metrics, time: time, logger: logger)
        server = ServerState(
            name: name,
            health: HealthMonitor(
                folder: folder.url, ignoring: settings.ignoredChecks, storePatience: settings.storePatience, time: time,
                logger: logger))
        let blocks = try DeviceBlocks(store: store)
        deliveries = try await Deliveries(
            plan, of: project, settings: settings, folder: folder, store: store, blocks: blocks, name: name,
            telemetry: telemetry)
        var services = RuntimeServices(
            subscriptions: store, smsSubscriptions: store,
            notifications: OutboxSink(outbox: store.outbox, pressure: deliveries.pressure, worker: deliveries.worker),
            broadcasts: deliveries.broadcasts, time: time, logger: logger)
        services.metrics = RuntimeMetrics(factory: metrics.registry, guards: metrics.guards)
        services.tracer = telemetry.tracer
        var runtimeSettings = settings.runtime
        runtimeSettings.dataFolder = settings.dataFolder
        runtimeSettings.showsFailureDetails = settings.mode == .development
        runtime = AdapterRuntime(project: project, services: services, settings: runtimeSettings)
        deliveries.removal.attach(runtime)
        deployments = AdapterDeployer(
            runtime: runtime, store: store, holder: settings.store == nil ? nil : name, time: time, logger: logger,
            metrics: PollMetrics(factory: metrics.registry))
        security = try SecurityServices(
            for: project, settings: settings, runtime: runtime, store: store, blocks: blocks, telemetry: telemetry)
        await runtime.load()
        for problem in problems + (settings.mode == .production ? project.unverifiedLogins : []) {
            logger.log(
                level: problem.isOmission ? .warning : problem.severity.logLevel, "\(problem.place): \(problem.message)"
            )
        }
        for remark in runtime.sharedStateWarnings { logger.warning("\(remark.place): \(remark.message)") }
    }

    /// Checks the health of the server and its surroundings.
    ///
    /// - Returns: a report that is a second old at most.
    package func currentHealth() async -> HealthReport {
        var report = await server.health.current(of: self)
        if let finding = phaseFinding { report.findings.insert(finding, at: 0) }
        return report
    }

    /// The problems of the project, in the versions of its adapters that are deployed.
    public var problems: [ProjectError] { (runtime.problems + security.problems).inOrder }

    /// Releases the resources that need an explicit release.
    public func close() async {
        runtime.interrupt(reason: "the server is stopping")
        runtime.closeBackEnds()
        await deliveries.credentials.close()
        security.accounts.openID?.login.shutdown()
        folder.unlock()
    }
}

extension InstallationSettings {
    /// - Throws: `UnknownNameError` when a setting names an adapter that the project does not have. One that cannot be read counts.
    func checkNamesOfAdapters(of project: Project) throws(UnknownNameError) {
        let known = project.adapters.map(\.descriptor.name)
        let scopes = runtime.scopes
        for (setting, adapters) in [("scopes.shared", scopes.shared), ("scopes.ownRealm", scopes.ownRealm)] {
            for name in adapters.names.subtracting(known).sorted()
            where !project.problems.contains(where: { $0.file.hasPrefix("adapters/\(name)/") }) {
                throw UnknownNameError(
                    kind: "adapter", name: name, known: known.sorted(), place: "for the setting \(setting)")
            }
        }
    }
}

extension ProjectError.Severity {
    var logLevel: Logger.Level {
        switch self {
        case .error: .error
        case .warning: .warning
        case .note: .debug
        }
    }
}

/// The version of Lamplighter.
public enum LamplighterVersion {
    public static let current = "0.1.0"
}
