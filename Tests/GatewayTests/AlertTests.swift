import Delivery
import Foundation
import PushModel
import Testing

@testable import Gateway

@Suite("Alerts")
struct AlertTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func alert(after endings: [MediatorOutcome.Ending]) -> Alert? {
        let monitor = CredentialMonitor()
        for (index, ending) in endings.enumerated() { monitor.note(ending, at: now.addingTimeInterval(Double(index))) }
        return Alert(
            of: CredentialStatus(
                service: "FCM", applicationID: nil, credential: "a service account", expires: nil,
                answers: monitor.answers),
            at: now)
    }

    private let away = MediatorOutcome.Ending.retry(after: nil, reason: "status 503")

    @Test("is a warning when a service did not take the last notification")
    func warning() {
        let alert = alert(after: [.delivered, away, away])
        #expect(alert?.severity == .warning)
        #expect(alert?.text == "FCM did not take the last notification: status 503")
        #expect(self.alert(after: [away, away, .refused(reason: "too large")])?.severity == .warning)
    }

    @Test("is an error when three attempts in a row have failed, so that no notification can be sent")
    func error() {
        let alert = alert(after: [.delivered, away, away, away])
        #expect(alert?.severity == .error)
        #expect(alert?.text == "no notification can be sent by FCM: status 503")
        #expect(alert?.since == now.addingTimeInterval(1))
    }

    @Test("ends with the next notification that is delivered")
    func over() {
        #expect(alert(after: [away, away, away, .delivered]) == nil)
    }
}
