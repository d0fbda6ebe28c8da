import Testing

@testable import AdapterRuntime

@Suite("Confidence")
struct ConfidenceTests {
    private let circle: Circle

    init() throws { circle = try Circle(longitude: 0, latitude: 0, radius: 1000) }

    /// A position so many meters north of the circle's edge, with an accuracy of 100 m.
    private func position(beyondEdge meters: Double) throws -> Coordinate {
        try place(0, (1000 + meters) / degree, accuracy: 100)
    }

    @Test(
        "A position is surely within when it is deeper than the level requires",
        arguments: [
            (-1.0, ConfidenceLevel.low, true), (1, .low, false), (-49, .medium, false), (-51, .medium, true),
            (-204, .high, false), (-206, .high, true),
        ])
    func inside(beyondEdge: Double, level: ConfidenceLevel, expected: Bool) throws {
        let options = try AreaOptions(confidenceLevel: level)
        #expect(circle.contains(try position(beyondEdge: beyondEdge), options: options) == expected)
    }

    @Test(
        "A position is surely outside when it is farther than the level requires",
        arguments: [
            (1.0, ConfidenceLevel.low, true), (-1, .low, false), (49, .medium, false), (51, .medium, true),
            (204, .high, false), (206, .high, true),
        ])
    func outside(beyondEdge: Double, level: ConfidenceLevel, expected: Bool) throws {
        let options = try AreaOptions(confidenceLevel: level)
        #expect(circle.excludes(try position(beyondEdge: beyondEdge), options: options) == expected)
    }

    @Test("The buffer zone counts before the confidence")
    func buffer() throws {
        let options = try AreaOptions(bufferZoneWidth: 300, confidenceLevel: .high)
        #expect(circle.contains(try position(beyondEdge: 90), options: options))
        #expect(!circle.contains(try position(beyondEdge: 100), options: options))
    }

    @Test(
        "An exact position on the edge is within at low, and neither at medium and high",
        arguments: ConfidenceLevel.allCases)
    func edge(level: ConfidenceLevel) throws {
        let edge = try place(0, 1)
        let circle = try Circle(longitude: 0, latitude: 0, radius: try place(0, 0).distance(to: edge))
        let options = try AreaOptions(confidenceLevel: level)
        #expect(circle.contains(edge, options: options) == (level == .low))
        #expect(!circle.excludes(edge, options: options))
    }

    @Test("An unknown level's name is the level low", arguments: [nil, "", "High", "certain"])
    func unknown(name: String?) {
        #expect(ConfidenceLevel(named: name) == .low)
    }

    @Test(
        "A level has its name in scripts",
        arguments: [("low", ConfidenceLevel.low), ("medium", .medium), ("high", .high)])
    func names(name: String, level: ConfidenceLevel) {
        #expect(ConfidenceLevel(named: name) == level)
    }
}
