import AdapterRuntime
import Core
import Foundation
import Hummingbird
import Logging

/// 64 sessions call at once, each waiting 100 ms for its back end. Goal: all answered within 250 ms.
enum BlockedCalls {
    private static let sessions = 64

    static func measure() async throws {
        let router = Router()
        router.get("wait") { _, _ in
            try await Task.sleep(for: .milliseconds(100))
            return "done"
        }
        let (ports, port) = AsyncStream<Int>.makeStream()
        let server = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "backend") { _ in SwiftLogNoOpLogHandler() })
        let running = Task { try await server.run() }
        let number = await ports.first { _ in true } ?? 0
        let workbench = try await Workbench(port: number)
        print("\(sessions) calls at once, each waiting 100 ms in invokeHttp")
        for round in ["machines and scopes new", "again", "again"] {
            let start = ContinuousClock.now
            await withTaskGroup(of: Void.self) { group in
                for session in 0..<sessions {
                    group.addTask {
                        let answer = await workbench.runtime.invoke(
                            adapter: "A", procedure: "wait", parameters: "[]",
                            caller: Caller(session: ClientSession(id: "\(session)")))
                        if !answer.json.contains("done") { print(answer.json) }
                    }
                }
            }
            let time = (ContinuousClock.now - start) / .milliseconds(1)
            print("    \(time.short) ms (goal 250)  \(workbench.runtime.scopes.machines) machines  \(round)")
        }
        running.cancel()
        try await workbench.close()
    }
}
