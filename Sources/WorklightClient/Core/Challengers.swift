/// What came of a challenge.
enum ChallengeVerdict: Sendable {
    /// It is answered; the request is sent again. Realms of the library's own kind are answered with JSON text.
    case answered(json: String?)
    /// The application gave up.
    case failed(WLAnswer?)
}

/// Looks for the application's own challenges in answers (``ChallengeHandler``).
struct CustomChallenger: Sendable {
    let realm: String
    let isChallenge: @Sendable (WLAnswer) async -> Bool
    let handle: @Sendable (WLAnswer) async -> ChallengeVerdict
}

/// Answers the challenges of one realm of the handshake (``WLChallengeHandler``).
struct RealmChallenger: Sendable {
    let realm: String
    let handle: @Sendable (SendableJSONObject) async -> ChallengeVerdict
    let handleSuccess: @Sendable (SendableJSONObject) async -> Void
    let handleFailure: @Sendable (SendableJSONObject) async -> Void
}
