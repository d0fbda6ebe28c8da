import PushSandbox
import TestSupport
import Testing

@Suite("Rules for faults", .defaultTimeLimit)
struct FaultRuleTests {
    @Test("A rule's parts are read in any order")
    func reads() throws {
        let rule = try FaultRule("apns:503:10%:retry-after=7:Busy@0a:0b")
        #expect(rule.service == .apns)
        #expect(rule.fault == .status(503, reason: "Busy", retryAfter: 7))
        #expect(rule.percentage == 10)
        #expect(rule.token == "0a:0b")
        #expect(rule.description == "apns:503:10%:retry-after=7:Busy@0a:0b")
    }

    @Test(
        "Faults have names",
        arguments: [
            ("fcm:slow:2s", SandboxFault.slow(.seconds(2))), ("fcm:slow:500ms", .slow(.milliseconds(500))),
            ("apns:never", .never), ("apns:reset", .reset), ("apns:reset-after-accepting", .resetAfterAccepting),
            ("apns:goaway", .goAway(reason: "Shutdown")),
            ("apns:goaway:BadCertificate", .goAway(reason: "BadCertificate")),
            ("wns:close", .closeConnection), ("all:expired-token", .expiredToken),
            ("apns:429", .status(429, reason: "TooManyRequests")), ("fcm:404", .status(404, reason: "UNREGISTERED")),
        ])
    func knows(text: String, fault: SandboxFault) throws {
        #expect(try FaultRule(text).fault == fault)
    }

    @Test(
        "A wrong rule is reported with the expected form",
        arguments: [
            ("", "it should begin with one of apns, fcm"), ("gcm:503", "it should begin with one of apns, fcm"),
            ("apns", "a status such as 503, slow"), ("apns:200", "'200' should be a status such as 503"),
            ("apns:loud", "'loud' should be a status"), ("fcm:slow", "slow needs a time such as 500ms"),
            ("fcm:slow:2h", "slow needs a time such as 500ms"), ("apns:503:200%", "between 0% and 100%"),
            ("apns:503:Busy:Late", "'Late' is too much"), ("apns:410@", "after @ a token was expected"),
            ("fcm:429:retry-after=soon", "retry-after takes seconds"),
        ])
    func explains(text: String, problem: String) {
        let error = #expect(throws: FaultRuleError.self) { try FaultRule(text) }
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
    }

    @Test("A rule hits its service and its token only, and can be taken back")
    func hits() async throws {
        try await APNsCase.run { apns in
            apns.sandbox.faults = [try FaultRule("fcm:503"), try FaultRule("apns:410@\(APNsCase.token)")]
            let gone = try await apns.send()
            #expect(gone.status == 410)
            #expect(gone.body?.contains(#""reason":"Unregistered","timestamp":"#) == true)
            let other = try await apns.send(path: "/3/device/" + String(repeating: "0b", count: 32))
            #expect(other.status == 200)
            apns.sandbox.faults = []
            #expect(try await apns.send().status == 200)
        }
    }
}
