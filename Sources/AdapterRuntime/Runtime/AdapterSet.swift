import WorklightProject

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
