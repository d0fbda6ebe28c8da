import AdapterRuntime
import Authentication
import ClientProtocol
import Core
import Foundation
import HTTPServer
import Hummingbird
public import Installation
import JavaScriptEngine
public import Logging
public import Management
import NIOCore
import OTLPExporter
import PollScheduler
import Push
import PushModel
import ServiceLifecycle
import Storage
import Synchronization
import UnixSignals

/// The server: an installation with its polls, its deliveries and its port.
///
/// It stops in the order that loses nothing: first the ports, so that no new work comes in, then the polls, then the deliveries. The ports wait for
/// the requests that have begun; polls and deliveries wait for theirs up to the grace period. Everything together ends after three grace periods.
/// Deliveries that have not been sent by then are in the store.
public struct LamplighterServer: Sendable {
    /// In the header `Server`.
    private static let name = "Lamplighter"

    private let installation: Installation
    private var scheduler: PollScheduler { installation.deployments.scheduler }
    private let watch: AdapterReloader?
    private let onReady: @Sendable (_ url: String, _ consoleURL: String?) -> Void
    private let onStopping: @Sendable () -> Void
    private let logger: Logger
    private let logs: LogBuffer
    private let logFile: (any ReopenableLog)?
    private let manager: ServiceManager?
    private let managementKey = UUID().uuidString + UUID().uuidString

    /// - Parameters:
    ///   - watch: deploys adapters when their files change.
    ///   - logs: the buffer of the logger's lines, if it keeps them.
    ///   - logFile: the file that the logger writes to; `nil` without one.
    ///   - manager: the service manager that started the process; `nil` without one.
    ///   - onStopping: called when the server begins to stop.
    ///   - onReady: called once the server accepts requests, with the addresses of the server and of the console's port.
    public init(
        _ installation: Installation, logger: Logger, logs: LogBuffer = LogBuffer(),
        logFile: (any ReopenableLog)? = nil, manager: ServiceManager? = nil, watch: AdapterReloader? = nil,
        onStopping: @escaping @Sendable () -> Void = {},
        onReady: @escaping @Sendable (_ url: String, _ consoleURL: String?) -> Void
    ) {
        self.installation = installation
        self.logger = logger
        self.watch = watch
        self.logs = logs
        self.logFile = logFile
        self.manager = manager
        self.onReady = onReady
        self.onStopping = onStopping
    }

    /// Runs until SIGTERM or SIGINT, or until the task is cancelled, and then stops as the type's comment says.
    ///
    /// - Throws: ``PortError`` when a port cannot be opened; ``OpenFilesError``.
    public func run() async throws {
        logCallers()
        await installation.deployments.startPolling()
        installation.store.outbox.listen { [worker = installation.deliveries.worker] in worker.wake() }
        defer { installation.store.outbox.close() }

        // Hummingbird's and the lifecycle's own remarks at info are ours already.
        let frameworkLogger = logger.quieter
        let certificate = try serverCertificate()
        installation.server.update { facts in
            (facts.phase, facts.started, facts.certificate) = (.starting, installation.time.now, certificate)
        }
        let settings = installation.settings
        let ports = ListeningPorts(hasConsole: settings.consolePort != nil)
        let live = LivePages(sessions: installation.security.accounts.sessions, time: installation.time)
        let routes = Routes(
            api: ManagementAPI(installation, logs: logs, isWatching: watch != nil),
            access: ManagementAccess(
                key: managementKey, store: installation.store, sessions: installation.security.accounts.sessions,
                time: installation.time, isStoreFailing: { [server = installation.server] in server.isStoreFailing }),
            live: live)
        let transport = try transportSettings()
        let service = PortService(host: settings.host, port: settings.port, setting: "port") { port in
            Application(
                responder: routes.router().buildResponder(),
                server: .transport(
                    settings: transport, certificate: certificate,
                    direct: .wire(ClientProtocolHandler(installation), serverName: Self.name),
                    bodies: .wire(installation), logger: frameworkLogger, time: installation.time,
                    guards: installation.telemetry.metrics.guards),
                // Clients that come all at once, as after a restart, would wait for seconds if the queue of the system were full.
                configuration: .init(
                    address: .hostname(settings.host, port: port), serverName: Self.name,
                    backlog: transport.maximumConnections),
                onServerRunning: { channel in
                    if let ports = ports.open(channel, isConsole: false) { ready(ports, certificate != nil) }
                },
                logger: frameworkLogger)
        }
        let console = settings.consolePort.map { port in
            var transport = transport
            transport.maximumConnections = min(transport.maximumConnections, Self.consoleConnections)
            return PortService(
                host: settings.consoleHost, port: port, setting: "console.port", mayMove: settings.mayMoveConsole
            ) { [transport] port in
                Application(
                    responder: routes.router(isConsole: true).buildResponder(),
                    server: .transport(
                        settings: transport, certificate: certificate, bodies: .wire(installation),
                        logger: frameworkLogger, time: installation.time,
                        guards: installation.telemetry.metrics.guards),
                    configuration: .init(address: .hostname(settings.consoleHost, port: port), serverName: Self.name),
                    onServerRunning: { channel in
                        if let ports = ports.open(channel, isConsole: true) { ready(ports, certificate != nil) }
                    },
                    logger: frameworkLogger)
            }
        }
        // The last is stopped first: the application waits for the responses of long polls.
        let waits = LongPollShutdown(
            changeSignals: [logs.bell, installation.store.outbox.changeSignal], live: live,
            deployments: installation.deployments,
            state: installation.server, runtime: installation.runtime, gracePeriod: settings.gracePeriod * 3,
            logger: logger,
            onStopping: { [manager, onStopping] in
                // The ports, polls and deliveries each have a grace period.
                manager?.stops(within: settings.gracePeriod * 3 + .seconds(60))
                onStopping()
            })
        // Before the ports open: from "ready" on, a SIGHUP must reload.
        let hangUps = await UnixSignalsSequence(trapping: .sighup)
        var configuration = ServiceGroupConfiguration(
            services: background(ports) + (watch.map { [watching($0)] } ?? [])
                + reloading(certificate, at: hangUps) + [listening(service)]
                + (console.map { [listening($0)] } ?? []) + [.init(service: waits)],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: frameworkLogger)
        configuration.maximumGracefulShutdownDuration = installation.settings.gracePeriod * 3
        defer { installation.folder.unpublish() }
        let timer = manager.flatMap { manager in manager.watchdog.map { watchdog(manager).start(every: $0) } }
        defer { timer?.cancel() }
        try await ServiceGroup(configuration: configuration).run()
    }

