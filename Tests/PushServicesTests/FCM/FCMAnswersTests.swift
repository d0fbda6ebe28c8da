import Delivery
import PushModel
import TestSupport
import Testing

@testable import PushServices

/// One row of Google's table.
struct FCMRow: Sendable, CustomTestStringConvertible {
    enum Outcome {
        case delivered, gone, refused, retry(Int?)
    }

    let name: String
    let status: Int
    let body: String
    var retryAfter: String?
    let outcome: Outcome
    let finding: ServiceVerdict.Finding

    var testDescription: String { name }

    private static let invalid = "The registration token is not a valid FCM registration token"

    static let all = [
        FCMRow(
            name: "taken", status: 200, body: #"{"name":"projects/news-1234/messages/0:1%31"}"#, outcome: .delivered,
            finding: .works),
        FCMRow(
            name: "UNREGISTERED", status: 404,
            body: FCMSample.error(404, "NOT_FOUND", "Requested entity was not found.", code: "UNREGISTERED"),
            outcome: .gone, finding: .works),
        FCMRow(
            name: "INVALID_ARGUMENT of the token, by its field", status: 400,
            body: FCMSample.error(
                400, "INVALID_ARGUMENT", "Request contains an invalid argument.", code: "INVALID_ARGUMENT",
                field: "message.token"), outcome: .gone, finding: .works),
        FCMRow(
            name: "INVALID_ARGUMENT of the token, by Google's words", status: 400,
            body: FCMSample.error(400, "INVALID_ARGUMENT", invalid, code: "INVALID_ARGUMENT"), outcome: .gone,
            finding: .works),
        FCMRow(
            name: "INVALID_ARGUMENT of another field", status: 400,
            body: FCMSample.error(400, "INVALID_ARGUMENT", "Invalid value", field: "message.data[0].value"),
            outcome: .refused, finding: .works),
        FCMRow(
            name: "INVALID_ARGUMENT of another field, whatever the words", status: 400,
            body: FCMSample.error(400, "INVALID_ARGUMENT", invalid, code: "INVALID_ARGUMENT", field: "message.data"),
            outcome: .refused, finding: .works),
        FCMRow(
            name: "INVALID_ARGUMENT of nothing in particular", status: 400,
            body: FCMSample.error(400, "INVALID_ARGUMENT", "Android message is too big", code: "INVALID_ARGUMENT"),
            outcome: .refused, finding: .works),
        FCMRow(
            name: "SENDER_ID_MISMATCH", status: 403,
            body: FCMSample.error(403, "PERMISSION_DENIED", "SenderId mismatch", code: "SENDER_ID_MISMATCH"),
            outcome: .refused, finding: .alarm),
        FCMRow(
            name: "QUOTA_EXCEEDED", status: 429,
            body: FCMSample.error(429, "RESOURCE_EXHAUSTED", "Quota exceeded", code: "QUOTA_EXCEEDED"),
            outcome: .retry(60), finding: .fails),
        FCMRow(
            name: "QUOTA_EXCEEDED with seconds", status: 429,
            body: FCMSample.error(429, "RESOURCE_EXHAUSTED", "Quota exceeded", code: "QUOTA_EXCEEDED"),
            retryAfter: "90", outcome: .retry(90), finding: .fails),
        FCMRow(
            name: "QUOTA_EXCEEDED with a date", status: 429,
            body: FCMSample.error(429, "RESOURCE_EXHAUSTED", "Quota exceeded", code: "QUOTA_EXCEEDED"),
            retryAfter: "Tue, 14 Nov 2023 22:15:00 GMT", outcome: .retry(100), finding: .fails),
        FCMRow(
            name: "QUOTA_EXCEEDED of one device", status: 429,
            body: FCMSample.error(
                429, "RESOURCE_EXHAUSTED", "Quota exceeded", code: "QUOTA_EXCEEDED", quota: "device:APA"),
            outcome: .retry(60), finding: .nothing),
        FCMRow(name: "429 in no form", status: 429, body: "", outcome: .retry(60), finding: .fails),
        FCMRow(
            name: "UNAVAILABLE", status: 503,
            body: FCMSample.error(503, "UNAVAILABLE", "The service is unavailable", code: "UNAVAILABLE"),
            outcome: .retry(nil), finding: .fails),
        FCMRow(
            name: "UNAVAILABLE with seconds", status: 503,
            body: FCMSample.error(503, "UNAVAILABLE", "The service is unavailable", code: "UNAVAILABLE"),
            retryAfter: "30", outcome: .retry(30), finding: .fails),
        FCMRow(
            name: "INTERNAL", status: 500,
            body: FCMSample.error(500, "INTERNAL", "Internal error encountered.", code: "INTERNAL"),
            outcome: .retry(nil), finding: .fails),
        FCMRow(name: "a gateway's page", status: 502, body: "<html>Bad", outcome: .retry(nil), finding: .fails),
        FCMRow(
            name: "THIRD_PARTY_AUTH_ERROR", status: 401,
            body: FCMSample.error(401, "UNAUTHENTICATED", "Auth error from APNS", code: "THIRD_PARTY_AUTH_ERROR"),
            outcome: .refused, finding: .alarm),
        FCMRow(
            name: "401 with a fresh token", status: 401,
            body: FCMSample.error(401, "UNAUTHENTICATED", "Request had invalid authentication credentials."),
            outcome: .retry(nil), finding: .credentialRefused),
        FCMRow(
            name: "403 of the account", status: 403,
            body: FCMSample.error(403, "PERMISSION_DENIED", "Permission 'cloudmessaging.messages.create' denied"),
            outcome: .retry(nil), finding: .credentialRefused),
        FCMRow(
            name: "404 of the project", status: 404,
            body: FCMSample.error(404, "NOT_FOUND", "Requested entity was not found."), outcome: .retry(nil),
            finding: .credentialRefused),
        FCMRow(
            name: "404 in no form", status: 404, body: "nothing here", outcome: .retry(nil), finding: .credentialRefused
        ),
        FCMRow(name: "408", status: 408, body: "", outcome: .retry(nil), finding: .fails),
        FCMRow(
            name: "UNSPECIFIED_ERROR", status: 400,
            body: FCMSample.error(400, "UNKNOWN", "No more information", code: "UNSPECIFIED_ERROR"), outcome: .refused,
            finding: .works),
        FCMRow(name: "413", status: 413, body: "", outcome: .refused, finding: .works),
        FCMRow(name: "a redirect", status: 302, body: "", outcome: .retry(nil), finding: .fails),
    ]
}

