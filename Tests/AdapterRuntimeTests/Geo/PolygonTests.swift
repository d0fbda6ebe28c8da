import Testing

@testable import AdapterRuntime

@Suite("Polygons")
struct PolygonTests {
    private let square: Polygon

    init() throws { square = try polygon((10, 0), (12, 0), (12, 2), (10, 2)) }

    @Test("The distance is negative within and positive outside")
    func distances() throws {
        #expect(abs(square.distance(from: try place(11, 0.25)) + 0.25 * degree) < 1e-3)
        #expect(abs(square.distance(from: try place(11, -1)) - degree) < 1e-3)
        #expect(square.contains(try place(11, 1)))
        #expect(square.excludes(try place(13, 1)))
    }

    @Test("The nearest position may be a corner")
    func corner() throws {
        let outside = try place(13, 3)
        #expect(abs(square.distance(from: outside) - outside.distance(to: try place(12, 2))) < 1e-6)
    }

    @Test("Corners and edges belong to the polygon", arguments: [(10.0, 0.0), (12, 2), (11, 0), (10, 0.7), (10.3, 2)])
    func edges(longitude: Double, latitude: Double) throws {
        let edge = try place(longitude, latitude)
        #expect(square.distance(from: edge) == 0)
        #expect(square.contains(edge))
        #expect(!square.excludes(edge))
    }

    @Test("A buffer zone enlarges the polygon, and shrinks it when negative")
    func buffer() throws {
        let outside = try place(11, -0.01)
        #expect(square.contains(outside, options: try AreaOptions(bufferZoneWidth: 2000)))
        let inside = try place(11, 0.01)
        #expect(square.excludes(inside, options: try AreaOptions(bufferZoneWidth: -2000)))
    }

    @Test("The accuracy counts at the edge of a polygon")
    func confidence() throws {
        let position = try place(11, 0.01, accuracy: 1000)
        #expect(square.contains(position, options: try AreaOptions(confidenceLevel: .medium)))
        #expect(!square.contains(position, options: try AreaOptions(confidenceLevel: .high)))
    }

    @Test("An edge between corners of one latitude goes along it")
    func parallel() throws {
        let wide = try polygon((-109, 37), (-102, 37), (-102, 41), (-109, 41))
        #expect(wide.contains(try place(-105.5, 40.9999)))
        #expect(wide.excludes(try place(-105.5, 41.0001)))
        #expect(wide.contains(try place(-105.5, 37.0001)))
        #expect(abs(wide.distance(from: try place(-105.5, 42)) - degree) < 1)
    }

    @Test("The hollow of a bent polygon is outside")
    func hollow() throws {
        let bent = try polygon((0, 0), (4, 0), (4, 4), (3, 4), (3, 1), (1, 1), (1, 4), (0, 4))
        #expect(bent.excludes(try place(2, 3)))
        #expect(bent.contains(try place(0.5, 3)))
        #expect(bent.contains(try place(3.5, 3)))
    }

    @Test("A position level with corners is judged correctly", arguments: [(-1.0, false), (0.5, true), (2.5, false)])
    func throughCorners(longitude: Double, expected: Bool) throws {
        let diamond = try polygon((0, -1), (2, 0), (0, 1), (-0.5, 0))
        #expect(diamond.contains(try place(longitude, 0)) == expected)
        let meridian = try polygon((-1, 0), (0, 2), (1, 0), (0, -2))
        #expect(meridian.contains(try place(0, longitude)) == (abs(longitude) <= 2))
    }

    @Test("The part that a line goes around twice is outside")
    func crossing() throws {
        let pentagram = try polygon((0, 10), (6, -8), (-9, 3), (9, 3), (-6, -8))
        #expect(pentagram.excludes(try place(0, 0)))
        #expect(pentagram.contains(try place(0, 8)))
    }
}