    /// Polls, deliveries and scripts must respond, also while they wait for something.
    private func watchdog(_ manager: ServiceManager) -> Watchdog {
        Watchdog(
            [
                .init(name: "polls") { [scheduler] in await scheduler.respond() },
                .init(name: "deliveries") { [worker = installation.deliveries.worker] in await worker.respond() },
                .init(name: "scripts") { await EngineProcess.respond() },
            ], logger: logger, sign: manager.lives)
    }

    /// A port that cannot be opened ends the others in order.
    private func listening(_ service: some Service) -> ServiceGroupConfiguration.ServiceConfiguration {
        .init(service: service, failureTerminationBehavior: .gracefullyShutdownGroup)
    }

    private func serverCertificate() throws -> ServerCertificate? {
        let version = installation.settings.minimumTLSVersion
        guard let files = installation.settings.tls else { return nil }
        let certificate = try ServerCertificate(
            certificateFile: files.certificate, keyFile: files.key, clientAuthoritiesFile: files.clientAuthorities,
            minimumVersion: version, logger: logger, now: { [time = installation.time] in time.now })
        if version.isOld {
            logger.warning(
                """
                tls.minimumVersion is \(version.rawValue): an attacker on the network can attack connections of clients that speak no \
                newer version; set it to 1.2 when no app needs an older one
                """)
        }
        return certificate
    }

    /// The settings of connections, of which there are no more than the system allows beside back ends, databases and machines.
    ///
    /// - Throws: ``OpenFilesError``.
    private func transportSettings() throws(OpenFilesError) -> HTTPServerSettings {
        var settings = installation.settings.transport
        guard let limit = FileDescriptorLimit.raiseLimit() else { return settings }
        // A machine takes two. The store, logs, push services and whatever else opens files have 200.
        let own = 200 + 2 * installation.settings.runtime.scopes.machines
        guard limit >= own + Self.fewestConnections else {
            throw OpenFilesError(limit: limit, needed: own + Self.fewestConnections)
        }
        // Back ends of adapters that are not called need none, so clients get half in any case.
        let remaining = limit - own
        let connections = max(remaining - installation.runtime.backEndConnections, remaining / 2)
        guard connections < settings.maximumConnections else { return settings }
        let text = """
            limits.connections is \(connections) instead of \(settings.maximumConnections): the system allows \(limit) open files, \
            and \(limit - connections) of them are for back ends, databases, scripts and the store
            """
        settings.maximumConnections = connections
        installation.server.update { $0.connectionLimit = text }
        return settings
    }

