import Core
import NIOCore
import NIOHTTP1
import PushModel

import struct Foundation.Date

/// Interprets FCM's responses (firebase.google.com/docs/cloud-messaging/error-codes, anchors F2).
///
/// | status | code | outcome of the message |
/// | --- | --- | --- |
/// | 200 | | delivered; the message's name is kept |
/// | 404 | UNREGISTERED | the device is gone |
/// | 400 | INVALID_ARGUMENT about `message.token` | the device is gone |
/// | 400 | INVALID_ARGUMENT about anything else | refused |
/// | 403 | SENDER_ID_MISMATCH | see ``ServiceGuard``: refused with an alarm, or all wait |
/// | 429 | QUOTA_EXCEEDED | again after `Retry-After`, else a minute |
/// | 503, 500, other 5xx | UNAVAILABLE, INTERNAL | again after `Retry-After`, else by the retry policy |
/// | 401 | THIRD_PARTY_AUTH_ERROR | refused with an alarm: a key is missing in the Firebase project |
/// | 401 | any other, with a fresh token | all wait: FCM refuses the service account |
/// | 403 | any other | all wait: the service account may not send, or the API is not enabled |
/// | 404 | any other | all wait: the project does not exist |
/// | 408 | | again |
/// | other | UNSPECIFIED_ERROR | refused |
struct FCMAnswers {
    /// The wait that Google documents for QUOTA_EXCEEDED without `Retry-After`.
    static let quotaWait = Duration.seconds(60)

    /// The credential that the remedies name.
    let credential: FCMCredential

    func verdict(_ answer: ServiceAnswer, token: DeviceToken, now: Date) -> ServiceVerdict {
        if answer.isSuccess {
            let name = (try? JSONValue(parsing: answer.body.readableBytesView))?["name"]?.string
            return .delivered(serviceID: name)
        }
        let error = FCMErrorDetails(answer)
        let reason = reason(error, token: token)
        let wait = RetryAfter.wait(answer.headers.first(name: "Retry-After"), now: now)
        switch (answer.status, error.code) {
        case (_, "UNREGISTERED"):
            return .deviceGone("\(reason): the app was removed from the device, or has another token")
        case (_, "SENDER_ID_MISMATCH"):
            return .mismatch(
                "\(reason): the token belongs to another Firebase project than \(credential.projectID)",
                ofAll: "as all do; use the service account of the app's own project",
                ofOne: "the device stays, since the app may register again with a token of this project")
        case (_, "THIRD_PARTY_AUTH_ERROR"):
            return .refused(
                "\(reason): this token needs a key that the Firebase project \(credential.projectID) does not have; "
                    + "add the APNs key or the web push key there", finding: .alarm)
        case (_, "QUOTA_EXCEEDED"), (429, _):
            // A device that gets too much says nothing about the others.
            return .retry(
                after: wait ?? Self.quotaWait, reason, finding: error.isAboutOneDevice ? .nothing : .fails)
        case (_, "UNAVAILABLE"), (_, "INTERNAL"), (500..., _):
            return .retry(after: wait, reason)
        case (400, _):
            guard error.isAboutToken else {
                return .refused("\(reason): FCM takes no such message; this is a fault of the notification's options")
            }
            return .deviceGone("\(reason): the device registered an invalid token")
        case (401, _):
            return .credentialRefused(
                "\(reason): an access token just granted to \(credential.clientEmail) is not taken; see that the "
                    + "account belongs to the project \(credential.projectID)")
        case (403, _):
            return .credentialRefused(
                "\(reason): switch on the Firebase Cloud Messaging API (V1) of \(credential.projectID) and grant "
                    + "\(credential.clientEmail) the role Firebase Cloud Messaging API Admin")
        case (404, _):
            return .credentialRefused("\(reason): see that there is a Firebase project \(credential.projectID)")
        case (408, _):
            return .retry(after: wait, reason)
        case (400..<500, _):
            return .refused(reason)
        default:
            return .retry(after: wait, "\(reason), which FCM does not send; check the proxies on the way")
        }
    }

    private func reason(_ error: FCMErrorDetails, token: DeviceToken) -> String {
        let code = error.code ?? error.rpcStatus
        let words = ServiceReasonText(error.message, hiding: [(token.value, token.description)]).description
        let fields = error.fields.isEmpty ? "" : " (\(ServiceReasonText(error.fields.joined(separator: ", "))))"
        return "FCM returned status \(error.status)" + (code.map { " \(ServiceReasonText($0))" } ?? "") + fields
            + (words.isEmpty ? "" : ", \(words)")
    }
}
