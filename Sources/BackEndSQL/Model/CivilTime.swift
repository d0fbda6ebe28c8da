import Foundation

/// A date and time of day in UTC, to the millisecond, by the proleptic Gregorian calendar.
struct CivilTime: Equatable {
    var year: Int
    var month: Int
    var day: Int
    var hour = 0
    var minute = 0
    var second = 0
    var millisecond = 0

    init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, millisecond: Int = 0) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second, self.millisecond) = (hour, minute, second, millisecond)
    }

    init(_ date: Date) {
        // What a JavaScript Date can hold at most, so that Int always suffices.
        let milliseconds = min(max((date.timeIntervalSince1970 * 1000).rounded(), -8.64e15), 8.64e15)
        self.init(millisecondsSince1970: milliseconds.isNaN ? 0 : Int(milliseconds))
    }

    init(millisecondsSince1970 total: Int) {
        let days = Int((Double(total) / 86_400_000).rounded(.down))
        let rest = total - days * 86_400_000
        // Days to a date, with years that start in March (the leap day is then the last of a year).
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        month = march < 10 ? march + 3 : march - 9
        day = dayOfYear - (153 * march + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60)
        (second, millisecond) = (rest / 1000 % 60, rest % 1000)
    }

    var millisecondsSince1970: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + millisecond
    }

    /// `yyyy-MM-dd`
    var dayText: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }

    /// `yyyy-MM-ddTHH:mm:ss.SSSZ`
    var isoText: String { text(separator: "T") + "Z" }

    /// `yyyy-MM-dd HH:mm:ss.SSS`, as SQL writes it.
    func text(separator: String) -> String {
        "\(dayText)\(separator)\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2)).\(padded(millisecond, 3))"
    }

    private func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number.magnitude)
        let zeros = String(repeating: "0", count: max(0, width - digits.count))
        return (number < 0 ? "-" : "") + zeros + digits
    }
}

extension CivilTime {
    /// Reads `yyyy-MM-dd HH:mm[:ss[.fraction]][Z|±HH[:mm[:ss]]]`, with a `T` in place of the blank as well. Nil for other forms
    /// and for times that do not exist.
    init?(sqlText text: String) {
        var bytes = Array(text.utf8)
        guard bytes.count >= 16, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: " ") || bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":")
        else { return nil }
        if bytes.count == 16 || bytes[16] != UInt8(ascii: ":") { bytes.insert(contentsOf: ":00".utf8, at: 16) }
        guard bytes.count >= 19 else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].reduce(0 as Int?) { sum, byte in
                (0x30...0x39).contains(byte) ? sum.map { $0 * 10 + Int(byte - 0x30) } : nil
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
        else { return nil }
        var position = 19
        var millisecond = 0
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            var weight = 100
            while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
                millisecond += weight * Int(bytes[position] - 0x30)
                weight /= 10
                position += 1
            }
        }
        let offset = Array(bytes[position...])
        self.init(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, millisecond: millisecond)
        guard (1...12).contains(month), CivilTime(millisecondsSince1970: millisecondsSince1970) == self else {
            return nil
        }
        if offset.isEmpty || offset == Array("+00".utf8) || offset == Array("Z".utf8) { return }
        guard let seconds = Self.offsetSeconds(offset) else { return nil }
        self.init(millisecondsSince1970: millisecondsSince1970 - seconds * 1000)
    }

    /// Reads the form in which a row tells a TIMESTAMP, and JavaScript's `toISOString()` a `Date`: `yyyy-MM-ddTHH:mm:ss.SSSZ`.
    init?(isoText text: String) {
        guard text.utf8.count == 24, text.utf8.last == UInt8(ascii: "Z"), let time = CivilTime(sqlText: text),
            time.isoText == text
        else { return nil }
        self = time
    }

    private static func offsetSeconds(_ offset: [UInt8]) -> Int? {
        guard let sign = offset.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        let parts = offset.dropFirst().split(separator: UInt8(ascii: ":"))
        let numbers = parts.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == parts.count, (1...3).contains(numbers.count) else { return nil }
        let seconds = zip(numbers, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }
}
