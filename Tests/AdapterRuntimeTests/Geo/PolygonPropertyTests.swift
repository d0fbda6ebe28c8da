import TestSupport
import Testing

@testable import AdapterRuntime

@Suite("Properties of every polygon")
struct PolygonPropertyTests {
    /// Calls the body with random polygons, none near a pole, and positions in and around them.
    private func samples(
        seed: UInt64, polygons: Int = 60, reach: Double = 15, _ body: (Polygon, Coordinate) throws -> Void
    ) throws {
        var generator = SeededNumbers(state: seed)
        for _ in 0..<polygons {
            let center = try place(.random(in: -180..<180, using: &generator), .random(in: -50...50, using: &generator))
            let corners = Int.random(in: 3...12, using: &generator)
            let star = try generator.star(around: center, reach: reach, corners: corners)
            for _ in 0..<10 {
                try body(
                    star,
                    try place(
                        center.longitude + .random(in: -1.5...1.5, using: &generator) * reach,
                        center.latitude + .random(in: -1.5...1.5, using: &generator) * reach))
            }
        }
    }

    @Test("The distance is the least to any position on the edges")
    func nearest() throws {
        try samples(seed: 2, polygons: 20) { polygon, position in
            try expectNearest(of: polygon, from: position, steps: 512)
        }
    }

    @Test("the distance from a long edge is the minimum over its points, also near the poles")
    func nearestOfLong() throws {
        var generator = SeededNumbers(state: 12)
        for _ in 0..<60 {
            let triangle = try Polygon(corners: (0..<3).map { _ in try generator.place() })
            let near = try place(.random(in: -180..<180, using: &generator), .random(in: 80...90, using: &generator))
            for position in [try generator.place(), try generator.place(), near] {
                try expectNearest(of: triangle, from: position, steps: 2048)
            }
        }
    }

    /// Compares a distance with that of many positions on the edges.
    private func expectNearest(of polygon: Polygon, from position: Coordinate, steps: Double) throws {
        let distance = abs(polygon.distance(from: position))
        var (least, step) = (Double.infinity, 0.0)
        for (start, end) in zip(polygon.corners, polygon.corners.dropFirst() + polygon.corners.prefix(1)) {
            let east = (end.longitude - start.longitude + 540).truncatingRemainder(dividingBy: 360) - 180
            var previous: Coordinate?
            for part in stride(from: 0, through: 1, by: 1 / steps) {
                let sample = try place(
                    start.longitude + part * east, start.latitude + part * (end.latitude - start.latitude))
                least = min(least, position.distance(to: sample))
                if let previous { step = max(step, previous.distance(to: sample)) }
                previous = sample
            }
        }
        #expect(distance <= least + 1e-3)
        #expect(distance >= least - step / 2 - 1e-3)
    }

    @Test("Turning the earth changes nothing")
    func turned() throws {
        var generator = SeededNumbers(state: 3)
        try samples(seed: 4) { polygon, position in
            let turn = Double.random(in: -360...360, using: &generator)
            let turned = try Polygon(corners: polygon.corners.map { try place($0.longitude + turn, $0.latitude) })
            let there = try place(position.longitude + turn, position.latitude)
            #expect(abs(turned.distance(from: there) - polygon.distance(from: position)) < 1e-3)
        }
    }

    @Test("Mirroring the earth at the equator changes nothing")
    func mirrored() throws {
        try samples(seed: 5) { polygon, position in
            let mirrored = try Polygon(corners: polygon.corners.map { try place($0.longitude, -$0.latitude) })
            let there = try place(position.longitude, -position.latitude)
            #expect(abs(mirrored.distance(from: there) - polygon.distance(from: position)) < 1e-3)
        }
    }

    @Test("The distance depends neither on the corners' order nor on the first corner")
    func order() throws {
        try samples(seed: 6) { polygon, position in
            let distance = polygon.distance(from: position)
            let reversed = try Polygon(corners: polygon.corners.reversed())
            let started = try Polygon(corners: Array(polygon.corners.dropFirst(2) + polygon.corners.prefix(2)))
            #expect(abs(reversed.distance(from: position) - distance) < 1e-3)
            #expect(abs(started.distance(from: position) - distance) < 1e-3)
        }
    }

    @Test("A position is at every level inside, outside or neither, and surer means fewer")
    func levels() throws {
        var generator = SeededNumbers(state: 7)
        try samples(seed: 8) { polygon, position in
            let position = try place(
                position.longitude, position.latitude, accuracy: .random(in: 0...500_000, using: &generator))
            let width = Double.random(in: -200_000...200_000, using: &generator)
            let answers = try ConfidenceLevel.allCases.map { level in
                let options = try AreaOptions(bufferZoneWidth: width, confidenceLevel: level)
                return (polygon.contains(position, options: options), polygon.excludes(position, options: options))
            }
            #expect(answers[0].0 != answers[0].1)
            for (surer, level) in zip(answers.dropFirst(), answers) {
                #expect(!(surer.0 && surer.1))
                #expect(!surer.0 || level.0)
                #expect(!surer.1 || level.1)
            }
        }
    }

    @Test("A rectangle contains the positions between its sides")
    func rectangles() throws {
        var generator = SeededNumbers(state: 9)
        for _ in 0..<300 {
            let (west, south) = (
                Double.random(in: -180..<180, using: &generator), Double.random(in: -89..<80, using: &generator)
            )
            let (width, height) = (
                Double.random(in: 0.01...170, using: &generator),
                Double.random(in: 0.01...(89 - south), using: &generator)
            )
            let rectangle = try polygon(
                (west, south), (west + width, south), (west + width, south + height), (west, south + height))
            for _ in 0..<10 {
                let position = try generator.place()
                let way = (position.longitude - west + 720).truncatingRemainder(dividingBy: 360)
                let isBetween = way <= width && position.latitude >= south && position.latitude <= south + height
                #expect(rectangle.contains(position) == isBetween)
            }
        }
    }

    @Test("The distance changes no more than the position moves")
    func moving() throws {
        var generator = SeededNumbers(state: 10)
        try samples(seed: 11) { polygon, position in
            let moved = try place(
                position.longitude + .random(in: -2...2, using: &generator),
                position.latitude + .random(in: -2...2, using: &generator))
            let change = abs(polygon.distance(from: position) - polygon.distance(from: moved))
            #expect(change <= position.distance(to: moved) + 1e-3)
        }
    }
}
