import Foundation

extension WLClient {
    /// Registers a challenge handler (2.2.12): a ``ChallengeHandler`` for a custom authentication, a ``WLChallengeHandler`` for a realm of
    /// the handshake. It replaces a handler of the same kind for the same realm.
    public func registerChallengeHandler(_ challengeHandler: BaseChallengeHandler!) {
        guard let handler = challengeHandler else { return }
        handler.exchange.attach(self)
        switch handler {
        case let handler as ChallengeHandler:
            let challenger = custom(handler)
            change { state in
                state.customChallengers.removeAll { $0.realm == challenger.realm }
                state.customChallengers.append(challenger)
            }
        case let handler as WLChallengeHandler:
            let challenger = realm(handler)
            change { $0.realmChallengers[challenger.realm] = challenger }
        default:
            LogStore.shared.write(
                .error, package: "wl.challenge",
                message:
                    "registerChallengeHandler: \(type(of: handler)) extends neither ChallengeHandler nor "
                    + "WLChallengeHandler",
                metadata: nil)
        }
    }

    /// Registers a challenge handler; see ``registerChallengeHandler(_:)``. Swift's importer makes this shorter name, without the words
    /// that repeat the parameter's type.
    public func register(_ challengeHandler: BaseChallengeHandler!) {
        registerChallengeHandler(challengeHandler)
    }

    private func custom(_ handler: ChallengeHandler) -> CustomChallenger {
        let (exchange, box) = (handler.exchange, Handover(handler))
        return CustomChallenger(realm: handler.realm) { [weak self] answer in
            guard let queue = self?.callbackQueue else { return false }
            return await withCheckedContinuation { continuation in
                queue.async {
                    let response = WLResponse(answer: answer, context: nil, isProcedure: true)
                    continuation.resume(returning: box.object.isCustomResponse(response))
                }
            }
        } handle: { [weak self] answer in
            guard let queue = self?.callbackQueue else { return .failed(nil) }
            return await exchange.challenge {
                queue.async {
                    box.object.handleChallenge(WLResponse(answer: answer, context: nil, isProcedure: true))
                }
            }
        }
    }

    private func realm(_ handler: WLChallengeHandler) -> RealmChallenger {
        let (exchange, box) = (handler.exchange, Handover(handler))
        let tell: @Sendable (@escaping @Sendable () -> Void) async -> Void = { [weak self] body in
            guard let queue = self?.callbackQueue else { return }
            await withCheckedContinuation { continuation in
                queue.async {
                    body()
                    continuation.resume()
                }
            }
        }
        return RealmChallenger(realm: handler.realm) { [weak self] challenge in
            guard let queue = self?.callbackQueue else { return .failed(nil) }
            return await exchange.challenge { queue.async { box.object.handleChallenge(challenge.values) } }
        } handleSuccess: { success in
            await tell { box.object.handleSuccess(success.values) }
        } handleFailure: { failure in
            await tell { box.object.handleFailure(failure.values) }
        }
    }
}
