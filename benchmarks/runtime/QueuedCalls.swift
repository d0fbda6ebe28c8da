import AdapterRuntime
import Foundation
import Synchronization

/// Calls that queue for one scope, so that its machine never waits. Goal: at most 1.5 times the bare C API's CPU time.
enum QueuedCalls {
    private static let callers = 64
    private static let callsEach = 3_000

    static func measure() async throws {
        let bare = try BareEngine(script: Workbench.script)
        let limited = try BareEngine(script: Workbench.script)
        limited.armTimeLimit()
        let workbench = try await Workbench()
        for _ in 0..<2_000 {
            _ = bare.call(Workbench.parameters)
            _ = limited.call(Workbench.parameters)
            _ = await workbench.runtime.invoke(adapter: "A", procedure: "run", parameters: Workbench.parameters)
        }
        print("queued calls: CPU time per call, in microseconds")
        for _ in 0..<3 {
            let count = callers * callsEach
            var start = processorTime()
            for _ in 0..<count { _ = bare.call(Workbench.parameters) }
            let bareTime = (processorTime() - start) / Double(count) * 1e6
            start = processorTime()
            for _ in 0..<count { _ = limited.call(Workbench.parameters) }
            let limitedTime = (processorTime() - start) / Double(count) * 1e6
            start = processorTime()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<callers {
                    group.addTask {
                        for _ in 0..<callsEach {
                            _ = await workbench.runtime.invoke(
                                adapter: "A", procedure: "run", parameters: Workbench.parameters)
                        }
                    }
                }
            }
            let ours = (processorTime() - start) / Double(count) * 1e6
            print(
                "    bare C API \(bareTime.short)  with a time limit \(limitedTime.short)  invoke \(ours.short)  "
                    + "ratio \((ours / bareTime).short), to that with a limit \((ours / limitedTime).short)  (goal 1.5)"
            )
        }
        try await workbench.close()
    }
}
