import Core
import ServiceLifecycle

/// Ends long polls and deployments as soon as the server begins to stop: it would wait for their answers otherwise.
struct WaitsEnd: Service {
    let bells: [NewsBell]
    let live: LivePages
    let deployments: Deployments
    let state: ServerState

    func run() async throws {
        try? await gracefulShutdown()
        state.update { $0.phase = .stopping }
        for bell in bells { bell.close() }
        live.close()
        await deployments.stop()
    }
}
