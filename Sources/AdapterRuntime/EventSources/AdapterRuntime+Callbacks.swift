public import Foundation
import JavaScriptEngine
import Logging
import NIOPosix
public import PushModel
import Synchronization

/// Callbacks of changed subscriptions run at least once, whatever becomes of the process: the store records them with the
/// change (``OwedCallback``), and forgets each once it has run.
///
/// Who makes a change runs its callbacks. Those that were left, by a process that died or because the adapter was not loaded,
/// are run by ``runOwedCallbacks()``.
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
            let removed = try await NIOThreadPool.singleton.runIfActive { try remove(change) }
            await announce(removed.map { .unsubscribed($0) }, of: change, caller)
            return removed
        }
    }

    /// Runs the callbacks that are owed and that nobody is running, oldest first. Those of adapters that are not loaded stay
    /// owed.
    ///
    /// - Returns: how many callbacks were run.
    /// - Throws: ``StoreError``.
    public func runOwedCallbacks() async throws -> Int {
        let store = services.subscriptions
        let adapters = Set(adapterNames)
        var position: Int64?
        var count = 0
        repeat {
            let page = try await NIOThreadPool.singleton.runIfActive { [position] in
                try store.owedCallbacks(of: adapters, from: position, limit: 200)
            }
            for callback in page.callbacks where !Task.isCancelled {
                if await runLeft(callback) { count += 1 }
            }
            position = page.next
        } while position != nil && !Task.isCancelled
        return count
    }

    /// Makes a change whose callbacks nobody else runs meanwhile.
    func owing<Result>(_ body: (_ change: UUID) async throws -> Result) async rethrows -> Result {
        let change = UUID()
        _ = runningChanges.begin(change)
        defer { runningChanges.end(change) }
        return try await body(change)
    }

    /// Runs the callbacks of a change, as far as the adapters are loaded.
    func announce(_ events: [SubscriptionEvent], of change: UUID, _ caller: Caller) async {
        for (number, event) in events.enumerated() {
            await runOlder(than: change, of: event.deviceSubscription)
            await run(OwedCallback(id: OwedCallback.ID(change: change, number: number), event: event), caller)
        }
    }

    /// Runs what is owed from before, so that an adapter does not learn of a user's end after the user's return.
    private func runOlder(than change: UUID, of subscription: DeviceSubscription) async {
        let store = services.subscriptions
        do {
            let left = try await NIOThreadPool.singleton.runIfActive {
                try store.owedCallbacks(eventSource: subscription.eventSource, userID: subscription.userID)
            }
            for callback in left where callback.id.change != change { await runLeft(callback) }
        } catch {
            services.logger.error("owed callbacks cannot be read: \(error)")
        }
    }

    /// Runs a callback of a change that nobody is making.
    @discardableResult
    private func runLeft(_ callback: OwedCallback) async -> Bool {
        guard runningChanges.begin(callback.id.change) else { return false }
        defer { runningChanges.end(callback.id.change) }
        return await run(callback, Caller())
    }

    /// - Returns: whether the callback has run.
    @discardableResult
    private func run(_ callback: OwedCallback, _ caller: Caller) async -> Bool {
        let source = callback.event.deviceSubscription.eventSource
        guard let loaded = directory[source.adapter] else { return false }
        do {
            return try await loaded.run(for: caller) { try $0.run(callback) }
        } catch {
            loaded.common.logger.error(
                "the callbacks of \(source) could not be run: \(error); they are tried again later")
            return false
        }
    }
}

/// The changes of subscriptions whose callbacks somebody is running.
final class RunningChanges: Sendable {
    private let ids = Mutex<Set<UUID>>([])

    /// - Returns: whether nobody was running them.
    func begin(_ change: UUID) -> Bool { ids.withLock { $0.insert(change).inserted } }

    func end(_ change: UUID) { ids.withLock { _ = $0.remove(change) } }
}

extension AdapterScope {
    /// Runs the callback unless it has run meanwhile, and settles it.
    ///
    /// - Returns: whether it ran to its end, be it an error; what a server that stops interrupts stays owed.
    /// - Throws: ``StoreError``.
    fileprivate func run(_ callback: OwedCallback) throws -> Bool {
        let store = adapter.services.subscriptions
        guard try store.isOwed(callback.id) else { return false }
        switch callback.event {
        case .subscribed(let subscription, let user, let isFirst): announce(subscription, user, isFirst: isFirst)
        case .unsubscribed(let removed): announce(removed)
        }
        guard !adapter.pool.isStopped else { return false }
        try store.settle(callback.id)
        return true
    }

    /// Step 4 of subscribing.
    private func announce(_ subscription: DeviceSubscription, _ user: UserSubscription, isFirst: Bool) {
        let source = subscription.eventSource.name
        if isFirst { run(.onUserSubscribe, of: source) { [try makeUserSubscription(user)] } }
        run(.onDeviceSubscribe, of: source) {
            // onUserSubscribe may have saved a state meanwhile.
            let current = try adapter.services.subscriptions.userSubscription(
                eventSource: subscription.eventSource, userID: subscription.userID)
            return [try makeUserSubscription(current ?? user), try makeDeviceSubscription(subscription)]
        }
    }

    /// Step 3 of subscribing, and all of unsubscribing.
    private func announce(_ removed: RemovedSubscription) {
        let source = removed.deviceSubscription.eventSource.name
        run(.onDeviceUnsubscribe, of: source) {
            [
                try makeUserSubscription(removed.userSubscription),
                try makeDeviceSubscription(removed.deviceSubscription),
            ]
        }
        if removed.wasLastDeviceOfUser {
            run(.onUserUnsubscribe, of: source) { [try makeUserSubscription(removed.userSubscription)] }
        }
    }
}
