/// A binary min-heap of elements keyed by when they are due. Each element is in it at most once.
///
/// It also knows where each element is, so that one in the middle is found, moved or removed in O(log n).
struct DueHeap<Deadline: Comparable, Element: Hashable> {
    private var nodes: [(deadline: Deadline, element: Element)] = []
    private var positions: [Element: Int] = [:]

    var count: Int { nodes.count }

    /// The element that is due before all others, and when; any of them when several are due together.
    var first: (deadline: Deadline, element: Element)? { nodes.first }

    /// Returns the deadline of the element; `nil` when it is not in the heap.
    func deadline(of element: Element) -> Deadline? {
        positions[element].map { nodes[$0].deadline }
    }

    /// Adds the element, or moves it to the new deadline if it is in the heap already.
    mutating func insert(_ element: Element, due deadline: Deadline) {
        if let position = positions[element] {
            nodes[position].deadline = deadline
            restoreOrder(at: position)
        } else {
            nodes.append((deadline, element))
            positions[element] = nodes.count - 1
            siftUp(from: nodes.count - 1)
        }
    }

    /// Removes the element, wherever it is; does nothing when the heap does not contain it.
    mutating func remove(_ element: Element) {
        guard let position = positions[element] else { return }
        swap(position, nodes.count - 1)
        nodes.removeLast()
        positions[element] = nil
        if position < nodes.count { restoreOrder(at: position) }
    }

    /// Takes out the first element, provided that it is due at `deadline` or before.
    mutating func popFirst(dueBy deadline: Deadline) -> Element? {
        guard let first, first.deadline <= deadline else { return nil }
        remove(first.element)
        return first.element
    }

    private mutating func restoreOrder(at position: Int) {
        siftUp(from: position)
        siftDown(from: position)
    }

    private mutating func siftUp(from start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard nodes[child].deadline < nodes[parent].deadline else { return }
            swap(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(from start: Int) {
        var parent = start
        while true {
            var earliest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < nodes.count {
                if nodes[child].deadline < nodes[earliest].deadline { earliest = child }
            }
            guard earliest != parent else { return }
            swap(parent, earliest)
            parent = earliest
        }
    }

    private mutating func swap(_ one: Int, _ other: Int) {
        nodes.swapAt(one, other)
        positions[nodes[one].element] = one
        positions[nodes[other].element] = other
    }
}
