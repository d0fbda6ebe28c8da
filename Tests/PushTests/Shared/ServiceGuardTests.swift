import Logging
import TestSupport
import Testing

@testable import Push

@Suite("The effect of a verdict on the messages that follow")
struct ServiceGuardTests {
    private let time = ManualTime()
    private let log = LogRecorder()

    private func makeGuard() -> ServiceGuard {
        ServiceGuard(name: "FCM (test)", TransportContext(time: time, logger: log.logger))
    }

    @Test("A refused credential holds everything back at once, with an alarm")
    func credential() {
        let guardian = makeGuard()
        let answer = guardian.answer(.credentialRefused("no such account"))
        #expect(answer.ending == .retry(after: .seconds(5), reason: "no such account"))
        #expect(guardian.breaker.held()?.ending == .retry(after: .seconds(5), reason: "no such account"))
        #expect(
            log.messages(at: .error) == [
                "sending to FCM (test) is paused for 5.0 s, its messages wait: no such account"
            ])
    }

    @Test("pauses a service after five failures in a row")
    func failures() {
        let guardian = makeGuard()
        for _ in 0..<4 { _ = guardian.answer(.retry("down")) }
        #expect(guardian.breaker.held() == nil)
        _ = guardian.answer(.retry("down"))
        #expect(guardian.breaker.held() != nil)
    }

    @Test("A message that is taken ends the count")
    func recovery() {
        let guardian = makeGuard()
        for _ in 0..<4 { _ = guardian.answer(.retry("down")) }
        _ = guardian.answer(.delivered(serviceID: nil))
        _ = guardian.answer(.retry("down"))
        #expect(guardian.breaker.held() == nil)
    }

    @Test("An alarm is logged once a minute and delays no message")
    func alarm() {
        let guardian = makeGuard()
        for _ in 0..<10 { _ = guardian.answer(.refused("wrong project", finding: .alarm)) }
        #expect(guardian.breaker.held() == nil)
        #expect(log.messages(at: .error) == ["FCM (test): wrong project"])
        time.advance(by: .seconds(60))
        _ = guardian.answer(.refused("wrong project", finding: .alarm))
        #expect(log.messages(at: .error).count == 2)
    }

    @Test("One device's refusals and cancelled requests do not count against the service")
    func nothing() {
        let guardian = makeGuard()
        for _ in 0..<10 { _ = guardian.answer(.retry("cancelled", finding: .nothing)) }
        #expect(guardian.breaker.held() == nil)
    }
}

@Suite("Blame for tokens that do not belong to the credential")
struct MismatchTests {
    private let log = LogRecorder()
    private let guardian: ServiceGuard

    init() {
        guardian = ServiceGuard(name: "FCM (test)", TransportContext(time: ManualTime(), logger: log.logger))
    }

    private func mismatch() -> MediatorOutcome.Ending {
        guardian.answer(.mismatch("another project", ofAll: "as all do", ofOne: "the device stays")).ending
    }

    private func take() { _ = guardian.answer(.delivered(serviceID: nil)) }

    private let ofDevice = MediatorOutcome.Ending.refused(reason: "another project; the device stays")
    private let ofCredential = MediatorOutcome.Ending.retry(
        after: .seconds(5), reason: "another project, as all do")

    @Test("blames the credential as long as no message was accepted with it")
    func unproven() {
        #expect(mismatch() == ofCredential)
        #expect(mismatch() == ofCredential)
    }

    @Test("blames the device once the credential has proved itself, with an alarm")
    func proven() {
        take()
        #expect(mismatch() == ofDevice)
        #expect(log.messages(at: .error) == ["FCM (test): another project; the device stays"])
    }

    @Test("blames the credential after many mismatches in a row")
    func inARow() {
        take()
        #expect((1...19).allSatisfy { _ in mismatch() == ofDevice })
        #expect(mismatch() == ofCredential)
    }

    @Test("A message that is accepted in between restarts the count")
    func interrupted() {
        take()
        #expect((1...19).allSatisfy { _ in mismatch() == ofDevice })
        take()
        #expect(mismatch() == ofDevice)
    }
}
