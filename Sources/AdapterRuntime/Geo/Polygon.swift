/// The positions within a closed line of edges (API60 `polygon`).
///
/// An edge is straight in longitude and latitude, the shorter way around the earth: two corners at the same latitude are
/// joined along it. Scripts expect this of a rectangle of four corners, and IBM's client draws it so. An edge of
/// exactly half a turn does not cross the dateline. A line around the earth encloses the pole of the smaller of its two
/// sides; a corner at a pole is joined with its neighbors along their meridians.
///
/// If the line crosses itself, a position is within the polygon when any way out crosses the line an odd number of times.
/// A line of fewer than three different corners has no inside, and every position has its distance from it.
struct Polygon: Area, Hashable {
    /// The script's corners, without those that repeat the one before.
    let corners: [Coordinate]
    let edges: [Edge]
    private let holdsNorthPole: Bool

    /// The distance from the edge, in meters, below which a position is on it: the numbers of a script are not more exact.
    private static let edgeWidth = 1e-6

    /// A polygon from its corners; the last is joined with the first, and may repeat it.
    ///
    /// - Throws: ``GeoError`` when there is no corner.
    init(corners given: [Coordinate]) throws(GeoError) {
        var corners: [Coordinate] = []
        for corner in given where corners.last?.isSamePlace(as: corner) != true { corners.append(corner) }
        while corners.count > 1, let first = corners.first, corners.last?.isSamePlace(as: first) == true {
            corners.removeLast()
        }
        guard !corners.isEmpty else {
            throw GeoError(
                path: "polygon", expected: "an array of at least one {longitude, latitude}", found: "an empty array")
        }
        self.corners = corners
        edges = Edge.closedLine(through: corners)
        holdsNorthPole = Self.enclosesNorthPole(edges)
    }

    func distanceToEdge(from position: Coordinate) -> Double {
        let distance = edges.leastDistance(from: position)
        guard distance > Self.edgeWidth else { return 0 }
        return isWithin(position) ? -distance : distance
    }

    /// Counts the edges between the position and the north pole.
    private func isWithin(_ position: Coordinate) -> Bool {
        guard corners.count > 2 else { return false }
        return edges.count { $0.passesNorth(of: position) }.isMultiple(of: 2) == holdsNorthPole
    }

    /// Returns whether the line goes around the earth with the larger side to the south.
    private static func enclosesNorthPole(_ edges: [Edge]) -> Bool {
        let turn = edges.reduce(0) { $0 + $1.east }
        guard !(turn / 360).rounded().truncatingRemainder(dividingBy: 2).isZero else { return false }
        let latitudes = edges.reduce(0) { $0 + $1.east * ($1.start.latitude + $1.end.latitude) / 2 }
        return latitudes / turn >= 0
    }
}
