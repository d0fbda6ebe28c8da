/// The options a script may pass besides the position and the area (API60 `options`).
struct AreaOptions: Sendable, Hashable {
    /// Meters by which the area is larger than given, in every direction; smaller when negative.
    let bufferZoneWidth: Double
    /// The required confidence of a result; a distance does not depend on it.
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

/// The required confidence of `isInside…` and `isOutside…`, considering the accuracy of the device's position (API60 `confidenceLevel`).
enum ConfidenceLevel: String, Sendable, Hashable, CaseIterable {
    /// The position is taken as exact.
    case low
    /// Right in about 70 of 100 cases.
    case medium
    /// Right in about 95 of 100 cases.
    case high

    /// Makes the level of this name; ``low`` for `nil`, and for a name that is not one of the three, as in the original.
    init(named name: String?) {
        self = name.flatMap(ConfidenceLevel.init(rawValue:)) ?? .low
    }

    /// The required distance of the position from the edge, as a multiple of its accuracy. The numbers are those of IBM's client, so that client
    /// and server return the same.
    var accuracies: Double {
        switch self {
        case .low: 0
        case .medium: 0.5
        case .high: 2.05
        }
    }
}
