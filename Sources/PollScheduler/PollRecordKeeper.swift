import Core
import Logging
import PushModel
import Synchronization

/// Calls the store, which blocks, for the scheduler, on a separate thread. So neither a poll nor the cooperative thread pool
/// waits for a disk.
///
/// Records that come in while the store is busy are saved together afterwards. Records that could not be saved are kept, and
/// saved with the next attempt.
final class PollRecordKeeper: Sendable {
    private struct State {
        var unsaved: [EventSourceID: PollRecord] = [:]
        /// One write takes all, so more than one in the queue would only try a failing store over and over.
        var isWriteQueued = false
        /// The lease under which polls run; `nil` before there is one and after it was lost.
        var lease: PollLease?
    }

    private let store: any PollStore
    private let logger: Logger
    private let log: LogLimiter
    /// The server's name, when others share the store.
    private let holder: String?
    private let thread = ThreadPool(name: "poll store", threads: 1)
    private let state = Mutex(State())

    init(store: any PollStore, holder: String?, time: any TimeSource, logger: Logger) {
        self.store = store
        self.holder = holder
        self.logger = logger
        log = LogLimiter(logger: logger, time: time)
    }

    /// Renews the lease, or takes one. Unsaved records are dropped with the lease under which their polls ran.
    ///
    /// - Returns: the lease; `nil` while another server has it.
    func renewLease(for duration: Duration) async -> Result<PollLease?, StoreError> {
        guard let holder else { return .success(nil) }
        return await thread.run { [self] in
            let former = state.withLock { $0.lease }
            let result = Result { () throws(StoreError) in
                try store.leasePolls(former, holder: holder, for: duration)
            }
            if case .success(let lease) = result, lease != former {
                state.withLock { state in
                    state.lease = lease
                    state.unsaved = [:]
                }
            }
            return result
        }
    }

    /// Lets another server have the polls at once.
    func endLease() async {
        await thread.run { [self] in
            guard let lease = state.withLock({ $0.lease }) else { return }
            // Otherwise it ends by itself.
            try? store.endPollLease(lease)
            state.withLock { $0.lease = nil }
        }
    }

    /// Returns the store's record of each event source.
    func records(
        of eventSources: [EventSourceID]
    ) async -> [EventSourceID: Result<PollRecord?, StoreError>] {
        guard !eventSources.isEmpty else { return [:] }
        return await thread.run { [store] in
            var records: [EventSourceID: Result<PollRecord?, StoreError>] = [:]
            for eventSource in eventSources {
                records[eventSource] = Result { () throws(StoreError) in try store.pollRecord(of: eventSource) }
            }
            return records
        }
    }

    /// Takes the records, each in place of an earlier one of its event source, and returns at once.
    func save(_ records: [PollRecord]) {
        guard !records.isEmpty else { return }
        let mustQueue = state.withLock { state in
            for record in records { state.unsaved[record.eventSource] = record }
            defer { state.isWriteQueued = true }
            return !state.isWriteQueued
        }
        if mustQueue { thread.submit { self.write() } }
    }

    /// Returns when everything taken so far has been saved, or could not be.
    func flush() async {
        await thread.run { self.write() }
    }

    /// Saves all that is unsaved, if anything still is. Runs on the thread only.
    private func write() {
        let (batch, lease) = state.withLock { state in
            state.isWriteQueued = false
            defer { state.unsaved = [:] }
            return (state.unsaved, state.lease)
        }
        guard !batch.isEmpty, holder == nil || lease != nil else { return }
        do {
            let records = batch.values.sorted { $0.eventSource < $1.eventSource }
            guard try store.savePollRecords(records, under: lease) else {
                logger.warning("poll times were not saved, since another server runs the polls by now")
                return
            }
            log.recovered("saving") { "saving poll times works again after \($0) failed attempts" }
        } catch {
            state.withLock { state in state.unsaved.merge(batch) { newer, _ in newer } }
            log.log(
                "saving", at: .error, metadata: ["unsavedPolls": "\(batch.count)"], "saving poll times failed: \(error)"
            )
        }
    }
}
