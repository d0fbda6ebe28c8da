public import AdapterRuntime
public import Core
package import Foundation
public import Logging
import NIOCore
import NIOPosix
package import OTLPExporter
import PollScheduler
import PrometheusExporter
package import Push
package import PushModel
package import Storage
import Tokens
public import WorklightProject

/// A project with its store and its adapters, opened and loaded: everything but the network.
///
/// The server runs one; the command line opens one for a moment when no server runs.
public final class Installation: Sendable {
    public let settings: InstallationSettings
    public let runtime: AdapterRuntime
    package let deployments: AdapterDeployer
    /// What is wrong with realms and login modules.
    private let loginProblems: [ProjectError]
    package let folder: DataFolder
    package let store: any Store
    package let clientLog: SQLiteClientLog
    package let credentials: PushCredentials
    package let worker: OutboxWorker
    package let broadcasts: OutboxBroadcastSender
    package let blocks: DeviceBlocks
    package let pressure: OutboxBackpressure
    let health: HealthMonitor
    let storeProbe: StoreProbe
    /// The server that runs this installation.
    package let server = ServerState()
    /// Whether the project's folder has adapters, also such that cannot be loaded.
    let hasAdapters: Bool
    /// The server's name, by which others that share its store know it.
    package let name: String
    package let security: SecurityServices
    package let accounts: ManagementAccounts
    package let metrics = ServerMetrics()
    /// Sends spans to a collector; `nil` where nothing is traced.
    package let spans: SpanExporter?
    /// Makes the spans of requests, calls and deliveries; `nil` without `traces.endpoint` and `log.access`.
    package let tracer: OTLPTracer?
    /// By which the push services of browsers know this server.
    package let webPushKey: VAPIDKey
    package let applicationTags: [String: Tags]
    /// The versions that the descriptors declare, by application.
    package let declaredVersions: [String: [DeclaredVersion]]
    package let time: any TimeSource
    package let logger: Logger

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
        try plan.check(isStrict: settings.isStrict)
        folder = try DataFolder(locking: settings.dataFolder)
        store =
            if let address = settings.store {
                try SQLStore(
                    address, insteadOf: folder.url.path, time: time, metrics: StoreMetrics(factory: metrics.registry))
            } else {
                try SQLStore(
                    folder: folder.url.path, time: time, metrics: StoreMetrics(factory: metrics.registry))
            }
        clientLog = try SQLiteClientLog(folder: folder.url.path, quota: settings.clientLogQuota)
        plan.log(to: logger)
        webPushKey = try settings.webPushKey ?? VAPIDKey(file: folder.url.appending(path: "web-push-key.pem").path)
        credentials = try await PushCredentials(
            plan, webPushKey: webPushKey, time: time, logger: logger, guards: metrics.guards)
        var runtimeSettings = settings.runtime
        runtimeSettings.dataFolder = settings.dataFolder
        runtimeSettings.showsFailureDetails = settings.mode == .development
        blocks = try DeviceBlocks(store: store)
        let removal = DeviceRemoval(store: store, time: time, logger: logger)
        pressure = OutboxBackpressure(time: time)
        health = HealthMonitor(folder: folder.url, ignoring: settings.ignoredChecks, time: time, logger: logger)
        storeProbe = StoreProbe(time: time)
        hasAdapters =
            !project.adapters.isEmpty
            || project.problems.contains { $0.severity == .error && $0.file.hasPrefix("adapters/") }
        name = try folder.serverName()
        spans = settings.traceEndpoint.map { [metrics, name] in
            SpanExporter(
                url: $0,
                resource: [
                    ("service.name", "lamplighter"), ("service.instance.id", name),
                    ("deployment.environment.name", settings.mode.rawValue),
                ],
                version: LamplighterVersion.current, gracePeriod: settings.gracePeriod, time: time, logger: logger,
                factory: metrics.registry)
        }
        // The access log shows the ids of traces that are not exported, too.
        tracer =
            spans != nil || settings.logsRequests ? OTLPTracer(ratio: settings.traceRatio, exporter: spans) : nil
        worker = OutboxWorker(
            name: name, outbox: store,
            mediator: DeviceBlockFilter(next: credentials, blocks: blocks),
            pressure: pressure, time: time, logger: logger,
            settings: OutboxWorkerSettings(gracePeriod: settings.gracePeriod, retention: settings.deliveryRetention),
            metrics: DeliveryMetrics(
                factory: metrics.registry,
                applications: Set(project.applications.map(\.id)).union(settings.push.applications.keys)),
            tracer: tracer, onDeviceGone: removal.remove)
        broadcasts = OutboxBroadcastSender(broadcasts: store, pressure: pressure, worker: worker)
        var services = RuntimeServices(
            subscriptions: store, smsSubscriptions: store,
            notifications: OutboxSink(outbox: store, pressure: pressure, worker: worker), broadcasts: broadcasts,
            time: time, logger: logger)
        services.metrics = RuntimeMetrics(factory: metrics.registry, guards: metrics.guards)
        services.tracer = tracer
        runtime = AdapterRuntime(project: project, services: services, settings: runtimeSettings)
        removal.attach(runtime)
        self.settings = settings
        applicationTags = project.applicationTags
        declaredVersions = Dictionary(
            project.applications.map { application in
                (
                    application.id,
                    application.environments.map { DeclaredVersion(environment: $0.name, version: $0.version) }
                )
            }, uniquingKeysWith: { $0 + $1 })
        self.time = time
        self.logger = logger
        deployments = AdapterDeployer(
            runtime: runtime, store: store, holder: settings.store == nil ? nil : name, time: time, logger: logger,
            metrics: PollMetrics(factory: metrics.registry))
        (security, loginProblems) = try SecurityServices.make(
            for: project, settings: settings, runtime: runtime, store: store, time: time, logger: logger,
            guards: metrics.guards)
        accounts = try ManagementAccounts(settings, time: time, logger: logger, guards: metrics.guards)
        await runtime.load()
        if settings.isStrict, let problem = problems.first(where: { $0.severity == .error }) {
            await close()
            throw StrictStartError(problem: problem)
        }
        for problem in problems {
            logger.log(level: problem.severity.logLevel, "\(problem.place): \(problem.message)")
        }
        for remark in runtime.sharedStateWarnings { logger.warning("\(remark.place): \(remark.message)") }
    }

    /// Checks the health of the server and its surroundings.
    ///
    /// - Returns: a report that is a second old at most.
    package func currentHealth() async -> HealthReport {
        var report = await health.current(of: self)
        if let finding = phaseFinding { report.findings.insert(finding, at: 0) }
        return report
    }

    /// What is wrong with the project, in the versions of its adapters that are deployed.
    public var problems: [ProjectError] { (runtime.problems + loginProblems).inOrder }

    /// Lets go of what must be let go of by hand.
    public func close() async {
        runtime.interrupt(reason: "the server is stopping")
        runtime.closeBackEnds()
        await credentials.close()
        accounts.openID?.login.shutdown()
        folder.unlock()
    }
}

extension InstallationSettings {
    /// - Throws: `UnknownNameError` when a setting names an adapter that the project does not have. One that cannot be read counts.
    fileprivate func checkNamesOfAdapters(of project: Project) throws(UnknownNameError) {
        for (setting, selection) in [
            ("scopes.shared", runtime.scopes.shared), ("scopes.session", runtime.scopes.session),
        ] {
            let known = project.adapters.map(\.descriptor.name)
            for name in selection.names.subtracting(known).sorted()
            where !project.problems.contains(where: { $0.file.hasPrefix("adapters/\(name)/") }) {
                throw UnknownNameError(
                    kind: "adapter", name: name, known: known.sorted(), place: "for the setting \(setting)")
            }
        }
    }
}

/// `serve --strict` refuses to start: the project has an error.
public struct StrictStartError: Error, CustomStringConvertible {
    /// The first error of the project.
    public let problem: ProjectError

    public var description: String {
        "\(problem); --strict refuses to start with it: correct it, or start without --strict and without this adapter"
    }
}

/// A version that an application's descriptor declares.
package struct DeclaredVersion: Sendable, Hashable {
    package let environment: String
    package let version: String?
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
