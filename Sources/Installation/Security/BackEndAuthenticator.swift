import Authentication
import Core

/// Distinguishes back ends from clients by their keys, and limits the rate of guesses.
package final class BackEndAuthenticator: Sendable {
    /// The result of a check of a caller's credentials.
    package enum Caller: Sendable {
        case known
        /// The credentials are wrong.
        case unknown
        /// Too many wrong keys came from the address: no key from it is checked for that time.
        case guessing(retryAfter: Duration)
        /// There are no credentials, or it is a client whose credentials are for a realm of the project's.
        case none
    }

    private let keys: BackEndCredentials
    /// Twenty wrong credentials at once, and one more every 15 s.
    private let limiter: NetworkRateLimiter

    init(keys: BackEndCredentials, time: any TimeSource) {
        self.keys = keys
        limiter = NetworkRateLimiter(stock: 20, refill: .seconds(15), time: time)
    }

    /// Returns true if a header may be meant for the keys, and not for a realm or the OAuth layer. HTTP Basic is meant for them only with their user
    /// name, so that users' passwords never count as wrong keys.
    package func mayAccept(authorization header: String) -> Bool {
        guard !keys.isEmpty, !keys.areOtherThan(authorization: header) else { return false }
        guard header.lowercased().hasPrefix("basic ") else { return true }
        guard let user = keys.user, let given = BasicCredentials(header) else { return false }
        return given.user.isSame(as: user)
    }

    /// Compares a header with the keys, in a time that does not depend on the number of correct characters.
    ///
    /// - Parameter network: the network whose wrong credentials count together.
    package func check(authorization header: String, from network: String) -> Caller {
        if let wait = limiter.wait(of: network) { return .guessing(retryAfter: wait) }
        if let token = keys.token, header.isSame(as: "Bearer \(token)") { return .known }
        if let user = keys.user, let password = keys.password, let given = BasicCredentials(header) {
            let (isUser, isPassword) = (given.user.isSame(as: user), given.password.isSame(as: password))
            if isUser, isPassword { return .known }
        }
        _ = limiter.take(for: network)
        return .unknown
    }
}
