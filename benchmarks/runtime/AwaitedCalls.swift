import AdapterRuntime
import Dispatch
import Foundation

/// Calls that are awaited one by one. Goal: at most two bare thread wake-ups on top of the bare C API.
enum AwaitedCalls {
    private static let count = 5_000

    static func measure() async throws {
        let bare = try BareEngine(script: Workbench.script)
        let workbench = try await Workbench()
        for _ in 0..<2_000 { _ = bare.call(Workbench.parameters) }
        print("awaited calls: time on the wall per call, in microseconds, median")
        for _ in 0..<3 {
            let bareTime = median { _ in bare.call(Workbench.parameters) }
            let wakeUps = twoWakeUps()
            var times: [Double] = []
            for _ in 0..<count {
                let start = DispatchTime.now().uptimeNanoseconds
                _ = await workbench.runtime.invoke(adapter: "A", procedure: "run", parameters: Workbench.parameters)
                times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e3)
            }
            let ours = times.sorted()[count / 2]
            print(
                "    bare C API \(bareTime.short)  two wake-ups \(wakeUps.short)  invoke \(ours.short)  "
                    + "ratio to their sum \((ours / (bareTime + wakeUps)).short)  (goal 1)")
        }
        try await workbench.close()
    }

    private static func median(_ body: (Int) -> Int) -> Double {
        let times = (0..<count).map { number in
            let start = DispatchTime.now().uptimeNanoseconds
            _ = body(number)
            return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e3
        }
        return times.sorted()[count / 2]
    }

    /// There and back between two threads that wait for each other.
    private static func twoWakeUps() -> Double {
        let there = DispatchSemaphore(value: 0)
        let back = DispatchSemaphore(value: 0)
        let thread = Thread {
            for _ in 0..<count {
                there.wait()
                back.signal()
            }
        }
        thread.start()
        return median { _ in
            there.signal()
            back.wait()
            return 0
        }
    }
}
