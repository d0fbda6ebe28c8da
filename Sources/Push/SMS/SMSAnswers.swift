import Core
import NIOHTTP1
import PushModel

import struct Foundation.Date

/// Interprets the responses of an SMS gateway. Each gateway has its own bodies, so only the status counts.
///
/// | status | outcome of the message |
/// | --- | --- |
/// | 2xx | delivered |
/// | 401, 402, 407 | all wait: the gateway refuses the account |
/// | 408 | again after `Retry-After`, else by the retry policy |
/// | 429 | again after `Retry-After`, else a minute |
/// | other 4xx | refused |
/// | 3xx | refused: the address in SMSConfig.xml has changed |
/// | 5xx | again after `Retry-After`, else by the retry policy |
struct SMSAnswers {
    static let throttledWait = Duration.seconds(60)

    let gateway: SMSGateway

    func verdict(_ answer: ServiceAnswer, number: String, now: Date) -> ServiceVerdict {
        let reason = reason(answer, number: number)
        let wait = RetryAfter.wait(answer.headers.first(name: "Retry-After"), now: now)
        return switch answer.status {
        case 200..<300: .delivered(serviceID: nil)
        case 300..<400:
            .refused(
                "\(reason): it wants the request at another address, which is not followed; correct hostname, port and "
                    + "programName of the gateway '\(gateway.id)' in SMSConfig.xml", finding: .alarm)
        case 401, 402, 407:
            .credentialRefused(
                "\(reason): it refuses the account; correct the parameters of the gateway '\(gateway.id)' in "
                    + "SMSConfig.xml, or see to its credit")
        case 408: .retry(after: wait, reason)
        case 429: .retry(after: wait ?? Self.throttledWait, reason)
        case 400..<500: .refused(reason)
        default: .retry(after: wait, reason)
        }
    }

    /// The reason, with the start of the body. Numbers and gateway parameters are masked: gateways repeat the number in other
    /// forms, so all long numbers are masked.
    private func reason(_ answer: ServiceAnswer, number: String) -> String {
        let secrets = gateway.parameters.map(\.value) + [number]
        let known = ServiceReasonText(answer.text, hiding: secrets.map { ($0, "…") }).description
        let words = known.replacing(#/[0-9][0-9 ()\-\/]{4,}[0-9]/#, with: "…")
        return "the SMS gateway '\(gateway.id)' returned status \(answer.status)" + (words.isEmpty ? "" : ", \(words)")
    }
}