    /// The largest number of connections to the console's port.
    private static let consoleConnections = 1000

    /// The number of files for connections without which the server does not start.
    private static let fewestConnections = 20

    /// Deliveries, polls and the work that recurs. Deliveries and scripts wait until the ports are open.
    private func background(_ ports: ListeningPorts) -> [ServiceGroupConfiguration.ServiceConfiguration] {
        func afterOpening(_ work: some Service) -> ServiceGroupConfiguration.ServiceConfiguration {
            .init(service: AfterOpening(ports: ports, work: work))
        }
        // It stops last, and sends the spans of the services that stopped before.
        return exporting() + [
            afterOpening(
                ClosureService {
                    // The outbox stops last. The service group cancels it after three grace periods, when some part has not
                    // stopped: a script still runs, and the process would wait until the script's limits end it.
                    await withTaskCancellationHandler {
                        guard installation.settings.holdsDeliveries else {
                            return await installation.deliveries.worker.run()
                        }
                        logger.warning("deliveries.hold is set: this server sends no notifications")
                        await installation.deliveries.worker.hold()
                    } onCancel: {
                        installation.runtime.interrupt(reason: "the server is stopping")
                    }
                } stop: {
                    installation.deliveries.worker.stop()
                }),
            .init(
                service: ClosureService {
                    try? await cancelWhenGracefulShutdown { try await installation.security.sessions.runSweeper() }
                } stop: {
                }),
            .init(service: RecurringWork.housekeeping(of: installation)),
            afterOpening(RecurringWork.broadcasts(of: installation)),
            afterOpening(RecurringWork.callbacks(of: installation)),
            .init(service: RecurringWork.activity(of: installation, logs: logs)),
            .init(service: RecurringWork.health(of: installation)),
            .init(service: RecurringWork.decisions(of: installation)),
            .init(service: RecurringWork.backEnds(of: installation)),
            afterOpening(
                ClosureService {
                    await scheduler.run()
                } stop: {
                    await stopPolls()
                }),
        ]
    }

    /// Sends spans to the collector.
    private func exporting() -> [ServiceGroupConfiguration.ServiceConfiguration] {
        guard let spans = installation.telemetry.spans else { return [] }
        return [
            .init(
                service: ClosureService {
                    await cancelWhenGracefulShutdown { await spans.run() }
                } stop: {
                })
        ]
    }

    private func stopPolls() async {
        let abandoned = await scheduler.stop(gracePeriod: installation.settings.gracePeriod)
        guard !abandoned.isEmpty else { return }
        let names = abandoned.map(\.description).joined(separator: ", ")
        logger.warning("stopped without waiting for the polls of \(names)")
        installation.runtime.interrupt(reason: "the server is stopping")
    }

    /// Logs who may call procedures, one fact to a line.
    private func logCallers() {
        let keys = installation.settings.backEnds
        let shown = [keys.token.map { _ in "backEnds.token" }, keys.user.map { _ in "backEnds.user" }].compactMap(
            \.self)
        let backEnds =
            shown.isEmpty
            ? "no back end may call /invoke and /adapters: set backEnds.token to allow it"
            : "back ends that show \(shown.joined(separator: " or ")) may call every procedure by /invoke and /adapters"
        let clients =
            installation.security.policy.admitsClients
            ? "every client may call procedures and subscribe to event sources that have no security test"
            : "there are no clients, since the project has no applications"
        logger.notice("\(backEnds)")
        logger.notice("\(clients)")
        guard let development = installation.security.development else {
            logger.notice("production mode: /dev/invoke and test tokens are off")
            return
        }
        logger.notice(
            """
            development mode: programs on this machine that show the key in '\(development.file)' may call every procedure by \
            /invoke, /adapters and /dev/invoke, and get test tokens
            """)
        if development.isOpen {
            logger.warning(
                """
                development.open is set: every program on this machine may call procedures without the key; so may everybody \
                whose requests a proxy on this machine passes on; set development.open to false where a proxy runs
                """)
        }
    }

    private func watching(_ watch: AdapterReloader) -> ServiceGroupConfiguration.ServiceConfiguration {
        .init(
            service: ClosureService {
                await cancelWhenGracefulShutdown { await watch.run(installation) }
            } stop: {
            })
    }

