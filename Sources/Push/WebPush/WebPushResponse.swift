import Foundation
import NIOCore
import NIOHTTP1
import PushModel

/// What a push service answered.
struct WebPushResponse: Sendable {
    /// More of a body is not shown.
    private static let longestBody = 4096
    /// A service that asks for more patience than this is not believed.
    private static let longestPatience = Duration.seconds(24 * 3600)

    let status: Int
    let headers: HTTPHeaders
    /// The beginning of the body, on one line, printable.
    let words: String

    init(_ answer: ServiceAnswer) {
        status = answer.status
        headers = answer.headers
        words = Self.oneLine(String(decoding: answer.body.readableBytesView.prefix(Self.longestBody), as: UTF8.self))
    }

    /// What it means for the message (RFC 8030, sections 5 and 8.4, and what the services document).
    ///
    /// - Parameter now: to which a `Retry-After` with a date is related.
    func answer(now: Date) -> PushAnswer {
        switch status {
        case 200...204:
            return PushAnswer(.delivered, serviceID: headers.first(name: "Location").map { String($0.prefix(1024)) })
        case 404, 410:
            return PushAnswer(.deviceGone(reason: "\(said): the page's subscription is no more", asOf: nil))
        case 413:
            return PushAnswer(.refused(reason: "\(said): the message is too large; shorten the text or the payload"))
        case 408, 425, 429, 500...599:
            return PushAnswer(.retry(after: patience(now: now), reason: said))
        case 300...399:
            return PushAnswer(
                .refused(reason: "\(said): it leads elsewhere, which is not followed; the page should subscribe again"))
        case _ where isKeyMismatch:
            return PushAnswer(
                .refused(
                    reason:
                        "\(said): the page subscribed with another application server key than this server's; it gets the "
                        + "right one when it subscribes again, or put the old key back"))
        case 401, 403:
            return PushAnswer(
                .retry(
                    after: patience(now: now),
                    reason: "\(said): it does not accept this server's token; look at the clock of this machine and at "
                        + "webPush.contact"))
        default:
            return PushAnswer(.refused(reason: said))
        }
    }

    /// Whether it says something of the service and not of the message.
    var isServiceOutage: Bool { (status >= 500 && status < 600) || ([401, 403].contains(status) && !isKeyMismatch) }

    /// Whether the service says that the subscription was made with another key. Google answers 403, Apple 400, Mozilla 401 or 403.
    var isKeyMismatch: Bool {
        guard [400, 401, 403].contains(status) else { return false }
        let words = words.lowercased()
        return ["correspond to the", "vapidpkhashmismatch", "key mismatch", "mismatched key"].contains {
            words.contains($0)
        }
    }

    private var said: String { "the push service answered \(status)" + (words.isEmpty ? "" : " (\(words))") }

    /// `Retry-After`, as seconds or as a date.
    private func patience(now: Date) -> Duration? {
        guard let text = headers.first(name: "Retry-After")?.trimmingCharacters(in: .whitespaces) else { return nil }
        let seconds = Int(text).map(Double.init) ?? Self.date(text)?.timeIntervalSince(now)
        guard let seconds, seconds >= 0 else { return nil }
        return min(.seconds(seconds), Self.longestPatience)
    }

    /// As HTTP writes them: `Tue, 14 Nov 2023 22:13:20 GMT`.
    private static func date(_ text: String) -> Date? {
        let strategy = Date.ParseStrategy(
            format: """
                \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
                \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
                """,
            locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
        return try? Date(text, strategy: strategy)
    }

    private static func oneLine(_ text: String) -> String {
        let words = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : String($0) }.joined()
            .split(separator: " ").joined(separator: " ")
        return words.count <= 200 ? words : words.prefix(200) + "…"
    }
}
