package import Core
package import Foundation
package import HTTPServer
import JavaScriptEngine
import Synchronization

/// The server that runs an installation: its name, its health, its phase, its addresses, and what it listens with.
package final class ServerState: Sendable {
    package enum Phase: Sendable {
        /// No server runs; a command has opened the installation.
        case none
        case starting
        case ready
        case stopping
    }

    package struct Facts: Sendable {
        package var phase = Phase.none
        /// The addresses of the server and of the console's port, once they are open.
        package var url: String?
        package var consoleURL: String?
        /// The time of the start.
        package var started: Date?
        package var certificate: ServerCertificate?
        /// The note for the command line, until it is written.
        package var unpublished: DataFolder.ServerNote?
        /// The reason why the server admits fewer connections than `limits.connections`.
        package var connectionLimit: String?
    }

    /// The server's name, by which others that share its store know it.
    package let name: String
    let health: HealthMonitor
    private let state = Mutex(Facts())

    init(name: String, health: HealthMonitor) { (self.name, self.health) = (name, health) }

    /// True if the last health check found that the store cannot be written.
    package var isStoreFailing: Bool { health.latest.isStoreFailing }

    package var facts: Facts { state.withLock { $0 } }

    package func update(_ change: (inout Facts) -> Void) { state.withLock { change(&$0) } }
}

extension ServerState {
    /// The server's address, process and version for the API; `nil` while none is ready.
    package var json: JSONValue? {
        let facts = facts
        guard let url = facts.url, let started = facts.started else { return nil }
        var object: JSONObject = ["url": .string(url)]
        object["consoleURL"] = facts.consoleURL.map(JSONValue.string)
        object["process"] = .number(Double(getpid()))
        object["version"] = .string(LamplighterVersion.current)
        object["started"] = .string(started.spelling)
        object["jit"] = .bool(EngineProcess.hasJIT)
        return .object(object)
    }
}
