import AdapterRuntime
import ArgumentParser
import Core
import Foundation
import HTTPServer
import Installation
import JavaScriptEngine
import Logging
import Management
import Server
import WorklightProject

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run a project: its adapters, its polls, its deliveries.")

    @Argument(help: ProjectFolder.help, completion: .directory)
    var project: String?

    @Option(help: "The address to listen on.")
    var host: String?

    @Option(help: "The port to listen on; 0 for any that is free.")
    var port: Int?

    @Option(help: ArgumentHelp("The path below which all endpoints for clients are.", valueName: "path"))
    var contextRoot: String?

    @Option(
        help: ArgumentHelp("The certificate to listen with, in PEM; with --tls-key.", valueName: "file"),
        completion: .file())
    var tlsCertificate: String?

    @Option(
        help: ArgumentHelp("The certificate's private key, in PEM.", valueName: "file"), completion: .file())
    var tlsKey: String?

    @Flag(help: "Refuse to start where check --strict fails.")
    var strict = false

    @Flag(help: "Deploy adapters when their files change; in development.")
    var watch = false

    @Option(
        help: "development or production.",
        completion: .list(InstallationSettings.Mode.allCases.map(\.rawValue)))
    var mode: String?

    @OptionGroup var store: StoreOptions

    /// A flag's path is relative to the current folder; in the settings it would be relative to the project.
    private static func path(_ text: String) -> String { text.isEmpty ? text : URL(fileURLWithPath: text).path }

    func run() async throws {
        var settings = try store.settings(of: project)
        guard access(settings.installation.project.path, R_OK | X_OK) == 0 else {
            throw SettingsError(
                description:
                    "\(settings.installation.project.path) cannot be read by the user '\(NSUserName())': \(String(cString: strerror(errno)))"
            )
        }
        guard ProjectFolder.isProject(settings.installation.project) else {
            throw SettingsError(
                description:
                    "\(settings.installation.project.path) is not a Worklight project: expected a folder adapters, apps or "
                    + "server/conf, or a file lamplighter.yaml; name the project's folder, or make one with "
                    + "'lamplighter new project NAME'")
        }
        for (key, text) in [
            ("host", host), ("port", port.map(String.init)), ("contextRoot", contextRoot), ("mode", mode),
            ("tls.certificate", tlsCertificate.map(Self.path)), ("tls.key", tlsKey.map(Self.path)),
        ] {
            guard let text, let setting = Setting.all.first(where: { $0.key == key }) else { continue }
            guard setting.apply(&settings, text) else {
                throw ValidationError("\(key) \(text): expected \(setting.expected)")
            }
            settings.note(
                key, text, isSecret: setting.isSecret, expected: setting.expected, source: "flag of serve")
        }
        settings = try settings.checked()
        if watch, settings.installation.mode == .production {
            throw ValidationError(
                "--watch is for development: in production a file that is half copied must not be deployed; use "
                    + "'lamplighter deploy ADAPTER' once everything is in place")
        }
        if strict { try await refuse(settings) }
        let level = settings.logLevel
        let logs = LogBuffer(kept: settings.logsKept)
        let file = try settings.log.file.map { path throws(CommandError) in try LogFile(path) }
        let isJSON = CommandOutput.isJSON || settings.log.format == .json
        let redactor = SecretRedactor(secrets: settings.secrets.texts(project: settings.installation.project))
        let output = LogOutput(isJSON: isJSON, file: file, book: logs, redactor: redactor)
        let logger = Logger(label: "lamplighter") { _ in
            ConsoleLogHandler(level: level, output: output, provider: .trace)
        }
        if !settings.ignoredVariables.isEmpty {
            let names = settings.ignoredVariables.joined(separator: ", ")
            logger.info("\(names): ignored, since Kubernetes or Docker set such variables for a service")
        }
        try await checkEngine(logger)
        let watch = watch ? AdapterReloader(project: settings.installation.project) : nil
        let installation = try await Installation(opening: settings.installation, logger: logger)
        let project = settings.installation.project.path
        if !["127.0.0.1", "::1", "localhost"].contains(settings.installation.host), settings.installation.tls == nil,
            settings.installation.trustedProxies.isEmpty
        {
            logger.warning(
                """
                listening on \(settings.installation.host) without TLS: passwords and sessions can be read on the way; set \
                tls.certificate and tls.key, or put a proxy in front and name it in trustedProxies
                """)
        }
        let adapters = installation.runtime.adapterNames.count
        let consolePort = settings.installation.consolePort ?? 0
        let latestEnd = settings.installation.gracePeriod * 3 + .seconds(30)
        let server = LamplighterServer(
            installation, logger: logger, logs: logs, logFile: file,
            manager: ServiceManager(environment: ProcessInfo.processInfo.environment), watch: watch,
            onStopping: { Self.endProcess(after: latestEnd, logger) }
        ) { url, console in
            let hasMoved = consolePort != 0 && console.flatMap { URL(string: $0)?.port } != consolePort
            let remark = hasMoved ? " (port \(consolePort) is taken)" : ""
            CommandOutput.note(
                "lamplighter is ready: \(url) serves \(project) (\(adapters) adapter\(adapters == 1 ? "" : "s"))"
                    + (console.map { "; console: \($0)\(remark)" } ?? ""), asJSON: isJSON)
        }
        do {
            try await server.run()
        } catch {
            await installation.close()
            throw CommandError(listening: error) ?? error
        }
        await installation.close()
        logger.notice("stopped")
    }

    /// - Throws: ``CommandError`` when the installed engine cannot run scripts safely.
    private func checkEngine(_ logger: Logger) async throws {
        let check = try await EngineCheck.run()
        let name = "JavaScriptCoreGTK \(check.version)"
        guard check.failures.isEmpty else {
            throw CommandError(
                description:
                    "\(name) cannot run adapters safely: \(check.failures.joined(separator: "; ")). Install a version \(EngineCheck.lastKnownVersion) of libjavascriptcoregtk-4.1-0, the last that is known to be good"
            )
        }
        for warning in check.warnings { logger.warning("\(name): \(warning)") }
    }

    /// Ends the process if it has not ended after so long: the engine can end a script everywhere except within a regular expression or another
    /// function of the engine's own. Everything that must not be lost is in the store.
    private static func endProcess(after duration: Duration, _ logger: Logger) {
        Thread {
            Thread.sleep(forTimeInterval: duration / .seconds(1))
            logger.error(
                "ended while a script still ran, in a regular expression or another function that the engine cannot interrupt"
            )
            _exit(EXIT_FAILURE)
        }.start()
    }

    /// Prints the problems of `check --strict`, and ends the program if there are any.
    private func refuse(_ settings: Settings) async throws {
        let report = try await CheckReport(
            reading: settings.installation.project, isStrict: true, settings: settings)
        guard report.isFailure else { return }
        for problem in report.failures { CommandOutput.note("\(problem)".printable) }
        CommandOutput.note(
            "--strict refuses to start: \(report.summary); correct these problems, or start without --strict")
        throw ExitCode.failure
    }
}
