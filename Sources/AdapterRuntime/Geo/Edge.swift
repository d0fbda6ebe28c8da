/// A line between two corners of a polygon, straight in longitude and latitude.
struct Edge: Sendable, Hashable {
    let start: Coordinate
    let end: Coordinate
    /// Degrees from the start to the end: east is positive, at most half a turn.
    let east: Double

    init(from start: Coordinate, to end: Coordinate) {
        self.start = start
        self.end = end
        east = shortWay(from: start.longitude, to: end.longitude)
    }

    /// Returns the edges of a closed line. A corner at a pole becomes two corners, each with the longitude of a neighbor.
    static func closedLine(through corners: [Coordinate]) -> [Edge] {
        var line: [Coordinate] = []
        for (index, corner) in corners.enumerated() {
            guard corner.isPole, corners.count > 1 else {
                line.append(corner)
                continue
            }
            for neighbor in [
                corners[(index + corners.count - 1) % corners.count], corners[(index + 1) % corners.count],
            ] {
                line.append(Coordinate(uncheckedLongitude: neighbor.longitude, latitude: corner.latitude))
            }
        }
        return line.indices.map { Edge(from: line[$0], to: line[($0 + 1) % line.count]) }
    }

    /// Returns the position at this part of the way from the start to the end.
    func place(at part: Double) -> Coordinate {
        Coordinate(
            uncheckedLongitude: start.longitude + part * east,
            latitude: start.latitude + part * (end.latitude - start.latitude))
    }

    /// Returns whether the edge crosses the meridian of a position to the north of it. An edge has its western end, not its eastern.
    func passesNorth(of place: Coordinate) -> Bool {
        let west = east < 0 ? end : start
        let width = abs(east)
        let way = eastWay(from: west.longitude, to: place.longitude)
        guard way < width else { return false }
        let rise = (east < 0 ? start : end).latitude - west.latitude
        return west.latitude + rise * way / width > place.latitude
    }
}
