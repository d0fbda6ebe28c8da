import Hummingbird
import NIOCore
import ServiceLifecycle
import Synchronization

/// The ports of a server that is starting.
final class OpenPorts: Sendable {
    struct Numbers {
        let server: Int
        let console: Int?
    }

    private let hasConsole: Bool
    private let numbers = Mutex<(server: Int?, console: Int?)>((nil, nil))

    init(hasConsole: Bool) {
        self.hasConsole = hasConsole
    }

    /// Notes an open port.
    ///
    /// - Returns: all ports when this was the last one.
    func open(_ channel: any Channel, isConsole: Bool) -> Numbers? {
        let port = channel.localAddress?.port ?? 0
        return numbers.withLock { numbers in
            if isConsole { numbers.console = port } else { numbers.server = port }
            guard let server = numbers.server, numbers.console != nil || !hasConsole else { return nil }
            return Numbers(server: server, console: numbers.console)
        }
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
}
