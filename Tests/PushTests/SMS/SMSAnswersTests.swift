import TestSupport
import Testing

@testable import Push

@Suite("The meaning of an SMS gateway's responses")
struct SMSAnswersTests {
    enum Outcome: Sendable {
        case delivered, refused, retry(Int?)
    }

    private static let number = "+491701234567"

    private func verdict(_ answer: ServiceAnswer) -> ServiceVerdict {
        let gateway = SMSGateway(
            id: "gate", hostname: "gate",
            parameters: [.init(name: "password", value: "s3cr3t"), .init(name: "empty", value: "")])
        return SMSAnswers(gateway: gateway).verdict(answer, number: Self.number, now: ManualTime.start)
    }

    @Test(
        "delivers, retries or refuses a message by the gateway's status",
        arguments: [
            (200, "", .delivered, .works), (202, "", .delivered, .works), (204, "", .delivered, .works),
            (301, "", .refused, .alarm), (302, "", .refused, .alarm), (307, "", .refused, .alarm),
            (400, "", .refused, .works), (401, "", .retry(nil), .credentialRefused),
            (402, "", .retry(nil), .credentialRefused), (403, "", .refused, .works), (404, "", .refused, .works),
            (407, "", .retry(nil), .credentialRefused), (408, "", .retry(nil), .fails), (422, "", .refused, .works),
            (429, "", .retry(60), .fails), (429, "17", .retry(17), .fails), (500, "", .retry(nil), .fails),
            (503, "Tue, 14 Nov 2023 22:13:30 GMT", .retry(10), .fails),
        ] as [(Int, String, Outcome, ServiceVerdict.Finding)])
    func row(status: Int, retryAfter: String, outcome: Outcome, finding: ServiceVerdict.Finding) {
        let verdict = verdict(ServiceSample.answer(status, headers: [("Retry-After", retryAfter)]))
        switch (outcome, verdict.ending) {
        case (.delivered, .delivered), (.refused, .refused): break
        case (.retry(let seconds), .retry(let wait, _)): #expect(wait == seconds.map { .seconds($0) })
        default: Issue.record("\(status): \(verdict.ending)")
        }
        #expect(verdict.finding == finding)
    }

    @Test(
        "A reason holds the beginning of the body, but neither the number nor a parameter of the gateway's",
        arguments: [
            ("ERR 105: invalid", "ERR 105: invalid"), ("to +491701234567 failed", "to … failed"),
            ("to 00491701234567 failed", "to … failed"), ("0170 / 123-4567!", "…!"),
            ("password s3cr3t is wrong", "password … is wrong"),
        ])
    func reason(body: String, words: String) {
        #expect(
            verdict(ServiceSample.answer(400, body)).ending.reasonText
                == "the SMS gateway 'gate' returned status 400, \(words)")
    }

    @Test("A long response is cut off")
    func long() {
        let reason = verdict(ServiceSample.answer(500, String(repeating: "x", count: 10_000))).ending.reasonText
        #expect(reason.count < 250)
    }
}
