import PushModel
import Synchronization

/// What the store holds of something, at hand for every request, and read anew when it may have changed.
///
/// Reads come one after the other, so one that began before a change never replaces what was read after it.
final class StoredTable<Value: Sendable>: Sendable {
    private let value: Mutex<Value>
    private let reading = Mutex(())
    private let fetch: @Sendable () throws(StoreError) -> Value

    /// - Throws: what `fetch` throws.
    init(_ fetch: @escaping @Sendable () throws(StoreError) -> Value) throws(StoreError) {
        self.fetch = fetch
        value = Mutex(try fetch())
    }

    var current: Value { value.withLock { $0 } }

    /// Reads it anew: after every change, and now and then for what other servers that share the store have changed.
    ///
    /// - Throws: `StoreError`.
    func read() throws(StoreError) {
        try reading.withLock { _ throws(StoreError) in
            let new = try fetch()
            value.withLock { $0 = new }
        }
    }
}
