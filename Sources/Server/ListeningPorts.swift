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
    /// Ends once all ports are open, or once ``giveUp()`` is called. One task may wait for that.
    let opened: AsyncStream<Void>
    private let opening: AsyncStream<Void>.Continuation

    init(hasConsole: Bool) {
        self.hasConsole = hasConsole
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        opened = stream
        opening = continuation
    }

    /// Ends the wait for the ports, for a server that stops before they are open.
    func giveUp() { opening.finish() }

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
        if all != nil { opening.finish() }
        return all
    }
}

/// Runs an application, and reports which port cannot be opened.
struct PortService<Responder: HTTPResponder>: Service
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    let application: Application<Responder>
    let host: String
    let port: Int
    let setting: String

    func run() async throws {
        do {
            try await application.run()
        } catch {
            throw PortError(host: host, port: port, setting: setting, cause: error)
        }
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

    /// Opens a port and closes it again, so that a port that is taken is noticed before anything runs.
    ///
    /// - Throws: ``PortError``.
    static func check(host: String, port: Int, setting: String) async throws {
        do {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port).get()
            try await channel.close().get()
        } catch {
            throw PortError(host: host, port: port, setting: setting, cause: error)
        }
    }
}
