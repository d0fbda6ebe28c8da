import Foundation

/// Who speaks on one connection to APNs' side.
struct ConnectionCredential {
    /// The topic of the client certificate, if there is one.
    let certificateTopic: String?
    private var tokens: Set<String> = []
    private var lastUpdate: Date?

    /// "Update the authentication token no more than once every 20 minutes."
    private static let shortestTimeBetweenUpdates: TimeInterval = 20 * 60

    init(certificateTopic: String?) {
        self.certificateTopic = certificateTopic
    }

    /// Takes note of a good token. Those that were already used on the connection pass.
    mutating func use(_ token: String, now: Date) throws(APNsRefusalError) {
        guard !tokens.contains(token) else { return }
        if let lastUpdate, (0..<Self.shortestTimeBetweenUpdates).contains(now.timeIntervalSince(lastUpdate)) {
            throw .tooManyProviderTokenUpdates
        }
        tokens.insert(token)
        lastUpdate = now
    }

    /// The client learns that its token is too old, so the next one is not an update too many.
    mutating func expectUpdate() { lastUpdate = nil }
}
