import Core
import Foundation
import NIOCore
import NIOHPACK

/// Apple's table "Handling notification responses from APNs" (anchors F1): every reason and what follows from it.
struct APNsReasons {
    /// The consequence of a response.
    enum Consequence: Sendable, Hashable {
        /// Apple has it.
        case delivered
        /// Refused for good; `advice` is for the operator.
        case refused(advice: String)
        /// Apple knew the token, and the app is gone.
        case deviceGone
        /// The token is another app's or another environment's: the device's fault or the configuration's, which
        /// ``MassRemovalGuard`` decides.
        case foreignToken
        /// Again after this time at the earliest; only this message waits.
        case retry(after: Duration)
        /// Again, on another connection and at once.
        case otherConnection
        /// The service is not well: again, and when it happens repeatedly everything waits.
        case serviceTrouble
        /// The service refuses the credential: all deliveries wait until the operator has corrected it.
        case credential(advice: String)
        /// See ``APNsProviderTokens/expired(_:)``.
        case expiredProviderToken
        /// See ``APNsProviderTokens/rest()``.
        case tooManyProviderTokens
    }

    /// The pause for a device that gets too many messages.
    static let devicePause = Duration.seconds(60)

    private static let bug = "this should not happen; please report it with the delivery's request"
    private static let key = "check key id, team id and the .p8 file, and that the key is not revoked and allows APNs"
    private static let environment =
        "the key or certificate is for Apple's other service; set the environment, or use one that is for both"

    static let table: [String: (status: Int, consequence: Consequence)] = [
        "BadCollapseId": (400, .refused(advice: "APNS.collapseId may have at most 64 bytes")),
        "BadDeviceToken": (400, .foreignToken),
        "BadExpirationDate": (400, .refused(advice: bug)),
        "BadMessageId": (400, .refused(advice: bug)),
        "BadPriority": (400, .refused(advice: bug)),
        "BadTopic": (400, .refused(advice: "the topic must be the app's bundle id; set it for the application")),
        "DeviceTokenNotForTopic": (400, .foreignToken),
        "DuplicateHeaders": (400, .refused(advice: bug)),
        "IdleTimeout": (400, .otherConnection),
        "InvalidPushType": (400, .refused(advice: bug)),
        "MissingDeviceToken": (400, .refused(advice: bug)),
        "MissingTopic": (400, .refused(advice: "set the app's bundle id as the application's topic")),
        "PayloadEmpty": (400, .refused(advice: bug)),
        "TopicDisallowed": (
            400, .refused(advice: "the key or certificate is not for this app; set the topic to the app's bundle id")
        ),
        "BadCertificate": (403, .credential(advice: "make a new certificate on Apple's developer site")),
        "BadCertificateEnvironment": (403, .credential(advice: environment)),
        "ExpiredProviderToken": (403, .expiredProviderToken),
        "Forbidden": (403, .credential(advice: "check that the key or certificate is for this app and team")),
        "InvalidProviderToken": (403, .credential(advice: key)),
        "MissingProviderToken": (403, .credential(advice: "set a key or a certificate for the application")),
        "UnrelatedKeyIdInToken": (
            403, .credential(advice: "another key was used first on the connection; use one key for each topic")
        ),
        // Apple's table has the first spelling, its servers have been seen to send the second.
        "BadEnvironmentKeyIdInToken": (403, .credential(advice: environment)),
        "BadEnvironmentKeyInToken": (403, .credential(advice: environment)),
        "BadPath": (404, .refused(advice: bug)),
        "MethodNotAllowed": (405, .refused(advice: bug)),
        "ExpiredToken": (410, .deviceGone),
        "Unregistered": (410, .deviceGone),
        "PayloadTooLarge": (413, .refused(advice: "the payload may have at most 4,096 bytes")),
        "TooManyProviderTokenUpdates": (429, .tooManyProviderTokens),
        "TooManyRequests": (429, .retry(after: devicePause)),
        // Apple says one "can" retry after 15 minutes, with a back-off. The back-off of the outbox and the breaker, which
        // lets one request pass at a time, ask less of a sick service than everybody after 15 minutes would, and notice
        // earlier that it is well.
        "InternalServerError": (500, .serviceTrouble),
        "ServiceUnavailable": (503, .serviceTrouble),
        "Shutdown": (503, .otherConnection),
    ]

    /// Returns the consequence of a response; the status decides when the table does not list the reason.
    static func consequence(status: Int, reason: String?) -> Consequence {
        if status == 200 { return .delivered }
        if let reason, let row = table[reason] { return row.consequence }
        return switch status {
        case 403: .credential(advice: "Lamplighter does not know this reason; see Apple's documentation")
        case 410: .deviceGone
        case 429: .retry(after: devicePause)
        case 400..<500: .refused(advice: "Lamplighter does not know this reason; see Apple's documentation")
        default: .serviceTrouble
        }
    }
}

/// The response of APNs to one request.
struct APNsAnswer: Sendable, Hashable {
    let status: Int
    /// Apple's name for the error; nil when there is none.
    let reason: String?
    /// The time at which the token was last known to be valid; only with 410.
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

    /// Returns the meaning of the response for the message, the service and the credential.
    func verdict(_ consequence: APNsReasons.Consequence) -> ServiceVerdict {
        var verdict: ServiceVerdict
        switch consequence {
        case .delivered: verdict = .delivered(serviceID: nil)
        case .refused(let advice): verdict = .refused("\(description); \(advice)")
        case .deviceGone:
            verdict = .deviceGone("\(description); the app was removed from the device", asOf: asOf)
        case .foreignToken:
            verdict = .deviceGone("\(description); the token is of another app or of Apple's other service")
        case .retry(let pause):
            verdict = .retry(
                after: retryAfter ?? pause, "\(description); only this device waits", finding: .works)
        case .credential(let advice): verdict = .credentialRefused("\(description); \(advice)")
        case .tooManyProviderTokens:
            verdict = .credentialRefused(
                "\(description): another server uses the same key, or this one was started often; the old token goes on",
                pause: .seconds(60))
        case .serviceTrouble, .otherConnection, .expiredProviderToken:
            verdict = .retry(after: retryAfter, description)
        }
        verdict.serviceID = id
        return verdict
    }

    /// The status and Apple's reason, for log and error messages.
    var description: String { "APNs returned status \(status)\(reason.map { " \($0)" } ?? "")" }

    /// Returns Apple's reason from the debug data of a `GOAWAY` frame.
    static func reason(inGoAway text: String?) -> String? {
        guard let text, let value = try? JSONValue(parsing: text) else { return nil }
        return value["reason"]?.string
    }
}
