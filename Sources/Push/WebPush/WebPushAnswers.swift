import NIOHTTP1

import struct Foundation.Date

/// The meaning of the responses of browsers' push services (RFC 8030, sections 5 and 8.4, and the services' documentation).
extension ServiceAnswer {
    /// - Parameter now: to which a `Retry-After` with a date is related.
    func webPushVerdict(now: Date) -> ServiceVerdict {
        let words = ServiceReasonText(text).description
        let said = "the push service returned status \(status)" + (words.isEmpty ? "" : " (\(words))")
        let wait = RetryAfter.wait(headers.first(name: "Retry-After"), now: now)
        switch status {
        case 200...204:
            return .delivered(serviceID: headers.first(name: "Location").map { String($0.prefix(1024)) })
        case 404, 410: return .deviceGone("\(said): the page's subscription is no more")
        case 413: return .refused("\(said): the message is too large; shorten the alert or the payload")
        // These say nothing of the service's state.
        case 408, 425, 429: return .retry(after: wait, said, finding: .works)
        case 500...599: return .retry(after: wait, said)
        case 300...399:
            return .refused("\(said): it leads elsewhere, which is not followed; the page should subscribe again")
        case _ where isKeyMismatch:
            return .refused(
                "\(said): the page subscribed with another application server key than this server's; it gets the "
                    + "right one when it subscribes again, or put the old key back")
        case 401, 403:
            return .retry(
                after: wait,
                "\(said): it does not accept this server's token; check the clock of this machine and webPush.contact"
            )
        default: return .refused(said)
        }
    }

    /// True if the service says that the subscription was made with another key. Google returns 403, Apple 400, Mozilla 401 or 403.
    var isKeyMismatch: Bool {
        guard [400, 401, 403].contains(status) else { return false }
        let words = ServiceReasonText(text).description.lowercased()
        return ["correspond to the", "vapidpkhashmismatch", "key mismatch", "mismatched key"].contains {
            words.contains($0)
        }
    }
}
