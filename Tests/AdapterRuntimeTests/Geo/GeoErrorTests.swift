import Testing

@testable import AdapterRuntime

@Suite("Invalid positions")
struct GeoErrorTests {
    @Test("A missing member is named with its argument")
    func missing() {
        #expect(
            throws: GeoError(
                path: "coordinate1.longitude", expected: "a number of degrees, east positive", found: "nothing")
        ) {
            _ = try Coordinate(longitude: nil, latitude: 1, path: "coordinate1")
        }
        let error = #expect(throws: GeoError.self) { _ = try Circle(longitude: 1, latitude: 2, radius: nil) }
        #expect(error?.description == "circle.radius: expected a number of meters, 0 or more, found nothing")
    }

    @Test("A latitude beyond a pole is refused", arguments: [90.001, -91, 151.2])
    func latitude(degrees: Double) {
        let error = #expect(throws: GeoError.self) {
            _ = try Coordinate(longitude: 0, latitude: degrees, path: "polygon[2]")
        }
        #expect(error?.path == "polygon[2].latitude")
        #expect(error?.found == "the number \(degrees)")
    }

    @Test("A number that is none is refused", arguments: [Double.nan, .infinity, -.infinity])
    func noNumber(value: Double) {
        #expect(throws: GeoError.self) { _ = try Coordinate(longitude: value, latitude: 0) }
        #expect(throws: GeoError.self) { _ = try Coordinate(longitude: 0, latitude: value) }
        #expect(throws: GeoError.self) { _ = try Coordinate(longitude: 0, latitude: 0, accuracy: value) }
        #expect(throws: GeoError.self) { _ = try Circle(longitude: 0, latitude: 0, radius: value) }
        #expect(throws: GeoError.self) { _ = try AreaOptions(bufferZoneWidth: value) }
    }

    @Test("A negative radius or accuracy is refused")
    func negative() {
        #expect(throws: GeoError.self) { _ = try Circle(longitude: 0, latitude: 0, radius: -1) }
        #expect(throws: GeoError.self) { _ = try Coordinate(longitude: 0, latitude: 0, accuracy: -1) }
    }

    @Test("A polygon without corners is refused")
    func empty() {
        let error = #expect(throws: GeoError.self) { _ = try Polygon(corners: []) }
        #expect(
            error?.description
                == "polygon: expected an array of at least one {longitude, latitude}, found an empty array")
    }

    @Test("A coordinate without an accuracy is taken as exact")
    func accuracy() throws {
        #expect(try Coordinate(longitude: 0, latitude: 0).accuracy == 0)
    }
}
