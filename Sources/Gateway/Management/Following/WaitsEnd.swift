import PushModel
import ServiceLifecycle

/// Sends those away who wait for news or for a deployment, as soon as the server is told to stop: it would wait for their
/// answers else.
struct WaitsEnd: Service {
    let bells: [NewsBell]
    let live: LivePages
    let deployments: Deployments

    func run() async throws {
        try? await gracefulShutdown()
        for bell in bells { bell.close() }
        live.close()
        await deployments.stop()
    }
}
