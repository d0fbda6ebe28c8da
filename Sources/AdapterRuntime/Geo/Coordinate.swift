/// A position on the earth, as a device reports it (API60 `WL.Geo`, `coordinate`).
struct Coordinate: Sendable, Hashable {
    /// Degrees east of Greenwich, from -180 to 180; west is negative.
    let longitude: Double
    /// Degrees north of the equator, from -90 to 90; south is negative.
    let latitude: Double
    /// The accuracy of the position, in meters; 0 when the device did not report it.
    let accuracy: Double

    /// Makes a position from a script's numbers, `nil` for a member that is missing.
    ///
    /// A longitude beyond ±180 is normalized: 190 becomes -170. A latitude beyond ±90 means nothing, and is
    /// often one that was swapped with the longitude.
    ///
    /// - Parameter path: how an error names the argument, for example `coordinate1` or `polygon[2]`.
    /// - Throws: ``GeoError`` when the longitude or the latitude is missing or not a number, when the latitude is beyond ±90,
    ///   or when the accuracy is negative.
    init(
        longitude: Double?, latitude: Double?, accuracy: Double? = nil, path: String = "coordinate"
    ) throws(GeoError) {
        self.longitude = wrapped(
            try checkedNumber(longitude, "\(path).longitude", expected: "a number of degrees, east positive"))
        self.latitude = try checkedNumber(
            latitude, "\(path).latitude", expected: "a number of degrees from -90 to 90, north positive"
        ) { abs($0) <= 90 }
        self.accuracy = try checkedNumber(
            accuracy ?? 0, "\(path).accuracy", expected: "a number of meters, 0 or more"
        ) { $0 >= 0 }
    }

    /// Makes a position that is known to be valid.
    init(uncheckedLongitude longitude: Double, latitude: Double) {
        self.longitude = longitude
        self.latitude = latitude
        accuracy = 0
    }

    /// Returns whether both are the same position, whatever their accuracy. All longitudes meet at a pole.
    func isSamePlace(as other: Coordinate) -> Bool {
        latitude == other.latitude && (isPole || shortWay(from: longitude, to: other.longitude) == 0)
    }

    var isPole: Bool { abs(latitude) == 90 }
}

/// An invalid argument of a function of `WL.Geo`: its path, the expected value, and the value found.
struct GeoError: Error, Hashable, CustomStringConvertible {
    /// The argument and the member in it, for example `polygon[2].latitude`; the argument alone when it is wrong as a whole.
    let path: String
    /// The expected value, for example "a number of degrees from -90 to 90".
    let expected: String
    /// The value found instead, for example "nothing" or "the number 95".
    let found: String

    init(path: String, expected: String, found: String) {
        self.path = path
        self.expected = expected
        self.found = found
    }

    /// One line, for example `circle.radius: expected a number of meters, 0 or more, found nothing`.
    var description: String { "\(path): expected \(expected), found \(found)" }
}

/// Reads one number of an argument, and names the member in the error when the number is invalid.
func checkedNumber(
    _ value: Double?, _ path: String, expected: String, where isAllowed: (Double) -> Bool = { _ in true }
) throws(GeoError) -> Double {
    guard let value else { throw GeoError(path: path, expected: expected, found: "nothing") }
    guard value.isFinite, isAllowed(value) else {
        throw GeoError(path: path, expected: expected, found: "the number \(value)")
    }
    return value
}
