/// All places up to a distance from a center (API60 `circle`).
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
