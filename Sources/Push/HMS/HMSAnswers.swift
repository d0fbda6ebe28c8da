import Core
import NIOCore
import NIOHTTP1
import PushModel

import struct Foundation.Date

/// What Push Kit's answers mean.
///
/// | status | code | what becomes of the message |
/// | --- | --- | --- |
/// | 200 | 80000000 | delivered; the request's id is kept |
/// | | 80100000, 80300007 | the device is gone |
/// | | 80300002 | see ``ServiceGuard``: refused with an alarm, or all wait |
/// | 401 | 80200001, 80200003 | with a fresh token: all wait |
/// | 404 | | all wait: there is no such app |
/// | 429, 503 | | again after `Retry-After`, else a minute |
/// | 408, 5xx | 80600003, 81000001 | again after `Retry-After`, else by the retry policy |
/// | other 4xx | other | refused |
struct HMSAnswers {
    /// Huawei does not say how long a throttled sender should rest.
    static let throttledWait = Duration.seconds(60)

    /// For what to do.
    let credential: HMSCredential

    /// Whether an answer is about the access token.
    static func isTokenRefused(_ answer: ServiceAnswer) -> Bool {
        answer.status == 401 || ["80200001", "80200003"].contains(HMSResult(answer).code)
    }

    func verdict(_ answer: ServiceAnswer, token: DeviceToken, now: Date) -> ServiceVerdict {
        let result = HMSResult(answer)
        let reason = reason(answer, result, token: token)
        let wait = RetryAfter.wait(answer.headers.first(name: "Retry-After"), now: now)
        switch (answer.status, result.code) {
        case (200..<300, "80000000"):
            return .delivered(serviceID: result.requestID.map { ServiceReasonText($0).description })
        // A request has one token, so "some are wrong" means this one.
        case (_, "80100000"), (_, "80300007"):
            return .deviceGone("\(reason): the app was removed from the device, or has another token")
        case (_, "80300002"):
            return .mismatch(
                "\(reason): the token belongs to another app than \(credential.appID)",
                ofAll: "as all do; use the id and the secret of the app itself",
                ofOne: "the device stays, since the app may register again with a token of this app")
        case (401, _), (_, "80200001"), (_, "80200003"):
            return .credentialRefused(
                "\(reason): an access token just granted is not taken; switch on Push Kit for the app "
                    + "\(credential.appID) in AppGallery Connect")
        case (404, _):
            return .credentialRefused("\(reason): see that AppGallery Connect has an app \(credential.appID)")
        case (429, _), (503, _):
            return .retry(after: wait ?? Self.throttledWait, "\(reason): too much is sent")
        case (408, _), (500..., _), (_, "80600003"), (_, "81000001"):
            return .retry(after: wait, reason)
        case (400..<500, _), (200..<300, _?):
            return .refused(reason)
        default:
            return .retry(after: wait, "\(reason), which Push Kit does not send; check the proxies on the way")
        }
    }

    private func reason(_ answer: ServiceAnswer, _ result: HMSResult, token: DeviceToken) -> String {
        let words = ServiceReasonText(result.message ?? "", hiding: [(token.value, token.description)]).description
        return "HMS answered \(answer.status)" + (result.code.map { " \(ServiceReasonText($0))" } ?? "")
            + (words.isEmpty ? "" : ", \(words)")
    }
}

/// The body of an answer.
private struct HMSResult {
    let code: String?
    let message: String?
    let requestID: String?

    init(_ answer: ServiceAnswer) {
        let body = try? JSONValue(parsing: answer.body.readableBytesView)
        code = body?["code"]?.string
        message = body?["msg"]?.string
        requestID = body?["requestId"]?.string
    }
}
