/// Positions in the order of their last use. The owner keeps an element for each position, in an array for example.
///
/// Each operation takes the same short time for any number of positions. The list does not hold the elements, so that it is not generic: code of
/// other modules runs at full speed.
package struct RecencyList: Sendable {
    /// A number from 0 on. A number that was removed is used again.
    package typealias Place = Int

    private struct Links {
        var older: Place?
        var newer: Place?
    }

    private var links: [Links] = []
    private var free: [Place] = []
    private var newest: Place?
    /// The position that has not been used for longest.
    package private(set) var oldest: Place?

    package init() {}

    package var count: Int { links.count - free.count }

    /// Adds a position as the one used last.
    package mutating func append() -> Place {
        let place: Place
        if let reused = free.popLast() {
            place = reused
        } else {
            place = links.count
            links.append(Links())
        }
        link(place)
        return place
    }

    /// Makes a position the one used last.
    package mutating func touch(_ place: Place) {
        guard place != newest else { return }
        unlink(place)
        link(place)
    }

    package mutating func remove(_ place: Place) {
        unlink(place)
        free.append(place)
    }

    private mutating func link(_ place: Place) {
        links[place] = Links(older: newest)
        if let newest { links[newest].newer = place } else { oldest = place }
        newest = place
    }

    private mutating func unlink(_ place: Place) {
        let own = links[place]
        if let older = own.older { links[older].newer = own.newer } else { oldest = own.newer }
        if let newer = own.newer { links[newer].older = own.older } else { newest = own.older }
    }
}
