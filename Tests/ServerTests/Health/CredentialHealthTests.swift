import Core
import Foundation
import PushModel
import Testing

@testable import Installation
@testable import Push

@Suite("The health of credentials")
struct CredentialHealthTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func findings(
        of service: PushService = .fcm, after endings: [MediatorOutcome.Ending], expires: Date? = nil,
        problem: String? = nil, wasDown: Bool = false
    ) -> [HealthFinding] {
        let monitor = CredentialMonitor()
        for (index, ending) in endings.enumerated() { monitor.note(ending, at: now.addingTimeInterval(Double(index))) }
        return CredentialStatus(
            service: service, applicationID: nil, credential: "a service account", expires: expires, problem: problem,
            answers: monitor.answers
        ).findings(at: now, wasDown: wasDown)
    }

    private let away = MediatorOutcome.Ending.retry(after: nil, reason: "status 503")

    @Test("has a warning when a service did not accept the last notification")
    func warning() {
        let findings = findings(after: [.delivered, away, away])
        #expect(findings.map(\.severity) == [.warning])
        #expect(findings.map(\.text) == ["FCM did not accept the last notification: status 503"])
        #expect(self.findings(after: [away, away, .refused(reason: "too large")]).map(\.severity) == [.warning])
    }

    @Test("has an error when three attempts in a row have failed, so that no notification can be sent")
    func error() {
        let findings = findings(after: [.delivered, away, away, away])
        #expect(findings.map(\.severity) == [.error])
        #expect(findings.map(\.text) == ["no notification can be sent by FCM: status 503"])
        #expect(findings.map(\.since) == [now.addingTimeInterval(1)])
    }

    @Test("stays an error after a restart from the first failed attempt on, until a notification is delivered")
    func restart() {
        #expect(findings(after: [away], wasDown: true).map(\.severity) == [.error])
        #expect(findings(after: [away, .delivered], wasDown: true).isEmpty)
        #expect(findings(after: [.refused(reason: "too large")], wasDown: true).map(\.severity) == [.warning])
    }

    @Test("is good again after the next notification that is delivered")
    func over() {
        #expect(findings(after: [away, away, away, .delivered]).isEmpty)
    }

    @Test("does not depend on push services that pages have chosen")
    func webPush() {
        #expect(findings(of: .webPush, after: [away, away, away]).isEmpty)
        #expect(findings(of: .webPush, after: [], problem: "no key").map(\.severity) == [.error])
    }

    @Test("has one finding for a file that several applications use")
    func shared() {
        let all = [nil, "PriceWatch", "Shop"].map { application in
            CredentialStatus(
                service: .apns, applicationID: application, credential: "a certificate", expires: now - 1, problem: nil,
                answers: CredentialMonitor().answers)
        }
        let findings = CredentialStatus.findings(of: all, at: now, down: [])
        #expect(findings.map(\.name) == ["APNs"])
    }

    @Test("has a warning 30 days before a certificate expires, and an error from then on")
    func expiry() {
        func severities(_ days: Double) -> [HealthFinding.Severity] {
            findings(after: [.delivered], expires: now + days * 86_400).map(\.severity)
        }
        #expect(severities(31).isEmpty)
        #expect(severities(29) == [.warning])
        #expect(severities(-1) == [.error])
    }

    @Test("shows both that a certificate has expired and that the service refuses it")
    func both() {
        #expect(findings(after: [away, away, away], expires: now - 1).count == 2)
    }

    @Test("has an error for a credential that cannot be loaded")
    func unusable() {
        let findings = findings(after: [], problem: "push.fcm.serviceAccount: no such file")
        #expect(
            findings.map(\.text) == [
                "the credential of FCM cannot be loaded, and its notifications wait: push.fcm.serviceAccount: no such file"
            ])
    }
}
