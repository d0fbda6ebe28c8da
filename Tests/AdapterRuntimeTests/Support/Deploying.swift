import AdapterRuntime
import TestSupport
import Testing
import WorklightProject

/// The outcome of a deployment, for comparing.
enum Deployed: Equatable {
    case deployed, unchanged
    /// The problems, each as `file:line:column: severity: message`.
    case refused([String])
}

extension TestProject {
    /// Deploys an adapter from its folder.
    @discardableResult
    func deploy(_ name: String = "A") async -> Deployed {
        switch await runtime.prepare(adapter: name) {
        case .ready(let candidate):
            runtime.install(candidate)
            return .deployed
        case .unchanged: return .unchanged
        case .refused(let problems): return .refused(problems.map(\.description))
        }
    }

    /// Writes another script for `A` and deploys it.
    @discardableResult
    func deploy(script: String, of name: String = "A") async throws -> Deployed {
        try folder.write(script, to: "adapters/\(name)/\(name)-impl.js")
        return await deploy(name)
    }
}

extension Caller {
    /// Returns a caller with a separate client session.
    static func session(_ id: String) -> Caller { Caller(session: ClientSession(id: id)) }
}

/// Runs `body` with a back end that sends `reply` once the test opens the `Gate`.
func withWaitingBackEnd(
    _ reply: LoopbackServer.Reply = .ok("done"), _ body: (LoopbackServer, Gate) async throws -> Void
) async throws {
    let gate = Gate()
    try await body(LoopbackServer(behind: gate, reply), gate)
}
