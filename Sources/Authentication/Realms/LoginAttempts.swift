import Credentials
public import PushModel

/// What came of a name and a password.
public enum LoginOutcome: Sendable, Hashable {
    /// The user's identity.
    case accepted(JSONValue)
    /// What to tell who tried. The same whether the name or the password was wrong.
    case refused(String)
}

/// Checks names and passwords, and slows down who guesses.
struct LoginAttempts: Sendable {
    /// One for all realms, so that all attempts from an address count together.
    let brake: BruteForceGuard

    init(time: any TimeSource) {
        let origin = ContinuousClock.now - time.uptime
        brake = BruteForceGuard { origin + time.uptime }
    }

    /// - Parameter address: the client's, as far as trusted proxies tell it.
    func logIn(
        to realm: Realm, user: String, password: String, address: String, onUnavailable: (LoginUnavailable) -> Void
    ) async -> LoginOutcome {
        let attempt: LoginAttempt
        do {
            attempt = try brake.admit(realm: realm.name, user: user, address: address)
        } catch {
            return .refused(Self.message(error))
        }
        do {
            if let identity = try await realm.loginModule.identity(user: user, password: password) {
                attempt.succeeded()
                return .accepted(identity)
            }
            attempt.failed()
            return .refused("The user name or the password is not right.")
        } catch {
            onUnavailable(error)
            return .refused("Logging in is not possible at the moment.")
        }
    }

    /// For people.
    static func message(_ failure: TooManyFailures) -> String {
        "Too many attempts. Try again in \(max(1, failure.retryAfter.components.seconds)) s."
    }
}
