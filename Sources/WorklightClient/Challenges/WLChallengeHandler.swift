import Foundation
import Synchronization

/// Handles the challenges of one realm of the handshake, such as `wl_remoteDisableRealm` (seed 004, 2.2.12, example 2).
/// Everything here is called on the client's callback queue.
open class WLChallengeHandler: BaseChallengeHandler {
    private let messageID = Mutex<String?>(nil)

    /// Handles a challenge. For `wl_remoteDisableRealm` it has `message`, `messageId` and `messageType`. The request
    /// waits until ``submitAnswer()``, ``submitChallengeAnswer(_:)`` or `submitFailure`. Subclasses override it.
    open func handleChallenge(_ challenge: [AnyHashable: Any]!) {
        setMessageId(challenge?["messageId"] as? String)
        submitAnswer()
    }

    /// Called when the server finally refuses. For `wl_remoteDisableRealm` it has `message` and `downloadLink`, which
    /// may be `NSNull`. The request's `onFailure` is called afterwards, with ``WLErrorCodeApplicationVersionDenied``.
    open func handleFailure(_ failure: [AnyHashable: Any]!) {}

    /// Called when the server has accepted the client.
    open func handleSuccess(_ success: [AnyHashable: Any]!) {}

    /// Says which message the user has read; ``submitAnswer()`` sends it.
    open func setMessageId(_ messageId: String!) {
        messageID.withLock { $0 = messageId }
    }

    /// Answers with the message's id.
    open func submitAnswer() {
        let id = messageID.withLock { $0 }
        guard let id, let json = JSONText.text(of: id) else {
            LogStore.shared.write(
                .warn, package: "wl.challenge", message: "submitAnswer of realm \(realm): setMessageId was not called",
                metadata: nil)
            return finish(.failed(nil), "submitAnswer")
        }
        finish(.answered(json: json), "submitAnswer")
    }

    /// Answers with an object, as other realms want it.
    open func submitChallengeAnswer(_ answer: [AnyHashable: Any]!) {
        let object = Dictionary((answer ?? [:]).map { ("\($0.key.base)", $0.value) }) { first, _ in first }
        guard let json = JSONText.text(of: object) else {
            LogStore.shared.write(
                .warn, package: "wl.challenge",
                message: "submitChallengeAnswer of realm \(realm): the answer holds something that JSON does not know",
                metadata: nil)
            return finish(.failed(nil), "submitChallengeAnswer")
        }
        finish(.answered(json: json), "submitChallengeAnswer")
    }
}