@Suite("What FCM's answers mean")
struct FCMAnswersTests {
    private let token = DeviceToken(stored: ServiceSample.fcmToken)

    private func verdict(_ answer: ServiceAnswer, isProven: Bool = true) throws -> ServiceVerdict {
        let rule = MismatchRule()
        if isProven { rule.taken() }
        return FCMAnswers(mismatches: rule, credential: try FCMSample.credential())
            .verdict(answer, token: token, now: ManualTime.start)
    }

    @Test("Each row of the table", arguments: FCMRow.all)
    func row(row: FCMRow) throws {
        let headers = row.retryAfter.map { [("Retry-After", $0)] } ?? []
        let verdict = try verdict(ServiceSample.answer(row.status, row.body, headers: headers))
        switch (row.outcome, verdict.ending) {
        case (.delivered, .delivered), (.refused, .refused): break
        case (.gone, .deviceGone(_, let asOf)): #expect(asOf == nil)
        case (.retry(let seconds), .retry(let wait, _)): #expect(wait == seconds.map { .seconds($0) })
        default: Issue.record("\(row.name): \(verdict.ending)")
        }
        #expect(verdict.finding == row.finding)
        if row.status >= 300 { #expect(verdict.ending.reasonText.hasPrefix("FCM answered \(row.status)")) }
    }

    @Test("The message's name is kept")
    func name() throws {
        let answer = ServiceSample.answer(200, #"{"name":"projects/news-1234/messages/0:1%31"}"#)
        #expect(try verdict(answer).serviceID == "projects/news-1234/messages/0:1%31")
    }

    @Test("A success counts without a readable body", arguments: ["", "<html>", "{}", #"{"name":7}"#])
    func unreadableSuccess(body: String) throws {
        #expect(try verdict(ServiceSample.answer(200, body)) == .delivered(serviceID: nil))
    }

    @Test("When nothing was ever taken, a mismatch of the sender holds everything back")
    func unproven() throws {
        let body = FCMSample.error(403, "PERMISSION_DENIED", "SenderId mismatch", code: "SENDER_ID_MISMATCH")
        #expect(try verdict(ServiceSample.answer(403, body), isProven: false).finding == .credentialRefused)
    }

    @Test("A reason holds the service's own words and what to do, and not the whole token")
    func reason() throws {
        let body = FCMSample.error(
            404, "NOT_FOUND", "\(ServiceSample.fcmToken) was not found.", code: "UNREGISTERED")
        #expect(
            try verdict(ServiceSample.answer(404, body)).ending.reasonText
                == "FCM answered 404 UNREGISTERED, \(token) was not found.: the app was removed from the device, or has "
                + "another token")
    }
}
