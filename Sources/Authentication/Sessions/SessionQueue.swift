/// Sessions in the order in which they end when there are too many: by standing, and by their last use.
struct SessionQueue {
    typealias Place = RecencyList<String>.Place

    /// By the raw value of the standing.
    private var lists = ServerSession.EvictionPriority.allCases.map { _ in RecencyList<String>() }

    var count: Int { lists.reduce(0) { $0 + $1.count } }

    /// The id of the session to end first.
    var first: String? { lists.lazy.compactMap(\.oldest).first }

    /// The id of the session of that standing that was not used for longest.
    func oldest(_ standing: ServerSession.EvictionPriority) -> String? { lists[standing.rawValue].oldest }

    mutating func append(_ id: String, _ standing: ServerSession.EvictionPriority) -> Place {
        lists[standing.rawValue].append(id)
    }

    mutating func touch(_ place: Place, _ standing: ServerSession.EvictionPriority) {
        lists[standing.rawValue].touch(place)
    }

    mutating func remove(_ place: Place, _ standing: ServerSession.EvictionPriority) {
        lists[standing.rawValue].remove(place)
    }
}
