/// A dictionary with at most ``capacity`` entries: a further one removes the entry that was used least recently.
///
/// Reading and setting an entry are uses. Each operation takes the same short time, however many entries there are.
package struct BoundedTable<Key: Hashable, Value> {
    /// The most entries.
    package let capacity: Int
    private var entries: [Key: (value: Value, place: RecencyList.Place)] = [:]
    private var order = RecencyList()
    /// The entries' keys, indexed by position in `order`.
    private var keys: [Key?] = []

    /// - Parameter capacity: the most entries: 1 at least.
    package init(capacity: Int) {
        precondition(capacity > 0)
        self.capacity = capacity
    }

    package var count: Int { entries.count }

    package subscript(key: Key) -> Value? {
        mutating get {
            guard let entry = entries[key] else { return nil }
            order.touch(entry.place)
            return entry.value
        }
        set {
            if let newValue { insert(newValue, forKey: key) } else { removeValue(forKey: key) }
        }
    }

    /// Sets the value of a key, like the subscript.
    ///
    /// - Returns: the value of the entry that was removed to make room for a new one.
    @discardableResult
    package mutating func insert(_ value: Value, forKey key: Key) -> Value? {
        if let place = entries[key]?.place {
            entries[key] = (value, place)
            order.touch(place)
            return nil
        }
        let evicted = entries.count >= capacity ? removeOldest() : nil
        let place = order.append()
        if place < keys.count { keys[place] = key } else { keys.append(key) }
        entries[key] = (value, place)
        return evicted
    }

    /// - Returns: the value that the key had.
    @discardableResult
    package mutating func removeValue(forKey key: Key) -> Value? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        order.remove(entry.place)
        keys[entry.place] = nil
        return entry.value
    }

    private mutating func removeOldest() -> Value? {
        guard let place = order.oldest, let key = keys[place] else { return nil }
        return removeValue(forKey: key)
    }
}

extension BoundedTable: Sendable where Key: Sendable, Value: Sendable {}
