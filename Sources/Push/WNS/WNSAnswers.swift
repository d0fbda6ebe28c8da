import Core
import NIOHTTP1
import PushModel

import struct Foundation.Date

/// Interprets WNS's responses (learn.microsoft.com, "Push notification service request and response headers", anchors F3).
///
/// | status | X-WNS-Status | outcome of the message |
/// | --- | --- | --- |
/// | 200 | `received` or none | delivered; `X-WNS-Msg-ID` is kept |
/// | 200 | `dropped` | refused: WNS dropped it, for example because the user has turned such messages off |
/// | 200, 406 | `channelthrottled` | again after `Retry-After`, else a minute; other channels continue |
/// | 406 | | again after `Retry-After`, else a minute |
/// | 401 | | with a fresh token: all wait |
/// | 403 | | see ``ServiceGuard``: refused with an alarm, or all wait |
/// | 404, 410 | | the device is gone |
/// | 410 | , "Domain Blocked" | all wait: Microsoft blocks the sender, the devices are valid |
/// | 400, 405, 413, other 4xx | | refused |
/// | 408, 5xx | | again after `Retry-After`, else by the retry policy |
struct WNSAnswers {
    /// Microsoft does not say how long a throttled sender should rest.
    static let throttledWait = Duration.seconds(60)

    /// The credential that the remedies name.
    let credential: WNSCredential

    func verdict(_ answer: ServiceAnswer, token: DeviceToken, now: Date) -> ServiceVerdict {
        let handling = answer.headers.first(name: "X-WNS-Status")?.lowercased()
        let isChannelThrottled = handling == "channelthrottled"
        let reason = reason(answer, handling: handling, token: token)
        let wait = RetryAfter.wait(answer.headers.first(name: "Retry-After"), now: now)
        var verdict: ServiceVerdict
        switch answer.status {
        case 200..<300 where isChannelThrottled, 406, 429:
            verdict = .retry(
                after: wait ?? Self.throttledWait, "\(reason): too much is sent",
                finding: isChannelThrottled ? .nothing : .fails)
        case 200..<300 where handling == "dropped":
            verdict = .refused(
                "\(reason): WNS threw the notification away; the user may have switched such ones off")
        case 200..<300:
            verdict = .delivered(serviceID: nil)
        case 401:
            verdict = .credentialRefused(
                "\(reason): an access token just granted is not taken; compare the package SID \(credential.packageSID) "
                    + "with the app's page in Microsoft's Partner Center")
        case 403:
            verdict = .mismatch(
                "\(reason): the channel was made by another app than \(credential.packageSID)",
                ofAll: "as all are; use the package SID and secret of the app itself",
                ofOne: "the device stays, since the app may ask for a new channel")
        case 410 where isBlocked(answer):
            verdict = .credentialRefused(
                "\(reason): Microsoft blocks this sender; ask its support, no device has been removed")
        case 404, 410:
            verdict = .deviceGone("\(reason): the channel has expired or never was one")
        case 408, 500...:
            verdict = .retry(after: wait, reason)
        case 400..<500:
            verdict = .refused(reason)
        default:
            verdict = .retry(after: wait, "\(reason), which WNS does not send; check the proxies on the way")
        }
        verdict.serviceID = answer.headers.first(name: "X-WNS-Msg-ID").map { ServiceReasonText($0).description }
        return verdict
    }

    /// The same status as for a channel that has expired, but it says nothing about the channel.
    private func isBlocked(_ answer: ServiceAnswer) -> Bool {
        [answer.reasonPhrase, answer.headers.first(name: "X-WNS-Error-Description") ?? ""]
            .contains { $0.lowercased().contains("blocked") }
    }

    private func reason(_ answer: ServiceAnswer, handling: String?, token: DeviceToken) -> String {
        let description = answer.headers.first(name: "X-WNS-Error-Description")
        let words = [handling.map { $0 == "received" ? "" : $0 } ?? "", description ?? ""]
            .map { ServiceReasonText($0, hiding: [(token.value, token.description)]).description }
        return (["WNS returned status \(answer.status)"] + words.filter { !$0.isEmpty }).joined(separator: ", ")
    }
}
