import Foundation

/// The `Retry-After` of an answer (RFC 9110, 10.2.3).
enum RetryAfter {
    /// More than this is taken for a mistake of the service's.
    static let longest = Duration.seconds(24 * 3600)

    /// - Parameters:
    ///   - text: seconds, or an HTTP date.
    ///   - now: the time of day, which a date is counted from.
    /// - Returns: how long to wait, at most ``longest`` and never less than nothing; nil when `text` is neither.
    static func wait(_ text: String?, now: Date) -> Duration? {
        guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Int(text).map { min(.seconds($0), longest) } ?? longest
        }
        guard let date = date(text) else { return nil }
        return min(.seconds(max(0, date.timeIntervalSince(now))), longest)
    }

    /// - Parameter text: like `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text)
    }
}
