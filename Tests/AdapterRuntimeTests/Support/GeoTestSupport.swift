import TestSupport

@testable import AdapterRuntime

/// Makes a position for a test, longitude first as in `WL.Geo`.
func place(_ longitude: Double, _ latitude: Double, accuracy: Double = 0) throws -> Coordinate {
    try Coordinate(longitude: longitude, latitude: latitude, accuracy: accuracy)
}

func polygon(_ corners: (Double, Double)...) throws -> Polygon {
    try Polygon(corners: corners.map { try AdapterRuntimeTests.place($0.0, $0.1) })
}

/// Meters of one degree along a meridian or the equator.
let degree = earthRadius * .pi / 180

extension SeededNumbers {
    mutating func place() throws -> Coordinate {
        try AdapterRuntimeTests.place(.random(in: -180..<180, using: &self), .random(in: -90...90, using: &self))
    }

    /// A line around a center that does not cross itself: its corners follow each other by their angle.
    mutating func star(around center: Coordinate, reach: Double, corners: Int) throws -> Polygon {
        let angles = (0..<corners).map { _ in Double.random(in: 0..<360, using: &self) }.sorted()
        return try Polygon(
            corners: angles.map { angle in
                let away = Double.random(in: 0.2...1, using: &self) * reach
                return try AdapterRuntimeTests.place(
                    center.longitude + away * cosine(angle), center.latitude + away * cosine(angle - 90))
            })
    }
}
