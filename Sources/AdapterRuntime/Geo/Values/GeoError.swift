/// What is wrong with a value given to a function of `WL.Geo`: where it is, what belongs there, and what was found.
struct GeoError: Error, Hashable, CustomStringConvertible {
    /// The argument and the member in it, for example `polygon[2].latitude`; the argument alone when it is wrong as a whole.
    let path: String
    /// What belongs there, for example "a number of degrees from -90 to 90".
    let expected: String
    /// What was there instead, for example "nothing" or "the number 95".
    let found: String

    init(path: String, expected: String, found: String) {
        self.path = path
        self.expected = expected
        self.found = found
    }

    /// One line, for example `circle.radius: expected a number of meters, 0 or more, found nothing`.
    var description: String { "\(path): expected \(expected), found \(found)" }
}

/// Reads one number of an argument, and says which one it was when it is not as it should be.
func checkedNumber(
    _ value: Double?, _ path: String, expected: String, where isAllowed: (Double) -> Bool = { _ in true }
) throws(GeoError) -> Double {
    guard let value else { throw GeoError(path: path, expected: expected, found: "nothing") }
    guard value.isFinite, isAllowed(value) else {
        throw GeoError(path: path, expected: expected, found: "the number \(value)")
    }
    return value
}
