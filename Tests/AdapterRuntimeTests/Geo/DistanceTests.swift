import TestSupport
import Testing

@testable import AdapterRuntime

@Suite("Distances between coordinates")
struct DistanceTests {
    @Test("Published distances come out")
    func published() throws {
        let bigBen = try place(-0.1246, 51.5007)
        let statueOfLiberty = try place(-74.0445, 40.6892)
        #expect(abs(bigBen.distance(to: statueOfLiberty) - 5_574_840.457) < 0.01)
        let nashville = try place(-86.67, 36.12)
        let losAngeles = try place(-118.40, 33.94)
        #expect(abs(nashville.distance(to: losAngeles) - 2_886_444.443) < 0.01)
    }

    @Test("A quarter of the earth is a quarter of its circumference")
    func quarter() throws {
        let quarter = earthRadius * .pi / 2
        #expect(abs(try place(0, 0).distance(to: place(90, 0)) - quarter) < 1e-6)
        #expect(abs(try place(33, 0).distance(to: place(-120, 90)) - quarter) < 1e-6)
    }

    @Test("Opposite positions are half the way around apart")
    func opposite() throws {
        #expect(abs(try place(0, 0).distance(to: place(180, 0)) - earthRadius * .pi) < 1e-6)
        #expect(abs(try place(20, 35).distance(to: place(-160, -35)) - earthRadius * .pi) < 10)
    }

    @Test("Positions a centimeter apart are a centimeter apart")
    func close() throws {
        let step = 0.01 / degree
        #expect(abs(try place(8, 50).distance(to: place(8, 50 + step)) - 0.01) < 1e-6)
    }

    @Test("The way across the dateline is the short one")
    func dateline() throws {
        #expect(abs(try place(179.5, 0).distance(to: place(-179.5, 0)) - degree) < 1e-6)
    }

    @Test("All longitudes meet at a pole")
    func pole() throws {
        #expect(try place(0, 90).distance(to: place(123, 90)) < 1e-6)
        #expect(abs(try place(0, 89).distance(to: place(180, 89)) - 2 * degree) < 1e-6)
    }

    @Test(
        "A longitude beyond 180 means the one it comes around to",
        arguments: [(190.0, -170.0), (540, -180), (-541, 179), (180, 180), (-180, -180)])
    func turned(given: Double, means: Double) throws {
        #expect(try place(given, 10).longitude == means)
    }

    @Test("Distances are symmetric and no detour is shorter")
    func triangles() throws {
        var generator = SeededNumbers(state: 1)
        for _ in 0..<2000 {
            let (a, b, c) = (try generator.place(), try generator.place(), try generator.place())
            #expect(a.distance(to: b) == b.distance(to: a))
            #expect(a.distance(to: c) <= a.distance(to: b) + b.distance(to: c) + 1)
            #expect(a.distance(to: b) <= earthRadius * .pi)
        }
    }
}
