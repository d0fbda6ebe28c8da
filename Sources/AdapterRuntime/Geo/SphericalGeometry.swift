import Glibc

/// Returns the same longitude from -180 to 180 degrees, which are the same meridian.
func wrapped(_ longitude: Double) -> Double {
    if abs(longitude) <= 180 { return longitude }
    let turned = (longitude + 180).truncatingRemainder(dividingBy: 360)
    return turned < 0 ? turned + 180 : turned - 180
}

/// Returns the shorter way from one longitude to another in degrees; east is positive. A half turn takes the way that does not
/// cross the dateline.
func shortWay(from start: Double, to end: Double) -> Double {
    let difference = end - start
    if difference > 180 { return difference - 360 }
    return difference < -180 ? difference + 360 : difference
}

/// Returns the way east from one longitude to another in degrees: from 0 up to 360.
func eastWay(from start: Double, to end: Double) -> Double {
    let difference = end - start
    if difference < 0 { return difference + 360 }
    return difference < 360 ? difference : difference - 360
}

func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

/// The radius of the earth in meters. `WL.Geo` takes the earth as a sphere (API60), and this is the radius IBM's client has.
let earthRadius = 6_371_000.0

extension Coordinate {
    /// Returns the distance on the sphere in meters, from 0 to half the way around the earth (`getDistanceBetweenCoordinates`).
    ///
    /// The haversine formula: exact for close positions, and off by no more than a few meters for positions on opposite sides of
    /// the earth.
    func distance(to other: Coordinate) -> Double {
        let north = sin(radians(other.latitude - latitude) / 2)
        let east = sin(radians(other.longitude - longitude) / 2)
        let haversine = north * north + cos(radians(latitude)) * cos(radians(other.latitude)) * east * east
        return 2 * earthRadius * asin(min(1, haversine.squareRoot()))
    }
}
