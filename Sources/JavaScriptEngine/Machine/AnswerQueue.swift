/// Where a machine's answers go: to the thread that runs it (``ScriptWorker``), which gives several together.
///
/// `@unchecked Sendable`: ``ScriptThread`` makes it. Its users, the isolated code of the machine and the engine in it, run on the thread
/// that runs the machine.
final class AnswerQueue: @unchecked Sendable {
    /// The thread that runs the machine now.
    var worker: ScriptWorker?
    /// Called when the running call begins to wait, and each time it has computed for a slice of ``LimitEnforcer/slice``.
    var onPause: (() -> Void)?

    /// Adds an answer, and gives all of them if it is time.
    func add(_ answer: @escaping () -> Void) {
        if let worker { worker.add(answer) } else { answer() }
    }

    /// Sends all pending answers, since the running call takes longer than they should wait.
    ///
    /// - Parameter computes: whether the thread goes on computing, so that no other one takes its place until it has done so for long.
    func pause(computes: Bool = false) {
        if computes { worker?.giveAnswers() } else { worker?.pause() }
        onPause?()
    }
}
