import Authentication
import Core
import HTTPServer
import HTTPTypes

/// Tells back ends from clients by what they show, and slows down who guesses it.
final class BackEndAuthenticator: Sendable {
    /// Who calls.
    enum Caller: Sendable {
        case known
        /// Credentials were given, and are wrong.
        case unknown
        /// So many wrong ones came from the address that none are looked at for that time.
        case guessing(retryAfter: Duration)
        /// None were given, or it is a client whose credentials are for a realm of the project's.
        case none
    }

    private let keys: BackEndCredentials
    /// Twenty wrong credentials at once, and one more every 15 s.
    private let limiter: NetworkRateLimiter

    init(keys: BackEndCredentials, time: any TimeSource) {
        self.keys = keys
        limiter = NetworkRateLimiter(stock: 20, refill: .seconds(15), time: time)
    }

    func caller(of call: IncomingRequest, in sessions: SessionTable) -> Caller {
        // Answers to challenges stand in the same header.
        guard !keys.isEmpty, let header = call.request.headers.value(of: .authorization),
            header.utf8.first != UInt8(ascii: "{"),
            header != Handshake.inBody, !keys.areOtherThan(authorization: header)
        else { return .none }
        // A client of ours may log in by such a header to a realm of the project's. It guesses there, if it does.
        let ids = SessionCookies(call.request.headers).sessionIDs
        if case .session = sessions.find(ids) { return .none }
        switch check(header, from: call.origin.rateLimitKey) {
        case .known: return .known
        case let refusal: return ids.isEmpty ? refusal : .none
        }
    }

    private func check(_ header: String, from network: String) -> Caller {
        if let wait = limiter.wait(of: network) { return .guessing(retryAfter: wait) }
        guard !keys.accept(authorization: header) else { return .known }
        _ = limiter.take(for: network)
        return .unknown
    }
}
