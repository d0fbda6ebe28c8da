import Core
import ServiceLifecycle

/// Ends long polls and deployments as soon as the server begins to stop: it would wait for their answers otherwise.
struct LongPollShutdown: Service {
    let changeSignals: [ChangeSignal]
    let live: LivePages
    let deployments: AdapterDeployer
    let state: ServerState

    func run() async throws {
        try? await gracefulShutdown()
        state.update { $0.phase = .stopping }
        for bell in changeSignals { bell.close() }
        live.close()
        await deployments.stop()
    }
}
