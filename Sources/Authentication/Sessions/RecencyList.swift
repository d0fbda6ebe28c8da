/// Elements in the order in which they were last used. Every operation takes the same short time, however many there are.
struct RecencyList<Element> {
    /// Where an element is, as long as it is in the list.
    typealias Place = Int

    private struct Node {
        var element: Element?
        var previous: Place?
        var next: Place?
    }

    private var nodes: [Node] = []
    private var free: [Place] = []
    private var newest: Place?
    private(set) var oldestPlace: Place?

    var count: Int { nodes.count - free.count }

    /// The element that has not been used for longest.
    var oldest: Element? { oldestPlace.flatMap { nodes[$0].element } }

    /// Adds an element as the one used last.
    mutating func append(_ element: Element) -> Place {
        let node = Node(element: element, previous: nil, next: nil)
        let place: Place
        if let reused = free.popLast() {
            place = reused
            nodes[place] = node
        } else {
            place = nodes.count
            nodes.append(node)
        }
        link(place)
        return place
    }

    /// Makes an element the one used last.
    mutating func touch(_ place: Place) {
        guard place != newest else { return }
        unlink(place)
        link(place)
    }

    mutating func remove(_ place: Place) {
        unlink(place)
        nodes[place] = Node(element: nil)
        free.append(place)
    }

    private mutating func link(_ place: Place) {
        nodes[place].previous = newest
        nodes[place].next = nil
        if let newest { nodes[newest].next = place }
        newest = place
        if oldestPlace == nil { oldestPlace = place }
    }

    private mutating func unlink(_ place: Place) {
        let node = nodes[place]
        if let previous = node.previous { nodes[previous].next = node.next } else { oldestPlace = node.next }
        if let next = node.next { nodes[next].previous = node.previous } else { newest = node.previous }
    }
}

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
