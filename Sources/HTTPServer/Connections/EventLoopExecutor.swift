import NIOCore
import Synchronization

/// Runs tasks on an event loop's own thread.
///
/// A connection whose task runs on the thread where its bytes arrive needs no other thread to be woken for a request or its response. Blocking work
/// must run elsewhere, for it would hold up the loop's other connections.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    private init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// One for each loop, kept for as long as the process lives: tasks hold on to theirs without counting.
    private static let all = Mutex<[ObjectIdentifier: EventLoopExecutor]>([:])

    static func executor(of eventLoop: any EventLoop) -> EventLoopExecutor {
        all.withLock { all in
            let id = ObjectIdentifier(eventLoop)
            if let executor = all[id] { return executor }
            let executor = EventLoopExecutor(eventLoop)
            all[id] = executor
            return executor
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
