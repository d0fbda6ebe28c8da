/// A login that `BruteForceGuard` let through. Its outcome must be told; one that is dropped counts neither way, as
/// when the directory cannot be reached.
public struct LoginAttempt: ~Copyable, Sendable {
    enum Outcome: Sendable, Hashable {
        case failed, undecided
        /// - Parameter users: who has logged in; `nil` for all users that the login was about.
        case succeeded(users: [String]?)
    }

    private let tell: @Sendable (Outcome) -> Void
    private var outcome = Outcome.undecided

    init(tell: @escaping @Sendable (Outcome) -> Void) {
        self.tell = tell
    }

    deinit {
        tell(outcome)
    }

    /// The name or the password was wrong.
    public consuming func failed() {
        outcome = .failed
    }

    /// The password was right: the user's failures are forgotten, the address's are not.
    public consuming func succeeded() {
        outcome = .succeeded(users: nil)
    }

    /// The password was right for these users. The failures of others that the login may have been about stay.
    public consuming func succeeded(as users: [String]) {
        outcome = .succeeded(users: users)
    }
}

/// There were too many failed logins: the directory must not be asked.
public struct TooManyFailures: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Cause: String, Sendable, Hashable {
        case user, address
        /// Logins fail everywhere, and one did from this address.
        case all
    }

    public let cause: Cause
    /// After this time a try may get through.
    public let retryAfter: Duration

    public var description: String {
        let whose = cause == .all ? "in all" : "of this \(cause.rawValue)"
        return "too many failed logins \(whose): try again in \(max(1, retryAfter.components.seconds)) s"
    }
}
