import Authentication
import Credentials
import HTTPTypes
import Hummingbird
import PushModel
import Synchronization

/// Tells back ends from clients by what they show, and slows down who guesses it.
final class BackEndGate: Sendable {
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

    /// Wrong credentials from one address within five minutes until none from it are looked at for a while.
    private static let mostFailures = 20

    private let keys: BackEndKeys
    /// One is checked at a time, so that those of a busy back end are never taken for too many whose outcome is not known.
    private let brake: Mutex<BruteForceGuard>

    init(keys: BackEndKeys, time: any TimeSource) {
        self.keys = keys
        var limits = BruteForceGuard.Limits()
        limits.failuresPerAddress = Self.mostFailures
        limits.failuresPerUser = Self.mostFailures
        let origin = ContinuousClock.now - time.uptime
        brake = Mutex(BruteForceGuard(limits: limits) { origin + time.uptime })
    }

    func caller(of call: IncomingCall, in sessions: SessionTable) -> Caller {
        // Answers to challenges stand in the same header.
        guard !keys.isEmpty, let header = call.request.headers[.authorization], header.utf8.first != UInt8(ascii: "{"),
            header != Handshake.inBody, !keys.areOtherThan(authorization: header)
        else { return .none }
        // A client of ours may log in by such a header to a realm of the project's. It guesses there, if it does.
        let ids = SessionCookies(call.request.headers).sessionIDs
        if case .session = sessions.find(ids) { return .none }
        switch check(header, from: call.origin.address) {
        case .known: return .known
        case let refusal: return ids.isEmpty ? refusal : .none
        }
    }

    private func check(_ header: String, from address: String) -> Caller {
        brake.withLock { brake in
            do throws(TooManyFailures) {
                // There is one key for all: it must not be shut out by who guesses elsewhere, so that only the address counts.
                let attempt = try brake.admit(realm: "back ends", user: address, address: address)
                guard keys.accept(authorization: header) else {
                    attempt.failed()
                    return .unknown
                }
                attempt.succeeded()
                return .known
            } catch {
                return .guessing(retryAfter: error.retryAfter)
            }
        }
    }
}
