import Foundation
import Synchronization

/// The access tokens that the sandbox has handed out.
final class SandboxAccessTokens: Sendable {
    private static let mostKept = 10_000
    private let expiries = Mutex<[String: Date]>([:])

    /// - Returns: a new token.
    func make(prefix: String, expires: Date) -> String {
        let token = prefix + UUID().uuidString.lowercased().replacing("-", with: "")
        expiries.withLock { expiries in
            if expiries.count >= Self.mostKept { expiries.removeAll() }
            expiries[token] = expires
        }
        return token
    }

    func isGood(_ token: String, now: Date) -> Bool {
        expiries.withLock { $0[token].map { $0 > now } ?? false }
    }

    func revokeAll() { expiries.withLock { $0 = [:] } }
}
