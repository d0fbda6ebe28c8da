import Core
import PushModel
import TestSupport
import Testing

@testable import Push

/// One row of Google's table.
struct FCMRow: Sendable, CustomTestStringConvertible {
    enum Outcome {
        case delivered, gone, refused, retry(Int?)
    }

    let name: String
    let status: Int
    let body: String
    let retryAfter: String?
    let outcome: Outcome
    let finding: ServiceVerdict.Finding

    init(
        _ name: String, _ status: Int, body: String = "", retryAfter: String? = nil, _ outcome: Outcome,
        _ finding: ServiceVerdict.Finding
    ) {
        (self.name, self.status, self.body, self.retryAfter) = (name, status, body, retryAfter)
        (self.outcome, self.finding) = (outcome, finding)
    }

    /// An error in Google's form.
    private static func error(
        _ name: String, _ status: Int, _ rpcStatus: String, _ message: String, code: String? = nil,
        field: String? = nil, quota: String? = nil, retryAfter: String? = nil, _ outcome: Outcome,
        _ finding: ServiceVerdict.Finding
    ) -> Self {
        let body = FCMSample.error(status, rpcStatus, message, code: code, field: field, quota: quota)
        return Self(name, status, body: body, retryAfter: retryAfter, outcome, finding)
    }

    var testDescription: String { name }

    private static let invalid = "The registration token is not a valid FCM registration token"

    static let all: [Self] = [
        FCMRow("taken", 200, body: #"{"name":"projects/news-1234/messages/0:1%31"}"#, .delivered, .works),
        .error(
            "UNREGISTERED", 404, "NOT_FOUND", "Requested entity was not found.", code: "UNREGISTERED", .gone, .works),
        .error(
            "INVALID_ARGUMENT of the token, by its field", 400, "INVALID_ARGUMENT",
            "Request contains an invalid argument.", code: "INVALID_ARGUMENT", field: "message.token", .gone, .works),
        .error(
            "INVALID_ARGUMENT of the token, by Google's words", 400, "INVALID_ARGUMENT", invalid,
            code: "INVALID_ARGUMENT", .gone, .works),
        .error(
            "INVALID_ARGUMENT of another field", 400, "INVALID_ARGUMENT", "Invalid value",
            field: "message.data[0].value", .refused, .works),
        .error(
            "INVALID_ARGUMENT of another field, whatever the words", 400, "INVALID_ARGUMENT", invalid,
            code: "INVALID_ARGUMENT", field: "message.data", .refused, .works),
        .error(
            "INVALID_ARGUMENT of nothing in particular", 400, "INVALID_ARGUMENT", "Android message is too big",
            code: "INVALID_ARGUMENT", .refused, .works),
        .error(
            "SENDER_ID_MISMATCH", 403, "PERMISSION_DENIED", "SenderId mismatch", code: "SENDER_ID_MISMATCH", .refused,
            .mismatch),
        .error(
            "QUOTA_EXCEEDED", 429, "RESOURCE_EXHAUSTED", "Quota exceeded", code: "QUOTA_EXCEEDED", .retry(60), .fails),
        .error(
            "QUOTA_EXCEEDED with seconds", 429, "RESOURCE_EXHAUSTED", "Quota exceeded", code: "QUOTA_EXCEEDED",
            retryAfter: "90", .retry(90), .fails),
        .error(
            "QUOTA_EXCEEDED with a date", 429, "RESOURCE_EXHAUSTED", "Quota exceeded", code: "QUOTA_EXCEEDED",
            retryAfter: "Tue, 14 Nov 2023 22:15:00 GMT", .retry(100), .fails),
        .error(
            "QUOTA_EXCEEDED of one device", 429, "RESOURCE_EXHAUSTED", "Quota exceeded", code: "QUOTA_EXCEEDED",
            quota: "device:APA", .retry(60), .nothing),
        FCMRow("429 in no form", 429, .retry(60), .fails),
        .error(
            "UNAVAILABLE", 503, "UNAVAILABLE", "The service is unavailable", code: "UNAVAILABLE", .retry(nil), .fails),
        .error(
            "UNAVAILABLE with seconds", 503, "UNAVAILABLE", "The service is unavailable", code: "UNAVAILABLE",
            retryAfter: "30", .retry(30), .fails),
        .error("INTERNAL", 500, "INTERNAL", "Internal error encountered.", code: "INTERNAL", .retry(nil), .fails),
        FCMRow("a gateway's page", 502, body: "<html>Bad", .retry(nil), .fails),
        .error(
            "THIRD_PARTY_AUTH_ERROR", 401, "UNAUTHENTICATED", "Auth error from APNS", code: "THIRD_PARTY_AUTH_ERROR",
            .refused, .alarm),
        .error(
            "401 with a fresh token", 401, "UNAUTHENTICATED", "Request had invalid authentication credentials.",
            .retry(nil), .credentialRefused),
        .error(
            "403 of the account", 403, "PERMISSION_DENIED", "Permission 'cloudmessaging.messages.create' denied",
            .retry(nil), .credentialRefused),
        .error(
            "404 of the project", 404, "NOT_FOUND", "Requested entity was not found.", .retry(nil), .credentialRefused),
        FCMRow("404 in no form", 404, body: "nothing here", .retry(nil), .credentialRefused),
        FCMRow("408", 408, .retry(nil), .fails),
        .error("UNSPECIFIED_ERROR", 400, "UNKNOWN", "No more information", code: "UNSPECIFIED_ERROR", .refused, .works),
        FCMRow("413", 413, .refused, .works),
        FCMRow("a redirect", 302, .retry(nil), .fails),
    ]
}

@Suite("The meaning of FCM's responses")
struct FCMAnswersTests {
    private let token = DeviceToken(stored: ServiceSample.fcmToken)

    private func verdict(_ answer: ServiceAnswer) throws -> ServiceVerdict {
        FCMAnswers(credential: try FCMSample.credential()).verdict(answer, token: token, now: ManualTime.start)
    }

    @Test("returns the table's outcome for each response", arguments: FCMRow.all)
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
        if row.status >= 300 { #expect(verdict.ending.reasonText.hasPrefix("FCM returned status \(row.status)")) }
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

    @Test("A reason holds the service's own words and what to do, and not the whole token")
    func reason() throws {
        let body = FCMSample.error(
            404, "NOT_FOUND", "\(ServiceSample.fcmToken) was not found.", code: "UNREGISTERED")
        #expect(
            try verdict(ServiceSample.answer(404, body)).ending.reasonText
                == "FCM returned status 404 UNREGISTERED, \(token) was not found.: the app was removed from the device, or has "
                + "another token")
    }
}
