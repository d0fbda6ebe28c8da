import PushSandbox
import ServiceLifecycle

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
