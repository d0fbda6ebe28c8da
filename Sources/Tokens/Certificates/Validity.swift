import Foundation
import SwiftASN1

/// From when until when a certificate is valid.
struct Validity: DERSerializable {
    private let start: DERTime
    private let end: DERTime

    /// - Throws: ``CertificateIssuingError/validity``.
    init(from start: Date, until end: Date) throws(CertificateIssuingError) {
        guard let start = DERTime(start), let end = DERTime(end), start < end else { throw .validity }
        self.init(start: start, end: end)
    }

    private init(start: DERTime, end: DERTime) {
        self.start = start
        self.end = end
    }

    static let endless = Validity(
        start: DERTime(year: 2020, month: 1, day: 1, hour: 0, minute: 0, second: 0),
        end: DERTime(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59))

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { sequence in
            try sequence.serialize(start)
            try sequence.serialize(end)
        }
    }
}

/// A whole second of UTC.
private struct DERTime: DERSerializable {
    let year: Int
    let month: Int
    let day: Int
    let hour: Int
    let minute: Int
    let second: Int

    init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    init?(_ date: Date) {
        let seconds = date.timeIntervalSince1970
        guard seconds >= 0, seconds < 253_402_300_800 else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        guard let year = parts.year, let month = parts.month, let day = parts.day, let hour = parts.hour,
            let minute = parts.minute, let second = parts.second
        else { return nil }
        self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    static func < (left: DERTime, right: DERTime) -> Bool {
        (left.year, left.month, left.day, left.hour, left.minute, left.second)
            < (right.year, right.month, right.day, right.hour, right.minute, right.second)
    }

    /// `UTCTime` until 2049, from then on `GeneralizedTime` (RFC 5280, 4.1.2.5).
    func serialize(into coder: inout DER.Serializer) throws {
        if year < 2050 {
            try coder.serialize(
                UTCTime(year: year, month: month, day: day, hours: hour, minutes: minute, seconds: second))
        } else {
            try coder.serialize(
                GeneralizedTime(
                    year: year, month: month, day: day, hours: hour, minutes: minute, seconds: second,
                    fractionalSeconds: 0))
        }
    }
}
