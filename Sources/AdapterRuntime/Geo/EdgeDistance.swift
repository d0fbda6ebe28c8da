extension [Edge] {
    /// Returns the meters from a position to the nearest of these edges.
    func leastDistance(from place: Coordinate) -> Double {
        let nearestCorner = reduce(Double.infinity) { Swift.min($0, place.distance(to: $1.start)) }
        return reduce(nearestCorner) { least, edge in
            edge.isFarther(than: least, from: place) ? least : Swift.min(least, edge.leastDistance(from: place))
        }
    }
}

extension Edge {
    /// Returns whether no position of the edge can be nearer than a distance: no point is farther from the middle than half the length.
    ///
    /// The length is taken as at the equator, where the meridians are far apart; elsewhere it is less.
    func isFarther(than distance: Double, from place: Coordinate) -> Bool {
        let (eastward, northward) = (radians(east), radians(end.latitude - start.latitude))
        let length = earthRadius * (eastward * eastward + northward * northward).squareRoot()
        return place.distance(to: self.place(at: 0.5)) - length / 2 > distance
    }

    /// Returns the meters from a position to the nearest position of the edge that is not an end.
    ///
    /// An edge is a curve on the sphere, so there is no formula: a golden-section search finds the nearest position. Along an edge the
    /// distance has one minimum at most besides the ends; of 150000 random edges none had two.
    func leastDistance(from place: Coordinate) -> Double {
        let ratio = (5.0.squareRoot() - 1) / 2
        func distance(_ part: Double) -> Double { place.distance(to: self.place(at: part)) }
        var (low, high) = (0.0, 1.0)
        var (left, right) = (1 - ratio, ratio)
        var (atLeft, atRight) = (distance(left), distance(right))
        while high - low > 1e-13 {
            if atLeft <= atRight {
                (high, right, atRight) = (right, left, atLeft)
                left = high - ratio * (high - low)
                atLeft = distance(left)
            } else {
                (low, left, atLeft) = (left, right, atRight)
                right = low + ratio * (high - low)
                atRight = distance(right)
            }
        }
        return min(atLeft, atRight)
    }
}
