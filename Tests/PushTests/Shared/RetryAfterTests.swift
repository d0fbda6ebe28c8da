import Foundation
import TestSupport
import Testing

@testable import Push

@Suite("Retry-After")
struct RetryAfterTests {
    @Test(
        "Seconds and dates are understood, and nothing else",
        arguments: [
            ("120", .seconds(120)), (" 7 ", .seconds(7)), ("0", .zero),
            ("Tue, 14 Nov 2023 22:14:20 GMT", .seconds(60)), ("Tue, 14 Nov 2023 22:00:00 GMT", .zero),
            ("", nil), ("soon", nil), ("-5", nil), ("1.5", nil), ("14 Nov 2023", nil),
        ] as [(String, Duration?)])
    func forms(text: String, wait: Duration?) {
        #expect(RetryAfter.wait(text, now: ManualTime.start) == wait)
    }

    @Test("Without the header there is nothing to wait for")
    func absent() {
        #expect(RetryAfter.wait(nil, now: ManualTime.start) == nil)
    }

    @Test(
        "Nobody is believed who asks for more than a day",
        arguments: ["86401", "99999999999999999999999999", "Tue, 14 Nov 2033 22:14:20 GMT"])
    func longest(text: String) {
        #expect(RetryAfter.wait(text, now: ManualTime.start) == .seconds(86400))
    }
}
