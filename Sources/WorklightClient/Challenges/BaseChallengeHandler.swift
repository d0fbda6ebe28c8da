// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

// Headers without annotations are imported so, and applications are written against that.
public import Foundation

/// What all challenge handlers have in common (seed 004, 2.2.12, 2.9.4). Applications extend ``ChallengeHandler`` or
/// ``WLChallengeHandler``.
open class BaseChallengeHandler: NSObject {
    /// The realm whose challenges it handles.
    public let realm: String
    let exchange = HandlerExchange()

    /// - Parameter realm: the realm's name.
    public init!(realm: String!) {
        self.realm = realm ?? ""
        super.init()
    }

    /// Abandons the challenge: its request fails (2.9.4). Others that wait are sent, and may be challenged in
    /// their turn.
    open func submitFailure(_ response: WLResponse!) {
        finish(.failed(response?.answer), "submitFailure")
    }

    func finish(_ verdict: ChallengeVerdict, _ call: String) {
        guard !exchange.end(verdict) else { return }
        LogStore.shared.write(
            .warn, package: "wl.challenge", message: "\(call) of realm \(realm): no challenge is waiting for it",
            metadata: nil)
    }
}
