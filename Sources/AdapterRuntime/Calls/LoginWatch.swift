import PushModel
import Synchronization

/// Records the realms to which a request, or one call of it, logs users in, and says which logins of its session it sees.
///
/// A request sees the logins that were complete when it came, and its own. Those of other requests it must not see: it may have
/// come from somebody who planted the session, and whose cookie ends with the login.
public final class LoginWatch: Sendable {
    /// The watch of the request that the task answers; `nil` outside of clients' requests.
    @TaskLocal public static var current: LoginWatch?

    /// A procedure that the call has called.
    public struct CalledProcedure: Sendable, Hashable {
        public let adapter: String
        public let procedure: String
    }

    private let noted = Mutex<[String: JSONValue]>([:])
    private let called = Mutex<Set<CalledProcedure>>([])
    private let parent: LoginWatch?
    /// The session of the request; `nil` outside of clients' requests, where every login is visible.
    let session: ClientSession?
    /// The number of the session's logins that were completed when the watch was made.
    let completedLogins: Int

    /// Creates the watch of a request.
    ///
    /// - Parameter session: the request's session.
    public init(_ session: ClientSession) {
        parent = nil
        self.session = session
        completedLogins = session.completedLogins
    }

    /// Creates the watch of one call of a request.
    ///
    /// - Parameter parent: the request's watch, which records the call's logins as well; `nil` for a call that sees every login.
    public init(within parent: LoginWatch?) {
        self.parent = parent
        session = parent?.session
        completedLogins = parent?.completedLogins ?? .max
    }

    /// The realms; empty when nobody has been logged in.
    public var realms: Set<String> { noted.withLock { Set($0.keys) } }

    /// The ids of the users who have been logged in; `nil` when nobody has been.
    public var users: [String]? { noted.withLock { $0.isEmpty ? nil : $0.values.compactMap(\.userID) } }

    /// The procedures of adapters that the call has called, by `WL.Server.invokeProcedure`.
    public var calledProcedures: Set<CalledProcedure> { called.withLock { $0 } }

    func note(call procedure: String, of adapter: String) {
        _ = called.withLock { $0.insert(CalledProcedure(adapter: adapter, procedure: procedure)) }
    }

    /// The identities that were logged in, by realm.
    var logins: [String: JSONValue] { noted.withLock { $0 } }

    func note(_ identity: JSONValue, in realm: String) {
        noted.withLock { $0[realm] = identity }
        parent?.note(identity, in: realm)
    }

    /// Whether the request itself, in this call or another, has logged the identity's user in to the realm.
    func hasLoggedIn(_ identity: JSONValue, to realm: String) -> Bool {
        noted.withLock { $0[realm]?.isSameUser(as: identity) } ?? false
            || parent?.hasLoggedIn(identity, to: realm) ?? false
    }
}
