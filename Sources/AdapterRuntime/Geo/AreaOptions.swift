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

/// How sure `isInside…` and `isOutside…` must be, given how far off the device's position may be (API60 `confidenceLevel`).
enum ConfidenceLevel: String, Sendable, Hashable, CaseIterable {
    /// The position is taken as exact.
    case low
    /// Right in about 70 of 100 cases.
    case medium
    /// Right in about 95 of 100 cases.
    case high

    /// The level of this name; ``low`` for `nil`, and for a name that is not one of the three, as in the original.
    init(named name: String?) {
        self = name.flatMap(ConfidenceLevel.init(rawValue:)) ?? .low
    }

    /// How many accuracies the position must be away from the edge. The numbers are those of IBM's client, so that client
    /// and server judge alike.
    var accuracies: Double {
        switch self {
        case .low: 0
        case .medium: 0.5
        case .high: 2.05
        }
    }
}
