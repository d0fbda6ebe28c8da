import Core
import PushModel
import TestSupport
import Testing

@testable import Push

/// One row of Microsoft's table.
struct WNSRow: Sendable, CustomTestStringConvertible {
    enum Outcome {
        case delivered, gone, refused, retry(Int?)
    }

    let status: Int
    var handling: String?
    var retryAfter: String?
    var error: String?
    let outcome: Outcome
    let finding: ServiceVerdict.Finding

    var testDescription: String {
        [String(status), handling, retryAfter, error].compactMap(\.self).joined(separator: " ")
    }

    static let all = [
        WNSRow(status: 200, outcome: .delivered, finding: .works),
        WNSRow(status: 200, handling: "received", outcome: .delivered, finding: .works),
        WNSRow(status: 200, handling: "dropped", outcome: .refused, finding: .works),
        WNSRow(status: 200, handling: "channelthrottled", outcome: .retry(60), finding: .nothing),
        WNSRow(status: 400, outcome: .refused, finding: .works),
        WNSRow(status: 401, outcome: .retry(nil), finding: .credentialRefused),
        WNSRow(status: 403, outcome: .refused, finding: .mismatch),
        WNSRow(status: 404, outcome: .gone, finding: .works),
        WNSRow(status: 405, outcome: .refused, finding: .works),
        WNSRow(status: 406, outcome: .retry(60), finding: .fails),
        WNSRow(status: 406, retryAfter: "120", outcome: .retry(120), finding: .fails),
        WNSRow(status: 406, retryAfter: "Tue, 14 Nov 2023 22:13:30 GMT", outcome: .retry(10), finding: .fails),
        WNSRow(status: 406, handling: "channelthrottled", retryAfter: "5", outcome: .retry(5), finding: .nothing),
        WNSRow(status: 408, outcome: .retry(nil), finding: .fails),
        WNSRow(status: 410, outcome: .gone, finding: .works),
        WNSRow(status: 410, error: "Domain Blocked", outcome: .retry(nil), finding: .credentialRefused),
        WNSRow(status: 413, outcome: .refused, finding: .works),
        WNSRow(status: 500, outcome: .retry(nil), finding: .fails),
        WNSRow(status: 503, retryAfter: "30", outcome: .retry(30), finding: .fails),
        WNSRow(status: 301, outcome: .retry(nil), finding: .fails),
    ]
}

@Suite("The meaning of WNS's responses")
struct WNSAnswersTests {
    private let token = DeviceToken(stored: ServiceSample.channel)

    private func verdict(_ answer: ServiceAnswer) throws -> ServiceVerdict {
        let credential = try WNSCredential(packageSID: "ms-app://s-1", clientSecret: "x", source: "test")
        return WNSAnswers(credential: credential).verdict(answer, token: token, now: ManualTime.start)
    }

    @Test("returns the table's outcome for each response", arguments: WNSRow.all)
    func row(row: WNSRow) throws {
        let headers = [
            ("X-WNS-Status", row.handling), ("Retry-After", row.retryAfter), ("X-WNS-Error-Description", row.error),
            ("X-WNS-Msg-ID", "4B2E"),
        ].compactMap { name, value in value.map { (name, $0) } }
        let verdict = try verdict(ServiceSample.answer(row.status, headers: headers))
        switch (row.outcome, verdict.ending) {
        case (.delivered, .delivered), (.refused, .refused), (.gone, .deviceGone): break
        case (.retry(let seconds), .retry(let wait, _)): #expect(wait == seconds.map { .seconds($0) })
        default: Issue.record("\(row.testDescription): \(verdict.ending)")
        }
        #expect(verdict.finding == row.finding)
        #expect(verdict.serviceID == "4B2E")
    }

    @Test("A blocked sender is recognized by the reason phrase, too")
    func blocked() throws {
        let answer = ServiceSample.answer(410, reasonPhrase: "Domain Blocked")
        #expect(try verdict(answer).finding == .credentialRefused)
    }

    @Test("A reason holds Microsoft's own words, and not the whole channel")
    func reason() throws {
        let answer = ServiceSample.answer(
            400, headers: [("X-WNS-Status", "dropped"), ("X-WNS-Error-Description", "Bad \(ServiceSample.channel)")])
        #expect(try verdict(answer).ending.reasonText == "WNS returned status 400, dropped, Bad \(token)")
    }
}
