import PushModel
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
