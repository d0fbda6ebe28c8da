import Logging
import TestSupport
import Testing

@testable import Push

@Suite("What a verdict does to the messages that follow")
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
        #expect(guardian.held()?.ending == .retry(after: .seconds(5), reason: "no such account"))
        #expect(
            log.messages(at: .error) == [
                "FCM (test) is left alone for 5.0 s, its messages wait: no such account"
            ])
    }

    @Test("A service that fails five times in a row is left alone")
    func failures() {
        let guardian = makeGuard()
        for _ in 0..<4 { _ = guardian.answer(.retry("down")) }
        #expect(guardian.held() == nil)
        _ = guardian.answer(.retry("down"))
        #expect(guardian.held() != nil)
    }

    @Test("A message that is taken ends the count")
    func recovery() {
        let guardian = makeGuard()
        for _ in 0..<4 { _ = guardian.answer(.retry("down")) }
        _ = guardian.answer(.delivered(serviceID: nil))
        _ = guardian.answer(.retry("down"))
        #expect(guardian.held() == nil)
    }

    @Test("An alarm is said once a minute and holds nothing back")
    func alarm() {
        let guardian = makeGuard()
        for _ in 0..<10 { _ = guardian.answer(.refused("wrong project", finding: .alarm)) }
        #expect(guardian.held() == nil)
        #expect(log.messages(at: .error) == ["FCM (test): wrong project"])
        time.advance(by: .seconds(60))
        _ = guardian.answer(.refused("wrong project", finding: .alarm))
        #expect(log.messages(at: .error).count == 2)
    }

    @Test("One device's trouble and cancelled requests say nothing about the service")
    func nothing() {
        let guardian = makeGuard()
        for _ in 0..<10 { _ = guardian.answer(.retry("cancelled", finding: .nothing)) }
        #expect(guardian.held() == nil)
    }
}
