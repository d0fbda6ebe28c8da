import PushModel
import Synchronization
import WorklightProject

/// The loaded adapters by name, for callers and for scripts that call each other's procedures.
final class AdapterDirectory: Sendable {
    private let adapters = Mutex(AdapterSet.none)

    /// The adapters as they are now. Keep it for several lookups that belong together: a deploy replaces it.
    var current: AdapterSet { adapters.withLock { $0 } }

    subscript(name: String) -> LoadedAdapter? { current[name] }

    /// Puts an adapter under that name, or none.
    ///
    /// - Returns: the one that was there.
    @discardableResult
    func replace(_ name: String, by adapter: LoadedAdapter?) -> LoadedAdapter? {
        let former = adapters.withLock { adapters in
            defer { adapters = adapters.replacing(name, by: adapter) }
            return (adapter: adapters[name], set: adapters)
        }
        // The set that was is released here, outside the lock.
        return former.adapter
    }

    /// Sorted.
    var names: [String] { current.names }

    /// The event sources of all adapters, sorted.
    var eventSources: [EventSourceDeclaration] {
        current.all.flatMap(\.eventSources).sorted { $0.id < $1.id }
    }

    func eventSource(_ id: EventSourceID) -> EventSourceDeclaration? {
        self[id.adapter]?.eventSources.first { $0.id == id }
    }

    func interruptBackEnds() {
        for adapter in current.all { adapter.common.backEnds.interrupt() }
    }

    func closeBackEnds() {
        for adapter in current.all { adapter.common.backEnds.close() }
    }

    /// The adapters hold this directory, so it must let go of them.
    func removeAll() {
        adapters.withLock { $0 = AdapterSet(number: $0.number + 1, [:]) }
    }
}

/// The adapters that are loaded at a moment. It never changes, so a call that keeps it sees the same versions to its end.
final class AdapterSet: Sendable {
    /// Counted up with every change of the directory.
    let number: Int
    private let adapters: [String: LoadedAdapter]

    static let none = AdapterSet(number: 0, [:])

    init(number: Int, _ adapters: [String: LoadedAdapter]) {
        self.number = number
        self.adapters = adapters
    }

    subscript(name: String) -> LoadedAdapter? { adapters[name] }

    /// Those that there are, in no order.
    var all: some Collection<LoadedAdapter> { adapters.values }

    /// The adapters' names, sorted; scripts of realms are none.
    var names: [String] { adapters.filter { !$0.value.common.descriptor.isRealmScript }.keys.sorted() }

    /// The adapter of that name.
    ///
    /// - Throws: ``UnknownNameError``.
    func adapter(named name: String) throws(UnknownNameError) -> LoadedAdapter {
        if let adapter = adapters[name] { return adapter }
        throw UnknownNameError(kind: "adapter", name: name, known: names)
    }

    /// These with another one under that name, or with none.
    func replacing(_ name: String, by adapter: LoadedAdapter?) -> AdapterSet {
        var changed = adapters
        changed[name] = adapter
        return AdapterSet(number: number + 1, changed)
    }
}
