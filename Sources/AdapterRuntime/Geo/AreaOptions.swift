/// What a script may ask besides the place and the area (API60 `options`).
struct AreaOptions: Sendable, Hashable {
    /// Meters by which the area is larger than given, in every direction; smaller when negative.
    let bufferZoneWidth: Double
    /// How sure an answer must be; a distance does not depend on it.
    let confidenceLevel: ConfidenceLevel

    /// - Throws: ``GeoError`` when the width is not a finite number.
    init(bufferZoneWidth: Double? = nil, confidenceLevel: ConfidenceLevel = .low) throws(GeoError) {
        self.bufferZoneWidth = try checkedNumber(
            bufferZoneWidth ?? 0, "options.bufferZoneWidth", expected: "a number of meters")
        self.confidenceLevel = confidenceLevel
    }

    /// No buffer zone, and the position taken as exact.
    static let standard = AreaOptions()

    private init() {
        bufferZoneWidth = 0
        confidenceLevel = .low
    }
}
