/// A circle or a polygon that a position is compared with.
protocol Area: Sendable {
    /// Returns the meters to the edge: positive outside, 0 on the edge, negative within.
    func distanceToEdge(from position: Coordinate) -> Double
}

extension Area {
    /// Returns the meters to the edge of the area with its buffer zone: positive outside, negative within (`getDistanceToCircle`,
    /// `getDistanceToPolygon`).
    func distance(from position: Coordinate, options: AreaOptions = .standard) -> Double {
        distanceToEdge(from: position) - options.bufferZoneWidth
    }

    /// Returns whether the position is within the area at the requested level of confidence (`isInsideCircle`, `isInsidePolygon`).
    ///
    /// The edge belongs to the area at the level low. At the other levels a position near the edge is neither inside nor
    /// outside.
    func contains(_ position: Coordinate, options: AreaOptions = .standard) -> Bool {
        let depth = -distance(from: position, options: options)
        return options.confidenceLevel == .low
            ? depth >= 0 : depth > options.confidenceLevel.accuracies * position.accuracy
    }

    /// Returns whether the position is outside the area at the requested level of confidence (`isOutsideCircle`, `isOutsidePolygon`).
    func excludes(_ position: Coordinate, options: AreaOptions = .standard) -> Bool {
        distance(from: position, options: options) > options.confidenceLevel.accuracies * position.accuracy
    }
}

/// All positions up to a distance from a center (API60 `circle`).
struct Circle: Area, Hashable {
    let center: Coordinate
    /// Meters along the surface of the earth.
    let radius: Double

    /// A circle from a script's numbers, `nil` for a member that is missing.
    ///
    /// - Throws: ``GeoError`` as for a ``Coordinate``, and when the radius is missing, no number or negative.
    init(longitude: Double?, latitude: Double?, radius: Double?) throws(GeoError) {
        center = try Coordinate(longitude: longitude, latitude: latitude, path: "circle")
        self.radius = try checkedNumber(radius, "circle.radius", expected: "a number of meters, 0 or more") { $0 >= 0 }
    }

    func distanceToEdge(from position: Coordinate) -> Double { position.distance(to: center) - radius }
}
