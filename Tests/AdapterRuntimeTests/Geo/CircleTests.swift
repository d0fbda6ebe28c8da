import Testing

@testable import AdapterRuntime

@Suite("Circles")
struct CircleTests {
    private let circle: Circle

    init() throws { circle = try Circle(longitude: -74.04444, latitude: 40.689167, radius: 100) }

    @Test("The distance is negative within, by the radius at the center")
    func center() throws {
        #expect(circle.distance(from: try place(-74.04444, 40.689167)) == -100)
    }

    @Test("The distance outside is from the edge")
    func outside() throws {
        let place = try place(-74.04444, 40.689167 + 300 / degree)
        #expect(abs(circle.distance(from: place) - 200) < 1e-6)
        #expect(circle.excludes(place))
        #expect(!circle.contains(place))
    }

    @Test("The edge of a circle belongs to it")
    func edge() throws {
        let circle = try Circle(longitude: 0, latitude: 0, radius: try place(0, 0).distance(to: place(0, 1)))
        let edge = try place(0, 1)
        #expect(circle.distance(from: edge) == 0)
        #expect(circle.contains(edge))
        #expect(!circle.excludes(edge))
    }

    @Test("A buffer zone enlarges the circle, and shrinks it when negative")
    func buffer() throws {
        let place = try place(-74.04444, 40.689167 + 150 / degree)
        let larger = try AreaOptions(bufferZoneWidth: 80)
        let smaller = try AreaOptions(bufferZoneWidth: -20)
        #expect(abs(circle.distance(from: place, options: larger) + 30) < 1e-6)
        #expect(circle.contains(place, options: larger))
        #expect(abs(circle.distance(from: place, options: smaller) - 70) < 1e-6)
    }

    @Test("A buffer zone that shrinks the circle away leaves nothing within it")
    func shrunkAway() throws {
        let options = try AreaOptions(bufferZoneWidth: -101)
        #expect(circle.excludes(try place(-74.04444, 40.689167), options: options))
    }

    @Test("A circle at a pole contains positions of every longitude")
    func pole() throws {
        let circle = try Circle(longitude: 55, latitude: 90, radius: 2 * degree)
        #expect(circle.contains(try place(-120, 89)))
        #expect(circle.excludes(try place(55, 87)))
    }

    @Test("A circle of radius 0 has its center")
    func point() throws {
        #expect(try Circle(longitude: 1, latitude: 2, radius: 0).contains(place(1, 2)))
    }
}
