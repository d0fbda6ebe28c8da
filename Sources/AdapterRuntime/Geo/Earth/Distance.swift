#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The radius of the earth in meters. `WL.Geo` takes the earth as a sphere (API60), and this is the radius IBM's client has.
let earthRadius = 6_371_000.0

extension Coordinate {
    /// The distance on the sphere in meters, from 0 to half the way around the earth (`getDistanceBetweenCoordinates`).
    ///
    /// The haversine formula: exact for close places, and off by no more than a few meters for places on opposite sides of
    /// the earth.
    func distance(to other: Coordinate) -> Double {
        let north = sin(radians(other.latitude - latitude) / 2)
        let east = sin(radians(other.longitude - longitude) / 2)
        let haversine = north * north + cos(radians(latitude)) * cos(radians(other.latitude)) * east * east
        return 2 * earthRadius * asin(min(1, haversine.squareRoot()))
    }
}
