import Core
import Foundation
import Synchronization

/// Tries a write, and waits for it for a few seconds only.
///
/// A store that hangs holds one thread: no second write begins before the first one has ended.
final class StoreProbe: Sendable {
    private struct Run {
        let started: Duration
        let task: Task<String?, Never>
    }

    private let patience: Duration
    private let time: any TimeSource
    private let run = Mutex<Run?>(nil)

    /// - Parameter patience: how long a write may take.
    init(patience: Duration, time: any TimeSource) { (self.patience, self.time) = (patience, time) }

    /// - Returns: why the write failed or that it has not ended; `nil` when it succeeded.
    func problem(_ write: @escaping @Sendable () throws -> Void) async -> String? {
        let current = run.withLock { run -> Run in
            if let run { return run }
            let new = Run(
                started: time.uptime,
                task: Task {
                    defer { self.run.withLock { $0 = nil } }
                    do {
                        try await runBlocking(write)
                        return nil
                    } catch {
                        return "\(error)"
                    }
                })
            run = new
            return new
        }
        let (results, continuation) = AsyncStream<String?>.makeStream()
        let waiter = Task {
            continuation.yield(await current.task.value)
        }
        let timer = Task { [time, patience] in
            try await time.sleep(untilUptime: time.uptime + patience)
            continuation.yield("no response for \((time.uptime - current.started).components.seconds) s")
        }
        defer {
            waiter.cancel()
            timer.cancel()
        }
        for await result in results { return result }
        return nil
    }
}
