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
        // The range of a JavaScript Date, so that Int always suffices.
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
    var dayText: String {
        var text: [UInt8] = []
        appendDay(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// `yyyy-MM-ddTHH:mm:ss.SSSZ`
    var isoText: String { text(separator: "T") + "Z" }

    /// `yyyy-MM-dd HH:mm:ss.SSS`, as SQL writes it.
    func text(separator: Unicode.Scalar) -> String {
        var text: [UInt8] = []
        append(to: &text, separator: separator)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends `yyyy-MM-ddTHH:mm:ss.SSSZ`.
    func appendISOText(to text: inout [UInt8]) {
        append(to: &text, separator: "T")
        text.append(UInt8(ascii: "Z"))
    }

    private func append(to text: inout [UInt8], separator: Unicode.Scalar) {
        appendDay(to: &text)
        text.append(UInt8(ascii: separator))
        text.appendDigits(of: Int64(hour), width: 2)
        text.append(UInt8(ascii: ":"))
        text.appendDigits(of: Int64(minute), width: 2)
        text.append(UInt8(ascii: ":"))
        text.appendDigits(of: Int64(second), width: 2)
        text.append(UInt8(ascii: "."))
        text.appendDigits(of: Int64(millisecond), width: 3)
    }

    private func appendDay(to text: inout [UInt8]) {
        text.appendDigits(of: Int64(year), width: 4)
        text.append(UInt8(ascii: "-"))
        text.appendDigits(of: Int64(month), width: 2)
        text.append(UInt8(ascii: "-"))
        text.appendDigits(of: Int64(day), width: 2)
    }
}

extension [UInt8] {
    /// Appends a whole number in decimal digits, with zeros in front where it has fewer than `width`.
    mutating func appendDigits(of number: Int64, width: Int = 1) {
        if number < 0 { append(UInt8(ascii: "-")) }
        appendDigits(ofMagnitude: number.magnitude, width)
    }

    private mutating func appendDigits(ofMagnitude number: UInt64, _ width: Int) {
        if number > 9 || width > 1 { appendDigits(ofMagnitude: number / 10, width - 1) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}

extension CivilTime {
    /// Reads `yyyy-MM-dd HH:mm[:ss[.fraction]][Z|±HH[:mm[:ss]]]`, with a `T` in place of the blank as well. Nil for other forms
    /// and for times that do not exist.
    init?(sqlText text: UnsafeBufferPointer<UInt8>) {
        let hasSecond = text.count >= 19 && text[16] == UInt8(ascii: ":")
        guard text.count >= 16, hasSecond || text.count == 16 || text[16] != UInt8(ascii: ":"),
            text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] == UInt8(ascii: " ") || text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"),
            let year = Self.number(text[0..<4]), let month = Self.number(text[5..<7]),
            let day = Self.number(text[8..<10]), let hour = Self.number(text[11..<13]),
            let minute = Self.number(text[14..<16]), let second = hasSecond ? Self.number(text[17..<19]) : 0
        else { return nil }
        var rest = text[(hasSecond ? 19 : 16)...]
        var millisecond = 0
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            var weight = 100
            for digit in fraction.prefix(3) {
                millisecond += weight * Int(digit - 0x30)
                weight /= 10
            }
            rest = text[fraction.endIndex...]
        }
        self.init(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, millisecond: millisecond)
        guard (1...12).contains(month), CivilTime(millisecondsSince1970: millisecondsSince1970) == self else {
            return nil
        }
        if rest.isEmpty || rest.elementsEqual("+00".utf8) || rest.elementsEqual("Z".utf8) { return }
        guard let seconds = Self.offsetSeconds(rest) else { return nil }
        self.init(millisecondsSince1970: millisecondsSince1970 - seconds * 1000)
    }

    init?(sqlText text: String) {
        var text = text
        guard let time = text.withUTF8({ CivilTime(sqlText: $0) }) else { return nil }
        self = time
    }

    /// Reads the form that rows have for a TIMESTAMP, and JavaScript's `toISOString()` for a `Date`: `yyyy-MM-ddTHH:mm:ss.SSSZ`.
    init?(isoText text: String) {
        guard text.utf8.count == 24, text.utf8.last == UInt8(ascii: "Z"), let time = CivilTime(sqlText: text),
            time.isoText == text
        else { return nil }
        self = time
    }

    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var number = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + Int(digit - 0x30)
        }
        return number
    }

    private static func offsetSeconds(_ offset: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard let sign = offset.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        let parts = offset.dropFirst().split(separator: UInt8(ascii: ":"))
        // With Int the seconds could overflow.
        let numbers = parts.compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == parts.count, (1...3).contains(numbers.count) else { return nil }
        let seconds = zip(numbers, [3600, 60, 1]).reduce(0) { $0 + Int($1.0) * $1.1 }
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }
}
