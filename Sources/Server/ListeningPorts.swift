import Core
import Foundation
import Hummingbird
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// The ports of a server that is starting.
final class ListeningPorts: Sendable {
    struct Numbers {
        let server: Int
        let console: Int?
    }

    private let hasConsole: Bool
    private let numbers = Mutex<(server: Int?, console: Int?)>((nil, nil))
    private enum Phase {
        case opening, open, givenUp
    }

    private let phase = AwaitableValue(Phase.opening)

    init(hasConsole: Bool) {
        self.hasConsole = hasConsole
    }

    /// Returns true once all ports are open, and false when the task is cancelled or ``giveUp()`` is called before.
    func waitUntilOpen() async -> Bool {
        try? await phase.wait { $0 != .opening }
        return phase.value == .open
    }

    /// Ends the wait for the ports, for a server that stops before they are open.
    func giveUp() { phase.update { if $0 == .opening { $0 = .givenUp } } }

    /// Notes an open port.
    ///
    /// - Returns: all ports when this was the last one.
    func open(_ channel: any Channel, isConsole: Bool) -> Numbers? {
        let port = channel.localAddress?.port ?? 0
        let all: Numbers? = numbers.withLock { numbers in
            if isConsole { numbers.console = port } else { numbers.server = port }
            guard let server = numbers.server, numbers.console != nil || !hasConsole else { return nil }
            return Numbers(server: server, console: numbers.console)
        }
        if all != nil { phase.update { if $0 == .opening { $0 = .open } } }
        return all
    }
}

/// Runs an application on a port, and reports why the port cannot be opened.
struct PortService<Responder: HTTPResponder>: Service
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    let host: String
    let port: Int
    let setting: String
    /// True if any free port is used when another program listens on `port`.
    var mayMove = false
    let application: @Sendable (_ port: Int) -> Application<Responder>

    func run() async throws {
        do {
            try await run(on: port)
        } catch let error as PortError where error.isTaken && mayMove {
            try await run(on: 0)
        }
    }

    /// - Throws: ``PortError``.
    private func run(on port: Int) async throws {
        do {
            try await application(port).run()
        } catch {
            throw PortError(host: host, port: port, setting: setting, cause: error)
        }
    }
}

/// Runs a service once all ports are open, so that a server whose port is taken does nothing before it ends.
struct AfterOpening<Work: Service>: Service {
    let ports: ListeningPorts
    let work: Work

    func run() async throws {
        let areOpen = await withGracefulShutdownHandler {
            await ports.waitUntilOpen()
        } onGracefulShutdown: {
            ports.giveUp()
        }
        if areOpen { try await work.run() }
    }
}

/// A port cannot be opened, or its listener failed.
public struct PortError: Error {
    public let host: String
    public let port: Int
    /// The setting of the port's number.
    public let setting: String
    public let cause: any Error

    /// True if another program listens on the port.
    var isTaken: Bool { (cause as? IOError)?.errnoCode == EADDRINUSE }
}
