import Foundation
import Testing

@testable import PushModel

@Suite("The times in a client's log")
struct ClientLogTimeTests {
    @Test(
        "Milliseconds are a number with any digits",
        arguments: [
            ("01-01-1970 00:00:00:0", 0), ("14-11-2023 22:13:20:000", 1_700_000_000),
            ("18-03-2015 05:41:18:18", 1_426_657_278.018), ("18-03-2015 05:41:18:180", 1_426_657_278.18),
            ("29-02-2016 23:59:59:999", 1_456_790_399.999), ("01-03-2016 00:00:00:1", 1_456_790_400.001),
            ("28-02-2100 12:00:00:0", 4_107_499_200.0), ("01-03-2100 12:00:00:0", 4_107_585_600.0),
            ("31-12-1969 23:59:59:0", -1), ("01-01-0001 00:00:00:0", -62_135_596_800),
        ] as [(String, Double)])
    func times(text: String, seconds: Double) {
        #expect(ClientLogTime.date(text) == Date(timeIntervalSince1970: seconds))
    }

    @Test(
        "An invalid time is nil",
        arguments: [
            "", "now", "2015-03-18 05:41:18:18", "18-03-2015 05:41:18", "18-03-2015 05:41:18:",
            "18-03-2015 05:41:18.18",
            "18-03-2015 05:41:18:1800", "18-03-2015T05:41:18:18", "00-03-2015 05:41:18:18", "32-03-2015 05:41:18:18",
            "31-04-2015 05:41:18:18", "29-02-2015 05:41:18:18", "29-02-2100 05:41:18:18", "18-13-2015 05:41:18:18",
            "18-00-2015 05:41:18:18", "18-03-2015 24:00:00:0", "18-03-2015 05:60:18:18", "18-03-2015 05:41:60:18",
            "18-03-0000 05:41:18:18", "18-03-2015 05:41:18:-1", "1८-03-2015 05:41:18",
        ])
    func nothing(text: String) {
        #expect(ClientLogTime.date(text) == nil)
    }

    @Test(
        "Every day is the day after the one before, in a century whose first year is a leap year and in others",
        arguments: [820_454_400.0, 3_976_214_400])
    func days(start: Double) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        var date = Date(timeIntervalSince1970: start)
        for _ in 0..<3000 {
            let parts = calendar.dateComponents([.day, .month, .year], from: date)
            let padded = { (number: Int?, width: Int) in
                let text = String(number ?? 0)
                return String(repeating: "0", count: width - text.count) + text
            }
            let text = "\(padded(parts.day, 2))-\(padded(parts.month, 2))-\(padded(parts.year, 4)) 00:00:00:0"
            try #require(ClientLogTime.date(text) == date)
            date += 86_400
        }
    }
}
