import AdapterRuntime
import Core
import PushModel
import ServiceContextModule
import Synchronization

/// A cache of a part of the store, at hand for every request, and read again when the store may have changed.
///
/// Reads come one after the other, so one that began before a change never replaces what was read after it.
final class CachedStoreTable<Value: Sendable>: Sendable {
    private let value: Mutex<Value>
    private let reading = Mutex(())
    private let fetch: @Sendable () throws(StoreError) -> Value

    /// - Throws: what `fetch` throws.
    init(_ fetch: @escaping @Sendable () throws(StoreError) -> Value) throws(StoreError) {
        self.fetch = fetch
        value = Mutex(try fetch())
    }

    var current: Value { value.withLock { $0 } }

    /// Reads it again: after every change, and at intervals for changes by other servers that share the store.
    ///
    /// - Throws: `StoreError`.
    func read() throws(StoreError) {
        try reading.withLock { _ throws(StoreError) in
            let new = try fetch()
            value.withLock { $0 = new }
        }
    }
}

/// Runs a disk write on a thread that may block: requests are served on event loops, where a wait stalls all other connections of the loop.
package func runBlocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    // Task-local values do not reach the pool's threads.
    let (logins, context) = (RequestLoginVisibility.current, ServiceContext.current ?? .topLevel)
    return try await ThreadPool.shared.run {
        try ServiceContext.withValue(context) { try RequestLoginVisibility.$current.withValue(logins, operation: body) }
    }
}
