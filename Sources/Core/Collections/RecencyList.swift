/// Elements in the order in which they were last used. Every operation takes the same short time, however many there are.
package struct RecencyList<Element> {
    /// Where an element is, as long as it is in the list.
    package typealias Place = Int

    private struct Node {
        var element: Element?
        var previous: Place?
        var next: Place?
    }

    private var nodes: [Node] = []
    private var free: [Place] = []
    private var newest: Place?
    package private(set) var oldestPlace: Place?

    package init() {}

    package var count: Int { nodes.count - free.count }

    /// The element that has not been used for longest.
    package var oldest: Element? { oldestPlace.flatMap { nodes[$0].element } }

    /// Adds an element as the one used last.
    package mutating func append(_ element: Element) -> Place {
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
    package mutating func touch(_ place: Place) {
        guard place != newest else { return }
        unlink(place)
        link(place)
    }

    package mutating func remove(_ place: Place) {
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
