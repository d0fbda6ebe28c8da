// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

// Headers without annotations are imported so, and applications are written against that.
public import Foundation

/// The common superclass of challenge handlers (seed 004, 2.2.12, 2.9.4). Applications extend ``ChallengeHandler`` or
/// ``WLChallengeHandler``.
open class BaseChallengeHandler: NSObject {
    /// The realm whose challenges the handler handles.
    public let realm: String
    let exchange = HandlerExchange()

    /// Creates a handler for a realm.
    ///
    /// - Parameter realm: the realm's name.
    public init!(realm: String!) {
        self.realm = realm ?? ""
        super.init()
    }

    /// Abandons the challenge: its request fails (2.9.4). Requests that wait for the end of the challenge are sent, and the server may
    /// challenge them as well.
    ///
    /// - Parameter response: the response that the failed request reports; `nil` for the challenge itself.
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
