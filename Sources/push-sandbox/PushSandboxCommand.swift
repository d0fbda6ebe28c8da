import ArgumentParser
import Foundation
import Logging
import PushSandbox
import ServiceLifecycle
import UnixSignals

@main
struct PushSandboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push-sandbox",
        abstract: "Simulates APNs, FCM, WNS, an SMS gateway and a Web Push service on this machine.",
        usage: "push-sandbox [<options>]",
        discussion: """
            It speaks their protocols over real connections, checks every header, signature and payload as they document \
            it, and shows the notifications on a page of phones. See docs/push-sandbox.md.
            """,
        version: "0.1.0")

    @Option(help: "Address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "Port of APNs; 0 for any that is free, as with all ports.")
    var apnsPort = 2197

    @Option(help: "Port of FCM, WNS, Web Push and the token endpoints.")
    var httpPort = 2198

    @Option(help: "Port of the SMS gateway.")
    var smsPort = 2199

    @Option(help: "Port of the page of phones.")
    var port = 2190

    @Flag(help: "Shows no page of phones.")
    var noPage = false

    @Option(
        help: ArgumentHelp(
            "Folder for the keys, the certificates and a lamplighter.yaml that fits. With it the sandbox keeps its keys from start to start.",
            valueName: "folder"))
    var folder: String?

    @Flag(help: "Prints each arrival as a line of JSON.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Injects faults: apns:503:10%, apns:410@TOKEN, fcm:slow:2s, apns:goaway:1%. May be repeated.",
            valueName: "fault"), transform: { try FaultRule($0) })
    var fault: [FaultRule] = []

    @Option(help: ArgumentHelp("The number of arrivals kept in memory; 0 counts them only.", valueName: "count"))
    var keep = 10_000

    func validate() throws {
        for (name, value) in [
            ("--apns-port", apnsPort), ("--http-port", httpPort), ("--sms-port", smsPort), ("--port", port),
        ] where !(0...65_535).contains(value) {
            throw ValidationError("\(name) is \(value); a port between 0 and 65535 was expected")
        }
        guard keep >= 0 else { throw ValidationError("--keep is \(keep); 0 or more was expected") }
    }

    func run() async throws {
        // The reader of the lines may stop reading.
        signal(SIGPIPE, SIG_IGN)
        let identity = try folder.map { try SandboxFolder(path: $0).identity() }
        var settings = PushSandbox.Settings()
        settings.host = host
        settings.apnsPort = apnsPort
        settings.httpPort = httpPort
        settings.smsPort = smsPort
        settings.pagePort = noPage ? nil : port
        settings.keptArrivals = keep
        settings.identity = identity
        // The page shows the arrivals, and nothing else needs a log.
        let logger = Logger(label: "push-sandbox") { _ in SwiftLogNoOpLogHandler() }
        let sandbox = try await PushSandbox.start(settings, logger: logger)
        sandbox.faults = fault
        try folder.map { try SandboxFolder(path: $0).write(sandbox) }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    RunningSandbox(
                        sandbox: sandbox, welcome: Welcome.text(sandbox, host: host, folder: folder), printsJSON: json)
                ],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    }
}

/// The program's output.
enum SandboxOutput {
    static func write(_ text: String, toErrors: Bool = false) {
        let handle = toErrors ? FileHandle.standardError : .standardOutput
        try? handle.write(contentsOf: Data(text.utf8))
    }
}

/// Keeps the sandbox open until a signal ends the program.
struct RunningSandbox: Service {
    let sandbox: PushSandbox
    /// Printed once signals are handled, so that a script that waits for it may end the program.
    let welcome: String
    let printsJSON: Bool

    func run() async throws {
        let arrivals = printsJSON ? sandbox.arrivalsToCome() : nil
        SandboxOutput.write(welcome, toErrors: printsJSON)
        await withGracefulShutdownHandler {
            if let arrivals {
                for await arrival in arrivals { SandboxOutput.write(arrival.json + "\n") }
            } else {
                try? await gracefulShutdown()
            }
        } onGracefulShutdown: {
            Task { await sandbox.stop() }
        }
        await sandbox.stop()
    }
}

/// The program's message when it is ready.
enum Welcome {
    static func text(_ sandbox: PushSandbox, host: String, folder: String?) -> String {
        let name = host == "127.0.0.1" ? "localhost" : host
        var lines: [String] = ["push-sandbox is ready"]
        if let port = sandbox.pagePort { lines.append("  phones      http://\(name):\(port)/") }
        lines += [
            "  APNs        https://\(name):\(sandbox.apnsPort)",
            "  FCM, WNS    https://\(name):\(sandbox.httpPort)",
            "  Web Push    https://\(name):\(sandbox.httpPort)/push/ID",
            "  SMS         http://\(name):\(sandbox.smsPort)/?to=NUMBER&text=TEXT",
        ]
        if let folder {
            lines.append("  settings    \(folder)/lamplighter.yaml, with the keys and certificates beside it")
        } else {
            lines.append("  settings    none written: --folder FOLDER writes keys, certificates and a lamplighter.yaml")
        }
        for fault in sandbox.faults { lines.append("  fault       \(fault)") }
        return lines.joined(separator: "\n") + "\n"
    }
}
