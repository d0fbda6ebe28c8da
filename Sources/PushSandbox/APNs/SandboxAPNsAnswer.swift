import Core
import Foundation

/// The response of APNs to one request.
struct SandboxAPNsAnswer: Sendable {
    let status: Int
    /// nil for 200.
    let reason: String?
    /// The time since when a device is gone.
    let timestamp: Date?
    /// Seconds.
    let retryAfter: Int?

    static let delivered = SandboxAPNsAnswer(status: 200, reason: nil)

    init(status: Int, reason: String?, timestamp: Date? = nil, retryAfter: Int? = nil) {
        self.status = status
        self.reason = reason
        self.timestamp = timestamp
        self.retryAfter = retryAfter
    }

    /// Apple's own table ("Handling notification responses from APNs").
    init(_ refusal: APNsRefusalError) {
        self.init(status: refusal.status, reason: refusal.rawValue)
    }

    /// The JSON body of a refusal.
    var body: String? {
        guard let reason else { return nil }
        var body: JSONObject = ["reason": .string(reason)]
        if let timestamp {
            body["timestamp"] = .number((timestamp.timeIntervalSince1970 * 1000).rounded(.down))
        }
        return JSONValue.object(body).text
    }
}

/// The reasons for which the sandbox refuses by itself.
enum APNsRefusalError: String, Error {
    case badCollapseID = "BadCollapseId"
    case badDeviceToken = "BadDeviceToken"
    case badExpirationDate = "BadExpirationDate"
    case badMessageID = "BadMessageId"
    case badPriority = "BadPriority"
    case badTopic = "BadTopic"
    case duplicateHeaders = "DuplicateHeaders"
    case invalidPushType = "InvalidPushType"
    case missingDeviceToken = "MissingDeviceToken"
    case missingTopic = "MissingTopic"
    case payloadEmpty = "PayloadEmpty"
    case topicDisallowed = "TopicDisallowed"
    case expiredProviderToken = "ExpiredProviderToken"
    case invalidProviderToken = "InvalidProviderToken"
    case missingProviderToken = "MissingProviderToken"
    case badPath = "BadPath"
    case methodNotAllowed = "MethodNotAllowed"
    case payloadTooLarge = "PayloadTooLarge"
    case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"

    var status: Int {
        switch self {
        case .expiredProviderToken, .invalidProviderToken, .missingProviderToken: 403
        case .badPath: 404
        case .methodNotAllowed: 405
        case .payloadTooLarge: 413
        case .tooManyProviderTokenUpdates: 429
        default: 400
        }
    }
}
