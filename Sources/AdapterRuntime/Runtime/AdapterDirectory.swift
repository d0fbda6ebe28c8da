import PushModel
import Synchronization

/// The adapters that are loaded, for those who must find one: callers, and scripts that call each other's procedures.
final class AdapterDirectory: Sendable {
    private let adapters = Mutex(AdapterSet.none)

    /// The adapters as they are now. Whoever looks for more than one thing keeps it, for it is another one after a deploy.
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

    /// The adapter of that name.
    ///
    /// - Throws: ``UnknownNameError``.
    func adapter(named name: String) throws(UnknownNameError) -> LoadedAdapter {
        try current.adapter(named: name)
    }

    /// The event sources of all adapters, sorted.
    var eventSources: [EventSourceDeclaration] {
        current.all.flatMap(\.eventSources).sorted { $0.id < $1.id }
    }

    func eventSource(_ id: EventSourceID) -> EventSourceDeclaration? {
        self[id.adapter]?.eventSources.first { $0.id == id }
    }

    func closeBackEnds() {
        for adapter in current.all { adapter.common.backEnds.close() }
    }

    /// The adapters hold this directory, so it must let go of them.
    func removeAll() {
        adapters.withLock { $0 = AdapterSet(number: $0.number + 1, [:]) }
    }
}

/// A name that nothing has.
public struct UnknownNameError: Error, Hashable, CustomStringConvertible {
    /// What should have had it: "adapter", "procedure", "event source".
    public let kind: String
    public let name: String
    /// The names that there are.
    public let known: [String]
    /// Where they are declared.
    public var place: String

    public init(kind: String, name: String, known: [String], place: String = "") {
        (self.kind, self.name, self.known, self.place) = (kind, name, known, place)
    }

    public var description: String {
        let article = kind.first.map { "aeiou".contains($0) } == true ? "an" : "a"
        let shown = known.prefix(10).joined(separator: ", ") + (known.count > 10 ? ", …" : "")
        return "there is no \(kind) '\(name.prefix(100))'" + (place.isEmpty ? "" : " \(place)") + "; "
            + (known.isEmpty ? "there is not \(article) \(kind) at all" : "there are: \(shown)")
    }
}
