import struct Foundation.Date

/// The time of an entry as clients write it, `dd-MM-yyyy HH:mm:ss:S` in GMT (wire-protocol 7).
enum ClientLogTime {
    /// Reads a time. The milliseconds are a number and not a fraction: `05:41:18:18` is 18 milliseconds after 05:41:18.
    ///
    /// - Returns: `nil` when it is none, such as one on the 31st of April.
    static func date(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        let fitsPattern =
            (pattern.count - 2...pattern.count).contains(bytes.count)
            && zip(pattern, bytes).allSatisfy { $0 == UInt8(ascii: "0") ? isDigit($1) : $0 == $1 }
        guard fitsPattern else { return nil }
        let number = { (range: Range<Int>) in bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
        let (day, month, year) = (number(0..<2), number(3..<5), number(6..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard year >= 1, (1...12).contains(month), day >= 1, day <= days(inMonth: month, of: year), hour < 24,
            minute < 60,
            second < 60
        else { return nil }
        let seconds = ((daysSince1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
        return Date(timeIntervalSince1970: Double(seconds) + Double(number(20..<bytes.count)) / 1000)
    }

    /// A `0` matches any digit. The last two may be missing.
    private static let pattern = Array("00-00-0000 00:00:00:000".utf8)

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Counted in years that begin in March, so that the day of a leap year is the last.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let leapDays = year / 4 - year / 100 + year / 400
        return year * 365 + leapDays + dayOfYear - 719_468
    }
}