    /// Checks for a new certificate every few seconds. At SIGHUP, reads everything again that can change while the server runs.
    private func reloading(
        _ certificate: ServerCertificate?, at hangUps: UnixSignalsSequence
    ) -> [ServiceGroupConfiguration.ServiceConfiguration] {
        let time = installation.time
        var services = [
            ServiceGroupConfiguration.ServiceConfiguration(
                service: ClosureService {
                    for await _ in hangUps.cancelOnGracefulShutdown() {
                        manager?.reloads()
                        await reload(certificate)
                        manager?.isReady(readyStatus)
                    }
                } stop: {
                })
        ]
        if let certificate {
            services.append(
                .init(
                    service: CertificateReloader(certificate) { pause in
                        try await time.sleep(untilUptime: time.uptime + pause)
                    }))
        }
        return services
    }

    /// Opens the log's file again, and reads the certificate, the push services' credentials, and the rules for versions and devices again. A part
    /// that cannot be read keeps its former values.
    private func reload(_ certificate: ServerCertificate?) async {
        var read: [String] = []
        func part(_ name: String, former: String, _ body: () async throws -> Void) async {
            do {
                try await body()
                read.append(name)
            } catch {
                logger.error("\(name): not read again: \(error); \(former)")
            }
        }
        do {
            try logFile?.reopen()
        } catch {
            logger.error("the log's file was not reopened: \(error); lines go to the former file")
        }
        if let certificate {
            // It logs a rejection itself.
            certificate.reload()
            if certificate.rejection == nil { read.append("the certificate") }
        }
        await part("the credentials", former: "the former ones stay in use") {
            try await installation.deliveries.credentials.reload()
        }
        await part("the rules for versions and devices", former: "the former ones stay in use") {
            try await installation.readRules()
        }
        if !read.isEmpty { logger.notice("SIGHUP: read again: \(read.joined(separator: ", "))") }
    }

    /// Publishes the addresses once all ports are open.
    private func ready(_ ports: ListeningPorts.Numbers, _ isSecure: Bool) {
        func url(_ host: String, _ port: Int) -> String {
            "\(isSecure ? "https" : "http")://\(Authority(host: host, port: port))"
        }
        let settings = installation.settings
        let consoleURL = ports.console.map { url(settings.consoleHost, $0) }
        let url = url(settings.host, ports.server)
        installation.server.update { ($0.phase, $0.url, $0.consoleURL) = (.ready, url, consoleURL) }
        let note = DataFolder.ServerNote(processID: getpid(), url: url, managementKey: managementKey)
        do {
            try installation.folder.publish(note)
        } catch {
            installation.server.update { $0.unpublished = note }
            logger.error(
                """
                the command line cannot find this server: server.json in the data folder cannot be written: \(error.reason); free \
                space or correct the permissions: the server tries again every \(HealthMonitor.pause.components.seconds) s
                """)
        }
        logWebApps(url, port: ports.server)
        manager?.isReady(readyStatus)
        onReady(url, consoleURL)
    }

    /// A sentence for the service manager.
    private var readyStatus: String {
        let adapters = installation.runtime.adapterNames.count
        return "serves \(adapters) adapter\(adapters == 1 ? "" : "s") at \(installation.server.facts.url ?? "")"
    }

    /// Logs the addresses of the project's web apps, one to a line.
    private func logWebApps(_ url: String, port: Int) {
        // A port that browsers do not connect to (WHATWG Fetch, "port blocking"), and the original's.
        let hint = port == 10080 ? "; browsers refuse port 10080: set another port, or put a proxy in front" : ""
        for address in ClientProtocolHandler(installation).webAppPaths() {
            logger.info("pages of \(address.application) for \(address.environment): \(url)\(address.path)\(hint)")
        }
    }
}

/// A part that runs until the server stops.
/// The system allows the process too few open files.
public struct OpenFilesError: Error, CustomStringConvertible {
    let limit: Int
    let needed: Int

    public var description: String {
        """
        the system allows this process \(limit) open files, and the server needs \(needed): 2 for each of limits.machines, and 220 for the store, \
        logs, push services and clients; raise the limit (ulimit -n, LimitNOFILE in systemd), or lower limits.machines
        """
    }
}

extension Logger {
    /// The logger without the level info.
    fileprivate var quieter: Logger {
        var logger = self
        logger.logLevel = max(logLevel, .notice)
        return logger
    }
}

private struct ClosureService: Service {
    let runPart: @Sendable () async -> Void
    let stopPart: @Sendable () async -> Void

    init(run: @escaping @Sendable () async -> Void, stop: @escaping @Sendable () async -> Void) {
        runPart = run
        stopPart = stop
    }

    func run() async throws {
        await withGracefulShutdownHandler {
            await runPart()
        } onGracefulShutdown: {
            Task { await stopPart() }
        }
    }
}
