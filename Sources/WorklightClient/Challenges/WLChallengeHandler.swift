import Foundation
import Synchronization

/// Handles the challenges of one realm of the handshake, such as `wl_remoteDisableRealm` (seed 004, 2.2.12, example 2).
/// The client calls the methods that subclasses override on its callback queue.
open class WLChallengeHandler: BaseChallengeHandler {
    private let messageID = Mutex<String?>(nil)

    /// Handles a challenge. For `wl_remoteDisableRealm`, the challenge has `message`, `messageId` and `messageType`. The request waits
    /// until the handler calls ``submitAnswer()``, ``submitChallengeAnswer(_:)`` or ``BaseChallengeHandler/submitFailure(_:)``.
    /// Subclasses override it; by default the handler acknowledges the message.
    open func handleChallenge(_ challenge: [AnyHashable: Any]!) {
        setMessageId(challenge?["messageId"] as? String)
        submitAnswer()
    }

    /// Receives the server's final refusal. For `wl_remoteDisableRealm`, the object has `message` and `downloadLink`, which may be
    /// `NSNull`. The request's `onFailure` is called afterwards; for this realm its code is ``WLErrorCodeApplicationVersionDenied``.
    open func handleFailure(_ failure: [AnyHashable: Any]!) {}

    /// Receives the server's object for this realm after a successful authentication.
    open func handleSuccess(_ success: [AnyHashable: Any]!) {}

    /// Sets the id of the message that the user has read; ``submitAnswer()`` sends it.
    open func setMessageId(_ messageId: String!) {
        messageID.withLock { $0 = messageId }
    }

    /// Responds to the challenge with the id of ``setMessageId(_:)``. Without an id, the challenge fails.
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

    /// Responds to the challenge with an object, as realms other than `wl_remoteDisableRealm` expect. The challenge fails when JSON cannot
    /// represent a value of the object.
    open func submitChallengeAnswer(_ answer: [AnyHashable: Any]!) {
        let object = Dictionary((answer ?? [:]).map { ("\($0.key.base)", $0.value) }) { first, _ in first }
        guard let json = JSONText.text(of: object) else {
            LogStore.shared.write(
                .warn, package: "wl.challenge",
                message: "submitChallengeAnswer of realm \(realm): the object has a value that JSON cannot represent",
                metadata: nil)
            return finish(.failed(nil), "submitChallengeAnswer")
        }
        finish(.answered(json: json), "submitChallengeAnswer")
    }
}
