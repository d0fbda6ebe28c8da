import Synchronization

/// Counts the calls of procedures.
final class CallCounter: Sendable {
    private let all = Atomic(0)
    private let failed = Atomic(0)

    func add(_ result: ProcedureResult) {
        all.add(1, ordering: .relaxed)
        if !result.isSuccessful { failed.add(1, ordering: .relaxed) }
    }

    var counts: (all: Int, failed: Int) { (all.load(ordering: .relaxed), failed.load(ordering: .relaxed)) }
}
