public import Foundation

/// Times in headers (RFC 9110, 5.6.7).
public enum HTTPDate {
    /// Returns a time as `Sun, 06 Nov 1994 08:49:37 GMT`.
    public static func text(_ date: Date) -> String { date.formatted(format) }

    private static let format = Date.VerbatimFormatStyle(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
}
