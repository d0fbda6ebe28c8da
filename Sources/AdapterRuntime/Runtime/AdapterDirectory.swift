import PushModel
import Synchronization

/// The adapters that are loaded, for those who must find one: callers, and scripts that call each other's procedures.
final class AdapterDirectory: Sendable {
    private let adapters = Mutex<[String: LoadedAdapter]>([:])

    subscript(name: String) -> LoadedAdapter? {
        get { adapters.withLock { $0[name] } }
        set { adapters.withLock { $0[name] = newValue } }
    }

    /// Sorted.
    var names: [String] { adapters.withLock { $0.keys.sorted() } }

    /// The adapter of that name.
    ///
    /// - Throws: ``UnknownNameError``.
    func adapter(named name: String) throws(UnknownNameError) -> LoadedAdapter {
        if let adapter = self[name] { return adapter }
        throw UnknownNameError(kind: "adapter", name: name, known: names)
    }

    /// The event sources of all adapters, sorted.
    var eventSources: [EventSourceDeclaration] {
        adapters.withLock { $0.values.flatMap(\.eventSources) }.sorted { $0.id < $1.id }
    }

    func eventSource(_ id: EventSourceID) -> EventSourceDeclaration? {
        self[id.adapter]?.eventSources.first { $0.id == id }
    }

    func closeBackEnds() {
        for adapter in adapters.withLock({ Array($0.values) }) { adapter.common.backEnds.close() }
    }

    /// The adapters hold this directory, so it must let go of them.
    func removeAll() {
        adapters.withLock { $0 = [:] }
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
    public var place: String = ""

    public var description: String {
        let article = kind.first.map { "aeiou".contains($0) } == true ? "an" : "a"
        let shown = known.prefix(10).joined(separator: ", ") + (known.count > 10 ? ", …" : "")
        return "there is no \(kind) '\(name.prefix(100))'" + (place.isEmpty ? "" : " \(place)") + "; "
            + (known.isEmpty ? "there is not \(article) \(kind) at all" : "there are: \(shown)")
    }
}
