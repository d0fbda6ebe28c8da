import Core
import ServiceLifecycle

/// Sends those away who wait for news or for a deployment, as soon as the server is told to stop: it would wait for their
/// answers else.
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
