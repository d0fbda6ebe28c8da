import Core
public import Foundation
import JavaScriptEngine
import Logging
public import PushModel
import Synchronization

/// Callbacks of changed subscriptions run at least once, whatever becomes of the process: the store records them with the
/// change (``PendingCallback``), and forgets each once it has run.
///
/// The process that makes a change runs its callbacks. ``runPendingCallbacks()`` runs those left by a process that died, or because the adapter was
/// not loaded.
extension AdapterRuntime {
    /// Removes subscriptions and runs their callbacks.
    ///
    /// - Parameters:
    ///   - caller: who traces it; callbacks have no other.
    ///   - remove: removes subscriptions from the store, records their callbacks under the change's id, and returns what it
    ///     removed. It may wait for the disk.
    /// - Returns: what `remove` returned.
    /// - Throws: what `remove` throws.
    @discardableResult
    public func end(
        _ caller: Caller = Caller(), _ remove: @escaping @Sendable (_ change: UUID) throws -> [RemovedSubscription]
    ) async throws -> [RemovedSubscription] {
        try await owing { change in
            let removed = try await ThreadPool.shared.run { try remove(change) }
            await announce(removed.map { .unsubscribed($0) }, of: change, caller)
            return removed
        }
    }

    /// Runs the callbacks that are owed, oldest first. Waits for those that are running.
    ///
    /// Those of adapters that are not loaded stay owed, with a warning in the log.
    ///
    /// - Returns: how many callbacks were run.
    /// - Throws: ``StoreError``.
    public func runPendingCallbacks() async throws -> Int {
        let store = services.subscriptions
        let adapters = Set(adapterNames)
        var position: Int64?
        var count = 0
        repeat {
            let page = try await ThreadPool.shared.run { [position] in
                try store.pendingCallbacks(of: adapters, from: position, limit: 200)
            }
            for callback in page.callbacks where !Task.isCancelled {
                if await runLeft(callback) { count += 1 }
            }
            position = page.next
        } while position != nil && !Task.isCancelled
        try await warnOfOrphans()
        return count
    }

    /// Warns once of each adapter that owes callbacks and is not loaded.
    private func warnOfOrphans() async throws {
        let (store, loaded) = (services.subscriptions, Set(adapterNames))
        let counts = try await ThreadPool.shared.run { try store.pendingCallbackCounts(exceptOf: loaded) }
        let known = orphanedAdapters.withLock { adapters in
            defer { adapters = Set(counts.keys) }
            return adapters
        }
        for (adapter, count) in counts.sorted(by: { $0.key < $1.key }) where !known.contains(adapter) {
            services.logger.warning(
                """
                \(Self.callbacks(count)) of adapter '\(adapter)' cannot run: the adapter is not loaded; deploy it, or drop \
                them with 'lamplighter deploy \(adapter) --remove'
                """)
        }
    }

    /// Drops the callbacks that an adapter owes, for an operator who removes the adapter.
    ///
    /// - Returns: the number of dropped callbacks.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func dropPendingCallbacks(of adapter: String) async throws -> Int {
        let store = services.subscriptions
        let count = try await ThreadPool.shared.run { try store.dropPendingCallbacks(of: adapter) }
        if count > 0 {
            services.logger.notice(
                "\(Self.callbacks(count)) of adapter '\(adapter)' dropped: the operator removed the adapter")
        }
        return count
    }

    private static func callbacks(_ count: Int) -> String { "\(count) callback\(count == 1 ? "" : "s")" }

    /// Makes a change, and keeps other tasks from running its callbacks meanwhile.
    func owing<Result>(_ body: (_ change: UUID) async throws -> Result) async rethrows -> Result {
        let change = UUID()
        await runningChanges.begin(change)
        defer { runningChanges.end(change) }
        return try await body(change)
    }

    /// Runs the callbacks of a change, in adapters that are loaded.
    func announce(_ events: [SubscriptionEvent], of change: UUID, _ caller: Caller) async {
        for (number, event) in events.enumerated() {
            let callback = PendingCallback(id: PendingCallback.ID(change: change, number: number), event: event)
            await runOlder(than: callback)
            await run(callback, caller)
        }
    }

    /// Runs the user's older owed callbacks, or waits while they run: an adapter gets a user's callbacks in the order of the
    /// changes.
    private func runOlder(than callback: PendingCallback) async {
        let store = services.subscriptions
        do {
            // The nearest change waits for those before it. A change waits only for changes stored before it, so no two wait for
            // each other.
            let nearest = try await ThreadPool.shared.run {
                try store.pendingCallbacks(before: callback, limit: 1)
            }
            log.recovered("owed") { "owed callbacks can be read again after \($0) failed attempts" }
            guard let change = nearest.first?.id.change else { return }
            await runningChanges.begin(change)
            runningChanges.end(change)
            // Returns the callbacks that nobody runs: their process has ended, or their adapter was not loaded.
            let left = try await ThreadPool.shared.run {
                try store.pendingCallbacks(before: callback, limit: nil)
            }
            for older in left.reversed() { await runLeft(older) }
        } catch {
            noteUnreadable(error)
        }
    }

    /// Runs a callback of a change that another task or process made, unless it has run meanwhile.
    @discardableResult
    private func runLeft(_ callback: PendingCallback) async -> Bool {
        await runningChanges.begin(callback.id.change)
        defer { runningChanges.end(callback.id.change) }
        let store = services.subscriptions
        do {
            guard try await ThreadPool.shared.run({ try store.isCallbackPending(callback.id) }) else { return false }
        } catch {
            noteUnreadable(error)
            return false
        }
        return await run(callback, Caller())
    }

    private func noteUnreadable(_ error: any Error) {
        log.log("owed", at: .error, "owed callbacks cannot be read: \(error)")
    }

    /// Runs a callback that is owed, while no other task runs its change.
    ///
    /// - Returns: whether the callback has run.
    @discardableResult
    private func run(_ callback: PendingCallback, _ caller: Caller) async -> Bool {
        let source = callback.event.deviceSubscription.eventSource
        guard let loaded = directory[source.adapter] else { return false }
        do {
            let hasRun = try await loaded.run(for: caller) { $0.run(callback, then: $1) }
            log.recovered("\(source)", to: loaded.common.logger) {
                "the callbacks of \(source) work again, after \($0) failed attempts"
            }
            return hasRun
        } catch {
            log.log(
                "\(source)", at: .error, to: loaded.common.logger,
                "the callbacks of \(source) could not be run: \(error); they are tried again later")
            return false
        }
    }
}

