import Foundation

/// Answers to calls that have been computed, held back for a moment so that they are given together: waking up the callers'
/// threads once for many calls costs as much as once for one.
///
/// Nobody waits long: they are given when the thread has nothing else to do, when the first has waited for
/// ``longestWait``, when a native function is about to wait, and at each look at a running call's limits.
///
/// Only the thread it belongs to may touch it.
final class AnswerQueue: @unchecked Sendable {
    // Unchecked: ``ScriptThread`` makes it, and whoever has it — the machine in its isolated code, the engine that lives in
    // the machine — runs on that thread only.

    /// In nanoseconds.
    private static let longestWait: UInt64 = 500_000

    /// Called when the running call begins to wait, and each time it has computed for a slice of ``LimitEnforcer/slice``.
    var onPause: (() -> Void)?
    private var answers: [() -> Void] = []
    private var oldest: UInt64 = 0

    /// Adds an answer, and gives all of them if it is time.
    func add(_ answer: @escaping () -> Void) {
        let now = LimitEnforcer.nanoseconds(of: CLOCK_MONOTONIC)
        if answers.isEmpty { oldest = now }
        answers.append(answer)
        if now - oldest >= Self.longestWait { give() }
    }

    /// Gives all answers that wait, since the running call goes on for longer than they should.
    func pause() {
        give()
        onPause?()
    }

    /// Gives all answers that wait.
    func give() {
        guard !answers.isEmpty else { return }
        for answer in answers { answer() }
        answers.removeAll(keepingCapacity: true)
    }
}
