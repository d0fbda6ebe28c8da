import Core
import Foundation
import NIOCore
import NIOHPACK

/// What APNs said about one request.
struct APNsAnswer: Sendable, Hashable {
    let status: Int
    /// Apple's word for what is wrong; nil when there is none.
    let reason: String?
    /// When the token was last known to be good; only with 410.
    let asOf: Date?
    let retryAfter: Duration?
    let id: String?

    init(_ response: HTTP2Response) {
        status = response.status
        id = response.headers.first(name: "apns-id")
        guard status != 200 else {
            (reason, asOf, retryAfter) = (nil, nil, nil)
            return
        }
        retryAfter = response.headers.first(name: "retry-after").flatMap { Int($0) }
            .map { .seconds(min(max($0, 0), 3600)) }
        let body = try? JSONValue(parsing: response.body.readableBytesView)
        reason = body?["reason"]?.string
        // In milliseconds.
        asOf = body?["timestamp"]?.number.map { Date(timeIntervalSince1970: $0 / 1000) }
    }

    /// For people: the status and Apple's word.
    var description: String { "APNs answered \(status)\(reason.map { " \($0)" } ?? "")" }

    /// Apple's word in the text of a `GOAWAY` frame.
    static func reason(inGoAway text: String?) -> String? {
        guard let text, let value = try? JSONValue(parsing: text) else { return nil }
        return value["reason"]?.string
    }
}
