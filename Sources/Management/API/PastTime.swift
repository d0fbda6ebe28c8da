public import Foundation

/// A time of a filter: in ISO 8601, a day in UTC such as `2026-11-25`, or a duration before now such as `90s`, `30m`, `1h` or `7d`.
public struct PastTime: Sendable, Hashable {
    private enum Moment: Hashable {
        case date(Date)
        /// Seconds before now.
        case ago(Double)
    }

    private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]

    /// The original spelling.
    public let text: String
    private let moment: Moment

    /// - Returns: `nil` for a string that is neither a time with its time zone nor a duration.
    public init?(_ text: String) {
        if let date = Date(spelling: text) ?? (text.count == 10 ? Date(spelling: text + "T00:00:00Z") : nil) {
            moment = .date(date)
        } else if let unit = text.last.flatMap({ Self.units[$0] }), let count = UInt32(text.dropLast()) {
            moment = .ago(Double(count) * unit)
        } else {
            return nil
        }
        self.text = text
    }

    /// - Parameter now: the time before which a duration lies.
    public func date(now: Date) -> Date {
        switch moment {
        case .date(let date): date
        case .ago(let seconds): now.addingTimeInterval(-seconds)
        }
    }
}
