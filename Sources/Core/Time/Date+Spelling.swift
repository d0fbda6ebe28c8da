package import Foundation

extension Date {
    /// ISO 8601 with milliseconds, in UTC.
    package var spelling: String {
        formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
