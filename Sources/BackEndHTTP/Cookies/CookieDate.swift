import Foundation

/// The dates of `Expires`, in all the spellings that servers use (RFC 6265, 5.1.1).
enum CookieDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Seconds since 1970, or `nil` when `text` is not a date.
    static func parse(_ text: String) -> Double? {
        var time: [Int]?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != ":" }) {
            let numbers = token.split(separator: ":").compactMap { Int($0) }
            if time == nil, token.contains(":"), numbers.count == 3 {
                time = numbers
            } else if day == nil, token.count <= 2, let number = Int(token) {
                day = number
            } else if month == nil, let index = months.firstIndex(of: String(token.lowercased().prefix(3))) {
                month = index + 1
            } else if year == nil, token.count <= 4, let number = Int(token) {
                year = number < 70 ? number + 2000 : number < 100 ? number + 1900 : number
            }
        }
        guard let time, let day, let month, let year, (1...31).contains(day), year >= 1601, (0...23).contains(time[0]),
            (0...59).contains(time[1]), (0...60).contains(time[2]), let zone = TimeZone(secondsFromGMT: 0)
        else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = DateComponents(
            year: year, month: month, day: day, hour: time[0], minute: time[1], second: time[2])
        return calendar.date(from: parts)?.timeIntervalSince1970
    }
}
