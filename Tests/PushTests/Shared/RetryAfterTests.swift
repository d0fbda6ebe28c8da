import Foundation
import TestSupport
import Testing

@testable import Push

@Suite("Retry-After")
struct RetryAfterTests {
    @Test(
        "Only seconds and dates are understood",
        arguments: [
            ("120", .seconds(120)), (" 7 ", .seconds(7)), ("0", .zero),
            ("Tue, 14 Nov 2023 22:14:20 GMT", .seconds(60)), ("Tue, 14 Nov 2023 22:00:00 GMT", .zero),
            ("", nil), ("soon", nil), ("-5", nil), ("1.5", nil), ("14 Nov 2023", nil),
        ] as [(String, Duration?)])
    func forms(text: String, wait: Duration?) {
        #expect(RetryAfter.wait(text, now: ManualTime.start) == wait)
    }

    @Test("A missing header causes no wait")
    func absent() {
        #expect(RetryAfter.wait(nil, now: ManualTime.start) == nil)
    }

    @Test(
        "A wait of more than a day is limited to a day",
        arguments: ["86401", "99999999999999999999999999", "Tue, 14 Nov 2033 22:14:20 GMT"])
    func longest(text: String) {
        #expect(RetryAfter.wait(text, now: ManualTime.start) == .seconds(86400))
    }
}
