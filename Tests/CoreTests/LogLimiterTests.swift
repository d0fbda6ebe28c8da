import Core
import Logging
import TestSupport
import Testing

@Suite("Limits for the log")
struct LogLimiterTests {
    private let time = ManualTime()
    private let log = LogRecorder()

    @Test("allow one line a minute of each message; the next line has the number of omitted ones")
    func minute() {
        let limiter = LogLimiter(logger: log.logger, time: time)
        for _ in 0..<4 { limiter.log("a", at: .warning, "lost") }
        limiter.log("b", at: .error, others: .debug, "broken")
        limiter.log("b", at: .error, others: .debug, "broken")
        time.advance(by: .seconds(61))
        limiter.log("a", at: .warning, "lost")
        limiter.log("b", at: .error, others: .debug, "broken")
        time.advance(by: .seconds(60))
        limiter.log("a", at: .warning, "lost")
        #expect(
            log.texts == [
                "warning: lost", "error: broken", "debug: broken",
                "warning: lost; 3 more like it in the last 61 s",
                "error: broken; 1 more like it in the last 61 s", "warning: lost",
            ])
    }

    @Test("write one line a minute for each limit, with its name, the count and the last address")
    func limits() {
        let limiter = LogLimiter(logger: log.logger, time: time)
        for number in 1...3 { limiter.reached("limits.a", by: "192.0.2.\(number)", "ended a session") }
        limiter.reached("limits.b", by: nil, at: .notice, "refused a request")
        time.advance(by: .seconds(61))
        limiter.reached("limits.a", by: "192.0.2.4", "ended a session")
        #expect(
            log.texts == [
                "warning: ended a session: the limit 'limits.a' is reached (1 time, last by 192.0.2.1)",
                "notice: refused a request: the limit 'limits.b' is reached (1 time)",
                "warning: ended a session: the limit 'limits.a' is reached (3 times in 61 s, last by 192.0.2.4)",
            ])
    }

    @Test("allow one line of a message about a constant condition")
    func once() {
        let limiter = LogLimiter(logger: log.logger, time: time)
        for _ in 0..<3 {
            limiter.warnOnce("a", "unknown option")
            time.advance(by: .seconds(3600))
        }
        #expect(log.texts == ["warning: unknown option"])
    }

    @Test("recovery is logged once, with the number of failures, and the next failure at once")
    func recovery() {
        let limiter = LogLimiter(logger: log.logger, time: time)
        limiter.recovered("a") { "works again after \($0) failures" }
        for number in 1...5 {
            limiter.log("a", at: .error, "failed: reason \(number)")
            time.advance(by: .seconds(20))
        }
        for _ in 1...2 { limiter.recovered("a") { "works again after \($0) failures" } }
        limiter.log("a", at: .error, "failed: reason 6")
        #expect(
            log.texts == [
                "error: failed: reason 1", "error: failed: reason 4; 2 more like it in the last 60 s",
                "notice: works again after 5 failures", "error: failed: reason 6",
            ])
    }

    @Test("track at most a thousand different messages a minute")
    func many() {
        let limiter = LogLimiter(logger: log.logger, time: time)
        for number in 0..<2000 { limiter.log("\(number)", at: .warning, "\(number)") }
        #expect(log.texts.count == 1001)
        time.advance(by: .seconds(60))
        for number in 2000..<2100 { limiter.log("\(number)", at: .warning, "\(number)") }
        #expect(log.texts.count == 1101)
    }
}
