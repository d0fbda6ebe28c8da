import AdapterRuntime
import Foundation
import JavaScriptEngine

/// What a session's scope costs once its machine is there. Goal: under 150 KB and 0.5 ms.
enum ScopeCost {
    private static let count = 1_000

    static func measure() async throws {
        try await measureEngine()
        let workbench = try await Workbench(machines: 1)
        for number in 0..<50 { await call(workbench, "warm \(number)") }
        let size = residentSize()
        let start = ContinuousClock.now
        let startTime = processorTime()
        for number in 0..<count { await call(workbench, "\(number)") }
        let time = (ContinuousClock.now - start) / .milliseconds(1) / Double(count)
        let processor = (processorTime() - startTime) * 1e3 / Double(count)
        let memory = Double(residentSize() - size) / 1024 / Double(count)
        print("a session's scope, its first call included")
        print(
            "    \(memory.short) KB resident (goal 150)  \(time.short) ms (goal 0.5), of the processor \(processor.short) ms"
        )
        try await workbench.close()
    }

    /// The engine's share: a fresh global scope without anything of ours.
    private static func measureEngine() async throws {
        let machine = try VirtualMachine.start(name: "bare")
        for _ in 0..<50 { _ = try await machine.run { try $0.contexts.make(name: "x").id } }
        let size = residentSize()
        let start = ContinuousClock.now
        let startTime = processorTime()
        for _ in 0..<count { _ = try await machine.run { try $0.contexts.make(name: "x").id } }
        let time = (ContinuousClock.now - start) / .milliseconds(1) / Double(count)
        let processor = (processorTime() - startTime) * 1e3 / Double(count)
        let memory = Double(residentSize() - size) / 1024 / Double(count)
        print(
            "a scope of the engine alone: \(memory.short) KB resident  \(time.short) ms, of the processor "
                + "\(processor.short) ms")
    }

    private static func call(_ workbench: Workbench, _ session: String) async {
        _ = await workbench.runtime.invoke(
            adapter: "A", procedure: "run", parameters: Workbench.parameters,
            caller: Caller(session: ClientSession(id: session)))
    }
}
