import Foundation
import TestSupport
import Testing

@testable import Push

@Suite("Responses of token endpoints")
struct TokenAnswerTests {
    private func grant(_ answer: ServiceAnswer) throws(VerdictError) -> AccessTokenCache.Grant {
        try TokenAnswer.grant(
            answer, service: "Google", advice: "do this", hiding: ["s3cr3t"], now: ManualTime.start)
    }

    @Test(
        "A grant has the token and its lifetime, an hour by default, and a day at most",
        arguments: [
            (#"{"access_token":"ya29.x","expires_in":3599,"token_type":"Bearer"}"#, 3599),
            (#"{"access_token":"ya29.x","expires_in":"120"}"#, 120), (#"{"access_token":"ya29.x"}"#, 3600),
            (#"{"access_token":"ya29.x","expires_in":1e12}"#, 86400),
        ])
    func granted(body: String, seconds: Int) throws {
        let grant = try grant(ServiceSample.answer(200, body))
        #expect(grant.token == "ya29.x")
        #expect(grant.lifetime == .seconds(seconds))
    }

    @Test(
        "A success without a usable token is tried again",
        arguments: [
            "", "{}", #"{"access_token":""}"#, #"{"access_token":"a b"}"#, #"{"access_token":"a\r\nX: y"}"#,
            #"{"access_token":"x","expires_in":0}"#, #"{"access_token":7}"#, "<html>",
        ])
    func useless(body: String) {
        let error = #expect(throws: VerdictError.self) { try grant(ServiceSample.answer(200, body)) }
        #expect(error?.verdict.finding == .fails)
    }

    @Test("A refusal is the configuration's fault and says what to do, without the secret")
    func refused() {
        let body = #"{"error":"invalid_grant","error_description":"Invalid s3cr3t\nSignature."}"#
        let error = #expect(throws: VerdictError.self) { try grant(ServiceSample.answer(400, body)) }
        #expect(
            error?.verdict
                == .credentialRefused(
                    "Google's token endpoint returned status 400: invalid_grant: Invalid … Signature.; do this"))
    }

    @Test(
        "A transient failure is retried after the endpoint's Retry-After",
        arguments: [(429, "9", 9), (500, "Tue, 14 Nov 2023 22:13:27 GMT", 7), (503, "", nil), (408, "", nil)]
            as [(Int, String, Int?)])
    func later(status: Int, header: String, seconds: Int?) {
        let error = #expect(throws: VerdictError.self) {
            try grant(ServiceSample.answer(status, headers: [("Retry-After", header)]))
        }
        #expect(
            error?.verdict
                == .retry(after: seconds.map { .seconds($0) }, "Google's token endpoint returned status \(status)"))
    }
}
