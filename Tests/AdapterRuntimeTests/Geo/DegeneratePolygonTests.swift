import Testing

@testable import AdapterRuntime

@Suite("Degenerate polygons")
struct DegeneratePolygonTests {
    @Test("A polygon of one corner is a position")
    func one() throws {
        let point = try polygon((5, 5))
        #expect(abs(point.distance(from: try place(5, 6)) - degree) < 1e-6)
        #expect(point.contains(try place(5, 5)))
        #expect(point.contains(try place(5, 6), options: try AreaOptions(bufferZoneWidth: degree + 1)))
    }

    @Test("A polygon of two corners is a line", arguments: [(0.0, 2.0), (0, 180), (170, -170), (-90, 90)])
    func two(from: Double, to: Double) throws {
        let line = try polygon((from, 10), (to, 10))
        #expect(line.distance(from: try place(from, 10)) == 0)
        #expect(line.excludes(try place(from + 1, 11)))
        #expect(line.excludes(try place(from + 1, 9)))
        #expect(abs(line.distance(from: try place(from, 9)) - degree) < 1e-3)
    }

    @Test("Corners on one line enclose nothing")
    func flat() throws {
        let flat = try polygon((0, 0), (1, 1), (3, 3), (2, 2))
        #expect(flat.distance(from: try place(1.5, 1.5)) == 0)
        #expect(flat.excludes(try place(1.5, 1.6)))
        #expect(flat.excludes(try place(1.5, 1.4)))
    }

    @Test("Repeated corners change nothing")
    func repeated() throws {
        let once = try polygon((0, 0), (1, 0), (1, 1))
        let often = try polygon((0, 0), (0, 0), (1, 0), (1, 1), (1, 1), (361, 1), (0, 0), (360, 0))
        #expect(often == once)
    }

    @Test("A polygon of one repeated position is that position")
    func allTheSame() throws {
        #expect(try polygon((7, 7), (7, 7), (7, 7)).corners == [place(7, 7)])
        #expect(try polygon((7, 90), (8, 90), (9, 90)).corners.count == 1)
    }

    @Test("A line to a pole and back encloses nothing")
    func toPoleAndBack() throws {
        let line = try polygon((20, 50), (99, 90))
        let far = try place(21, 0)
        #expect(abs(line.distance(from: far) - far.distance(to: try place(20, 50))) < 1e-3)
        #expect(line.distance(from: try place(20, 70)) == 0)
        #expect(line.excludes(try place(21, 70)))
        #expect(line.excludes(try place(-160, 70)))
    }
}
