import AdapterSyntax
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
    /// The groups of the adapters, by adapter.
    private let groups: [String: AdapterGroup]

    static let none = AdapterSet(number: 0, [:])

    /// - Parameter former: the set that there was before; `nil` for none.
    init(number: Int, _ adapters: [String: LoadedAdapter], after former: AdapterSet? = nil) {
        self.number = number
        self.adapters = adapters
        groups = AdapterGroup.groups(of: adapters.mapValues(\.common), number: number, after: former?.groups ?? [:])
    }

    /// Returns the group of an adapter; one that is not loaded is a group.
    func group(of adapter: String) -> AdapterGroup {
        groups[adapter] ?? AdapterGroup(members: [adapter], number: 0)
    }

    /// Returns true if the group has the same adapters as it had.
    func has(_ group: AdapterGroup.ID) -> Bool { groups[group.name]?.id == group }

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
        return AdapterSet(number: number + 1, changed, after: self)
    }
}

/// Adapters that call each other's procedures by `invokeProcedure`, directly or through others. They have their machines apart from the others'.
struct AdapterGroup: Sendable {
    struct ID: Sendable, Hashable {
        /// The name of its first adapter.
        let name: String
        /// The number of the set in which it got its last adapter, or lost one.
        let number: Int
    }

    let id: ID
    /// The names of the adapters, sorted.
    let members: [String]
    /// True if a call that waits for a back end may hold its machine.
    var holdsMachine = false
    /// True if a session has its own scopes of at least one of the adapters.
    var keepsScopes = false

    /// - Parameter members: sorted, at least one.
    init(members: [String], number: Int) {
        id = ID(name: members.first ?? "", number: number)
        self.members = members
    }

    /// Returns the groups, by adapter.
    ///
    /// - Parameters:
    ///   - number: the set's number.
    ///   - former: the groups of the set that there was before. Those that have the same adapters keep their ids.
    static func groups(
        of adapters: [String: AdapterVersion], number: Int, after former: [String: AdapterGroup]
    ) -> [String: AdapterGroup] {
        let names = adapters.keys.sorted()
        // The first adapter of each one's group.
        var first = Dictionary(uniqueKeysWithValues: names.map { ($0, $0) })
        for name in names {
            let linked: [String] =
                switch adapters[name]?.script.links {
                case .named(let others)?: [name] + others
                case .any?: names
                case nil: [name]
                }
            let merged = Set(linked.compactMap { first[$0] })
            guard merged.count > 1, let lowest = merged.min() else { continue }
            for (other, group) in first where merged.contains(group) { first[other] = lowest }
        }
        var groups: [String: AdapterGroup] = [:]
        for (name, members) in Dictionary(grouping: names, by: { first[$0] ?? $0 }) {
            let same = former[name]?.members == members
            var group = AdapterGroup(members: members, number: same ? former[name]?.id.number ?? number : number)
            for adapter in members.compactMap({ adapters[$0] }) {
                group.holdsMachine = group.holdsMachine || adapter.holdsMachine
                group.keepsScopes = group.keepsScopes || adapter.keepsScopes && !adapter.sharesScopes
            }
            for member in members { groups[member] = group }
        }
        return groups
    }
}