/// The changes of subscriptions whose callbacks are running, each in one task at a time.
final class RunningSubscriptionChanges: Sendable {
    /// The tasks that wait for each running change, in order.
    private let waiters = Mutex<[UUID: [CheckedContinuation<Void, Never>]]>([:])

    /// Begins a change; waits until no other task runs it.
    func begin(_ change: UUID) async {
        await withCheckedContinuation { continuation in
            let isFree = waiters.withLock { waiters in
                guard waiters[change] == nil else {
                    waiters[change]?.append(continuation)
                    return false
                }
                waiters[change] = []
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    /// The number of tasks that wait for a change to end.
    var waiterCount: Int { waiters.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    /// Ends a change, and lets the next task that waits for it begin.
    func end(_ change: UUID) {
        let next = waiters.withLock { waiters -> CheckedContinuation<Void, Never>? in
            guard let first = waiters[change]?.first else {
                waiters[change] = nil
                return nil
            }
            waiters[change]?.removeFirst()
            return first
        }
        next?.resume()
    }
}

extension AdapterScope {
    /// Runs an owed callback, and settles it.
    ///
    /// - Parameter then: gets whether it ran to its end, even with an error; a callback that a stopping server interrupts stays owed. Or a
    ///   `StoreError`.
    fileprivate func run(_ callback: PendingCallback, then: @escaping (Result<Bool, any Error>) -> Void) {
        let settle = { [self] in
            guard !adapter.pool.isStopped else { return then(.success(false)) }
            then(
                Result {
                    try adapter.services.subscriptions.settle(callback.id)
                    return true
                })
        }
        switch callback.event {
        case .subscribed(let subscription, let user, let isFirst):
            announce(subscription, user, isFirst: isFirst, then: settle)
        case .unsubscribed(let removed): announce(removed, then: settle)
        }
    }

    /// Step 4 of subscribing.
    private func announce(
        _ subscription: DeviceSubscription, _ user: UserSubscription, isFirst: Bool, then: @escaping () -> Void
    ) {
        let source = subscription.eventSource.name
        let announceDevice = { [self] in
            run(.onDeviceSubscribe, of: source) { [self] in
                // onUserSubscribe may have saved a state meanwhile.
                let current = try adapter.services.subscriptions.userSubscription(
                    eventSource: subscription.eventSource, userID: subscription.userID)
                return [try makeUserSubscription(current ?? user), try makeDeviceSubscription(subscription)]
            } then: { _ in
                then()
            }
        }
        guard isFirst else { return announceDevice() }
        run(.onUserSubscribe, of: source) { [self] in
            [try makeUserSubscription(user)]
        } then: { _ in
            announceDevice()
        }
    }

    /// Step 3 of subscribing, and all of unsubscribing.
    private func announce(_ removed: RemovedSubscription, then: @escaping () -> Void) {
        let source = removed.deviceSubscription.eventSource.name
        run(.onDeviceUnsubscribe, of: source) { [self] in
            [
                try makeUserSubscription(removed.userSubscription),
                try makeDeviceSubscription(removed.deviceSubscription),
            ]
        } then: { [self] _ in
            guard removed.wasLastDeviceOfUser else { return then() }
            run(.onUserUnsubscribe, of: source) { [self] in
                [try makeUserSubscription(removed.userSubscription)]
            } then: { _ in
                then()
            }
        }
    }
}
