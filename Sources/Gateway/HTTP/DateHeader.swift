import Core
import Foundation
import Synchronization

/// The header `Date`, written once a second.
final class DateHeader: Sendable {
    private let time: any TimeSource
    private let last = Mutex((second: Int.min, text: ""))

    init(time: any TimeSource) {
        self.time = time
    }

    /// The time now, as `Sun, 06 Nov 1994 08:49:37 GMT`.
    var text: String {
        let second = Int(time.now.timeIntervalSince1970.rounded(.down))
        return last.withLock { last in
            if last.second != second {
                last = (second, Date(timeIntervalSince1970: Double(second)).formatted(Self.format))
            }
            return last.text
        }
    }

    private static let format = Date.VerbatimFormatStyle(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
}
