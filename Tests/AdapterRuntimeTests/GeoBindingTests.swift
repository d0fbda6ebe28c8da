import Testing

@Suite("WL.Geo, as scripts call it")
struct GeoBindingTests {
    private func value(_ expression: String) async throws -> String {
        let project = try await TestProject("function run() { return { v: \(expression) } }")
        return await project.call()
    }

    @Test(
        "Every function returns its result",
        arguments: [
            (
                "Math.round(WL.Geo.getDistanceBetweenCoordinates({longitude:0,latitude:0},{longitude:1,latitude:0}))",
                "111195"
            ),
            (
                "Math.round(WL.Geo.getDistanceToCircle({longitude:1,latitude:0},{longitude:0,latitude:0,radius:1195}))",
                "110000"
            ),
            ("WL.Geo.isInsideCircle({longitude:0,latitude:0},{longitude:0,latitude:0,radius:10})", "true"),
            (
                "WL.Geo.isInsideCircle({longitude:0,latitude:0,accuracy:30},{longitude:0,latitude:0,radius:10},{confidenceLevel:'high'})",
                "false"
            ),
            ("WL.Geo.isOutsideCircle({longitude:1,latitude:0},{longitude:0,latitude:0,radius:10})", "true"),
            (
                "WL.Geo.isOutsideCircle({longitude:1,latitude:0},{longitude:0,latitude:0,radius:10},{bufferZoneWidth:200000})",
                "false"
            ),
            ("WL.Geo.isInsidePolygon({longitude:1,latitude:1},\(square))", "true"),
            ("WL.Geo.isOutsidePolygon({longitude:3,latitude:1},\(square))", "true"),
            ("Math.round(WL.Geo.getDistanceToPolygon({longitude:3,latitude:0},\(square)))", "111195"),
        ])
    func function(expression: String, expected: String) async throws {
        #expect(try await value(expression) == #"{"isSuccessful":true,"v":\#(expected)}"#)
    }

    private static let square =
        "[{longitude:0,latitude:0},{longitude:2,latitude:0},{longitude:2,latitude:2},{longitude:0,latitude:2}]"

    @Test("A member that is missing is named")
    func missing() async throws {
        #expect(
            try await value(
                "WL.Geo.isInsidePolygon({longitude:1,latitude:1}, [{longitude:0,latitude:0},{longitude:2}])"
            )
            .contains("isInsidePolygon: polygon[1].latitude: expected"))
        #expect(try await value("WL.Geo.isInsideCircle(1)").contains("isInsideCircle: coordinate: expected an object"))
    }
}
