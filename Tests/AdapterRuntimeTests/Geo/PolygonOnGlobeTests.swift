import Testing

@testable import AdapterRuntime

@Suite("Polygons at the dateline and at the poles")
struct PolygonOnGlobeTests {
    @Test(
        "A polygon across the dateline is not the rest of the earth",
        arguments: [(179.9, true), (-179.9, true), (180, true), (0, false), (178.9, false)])
    func dateline(longitude: Double, expected: Bool) throws {
        let fiji = try polygon((179, -20), (-179, -20), (-179, -15), (179, -15))
        #expect(fiji.contains(try place(longitude, -17)) == expected)
    }

    @Test("The distance across the dateline is the short one")
    func datelineDistance() throws {
        let west = try polygon((178, -1), (179, -1), (179, 1), (178, 1))
        #expect(abs(west.distance(from: try place(-179, 0)) - 2 * degree) < 1e-3)
    }

    @Test("A line around a pole encloses it", arguments: [90.0, -90])
    func pole(latitude: Double) throws {
        let edge = latitude / 90 * 70
        let cap = try polygon((0, edge), (90, edge), (180, edge), (-90, edge))
        #expect(cap.contains(try place(0, latitude)))
        #expect(cap.contains(try place(45, edge * 1.01)))
        #expect(cap.contains(try place(-135, edge * 1.01)))
        #expect(cap.excludes(try place(45, edge * 0.99)))
        #expect(cap.excludes(try place(0, -latitude)))
        #expect(abs(cap.distance(from: try place(17, latitude)) + 20 * degree) < 1e-3)
    }

    @Test("A line around the earth has its smaller side within")
    func smallerSide() throws {
        let north = try polygon((0, 10), (120, 10), (-120, 10))
        #expect(north.contains(try place(60, 11)))
        #expect(north.excludes(try place(60, 9)))
        let south = try polygon((0, -10), (-120, -10), (120, -10))
        #expect(south.contains(try place(60, -11)))
        #expect(south.excludes(try place(60, -9)))
    }

    @Test("A corner at a pole is joined along the meridians, whatever its longitude", arguments: [-100.0, 0, 45, 180])
    func cornerAtPole(longitude: Double) throws {
        let eighth = try polygon((0, 0), (90, 0), (longitude, 90))
        #expect(eighth.contains(try place(1, 89)))
        #expect(eighth.contains(try place(89, 1)))
        #expect(eighth.excludes(try place(-1, 89)))
        #expect(eighth.excludes(try place(91, 89)))
        #expect(eighth.distance(from: try place(12, 90)) == 0)
    }

    @Test("A polygon that goes past a pole does not have it")
    func beside() throws {
        let beside = try polygon((0, 80), (60, 80), (60, 89), (0, 89))
        #expect(beside.excludes(try place(30, 90)))
        #expect(beside.contains(try place(30, 88)))
        #expect(abs(beside.distance(from: try place(0, 90)) - degree) < 1e-3)
    }

    @Test("A polygon half around the earth does not cross the dateline", arguments: [0.0, -90, -180])
    func halfTurn(west: Double) throws {
        let half = try polygon((west, 10), (west + 180, 10), (west + 180, 20), (west, 20))
        #expect(half.contains(try place(west + 90, 15)))
        #expect(half.excludes(try place(west - 90, 15)))
        #expect(half.excludes(try place(0, 90)))
    }

    @Test("The dateline has two longitudes")
    func datelineItself() throws {
        let east = try polygon((180, 0), (-180, 1), (170, 1), (170, 0))
        #expect(east.contains(try place(175, 0.5)))
        #expect(east.excludes(try place(-175, 0.5)))
        #expect(east.distance(from: try place(-180, 0.5)) == 0)
        #expect(try polygon((180, 0), (-180, 0)).corners.count == 1)
        let across = try polygon((170, 0), (-170, 0), (-170, 10), (-180, 10), (170, 10))
        #expect(across.contains(try place(180, 5)))
        #expect(across.contains(try place(-180, 5)))
    }

    @Test("A position at the opposite longitude sees a polygon over the pole")
    func overPole() throws {
        let polygon = try polygon((-10, 80), (10, 80), (10, 85), (-10, 85))
        let opposite = try place(180, 85)
        #expect(abs(polygon.distance(from: opposite) - opposite.distance(to: try place(10, 85))) < 1e-3)
        #expect(polygon.excludes(opposite))
    }
}
