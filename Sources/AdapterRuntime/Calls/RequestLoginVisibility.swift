import Core
import Synchronization

/// Records the realms to which a request logs users in, and decides which logins of its session it sees.
///
/// A request sees the logins that were complete at its start, and its own. It must not see those of other requests: it may come from
/// an attacker who planted the session, and whose cookie ends with the login.
public final class RequestLoginVisibility: Sendable {
    /// The login visibility of the request that the task handles; `nil` outside of clients' requests.
    @TaskLocal public static var current: RequestLoginVisibility?

    private let noted = Mutex<[String: JSONValue]>([:])
    /// The session of the request.
    let session: ClientSession
    /// The number of the session's logins that were completed when the watch was made.
    let completedLogins: Int

    /// Creates the watch of a request.
    ///
    /// - Parameter session: the request's session.
    public init(_ session: ClientSession) {
        self.session = session
        completedLogins = session.completedLogins
    }

    /// The identities that were logged in, by realm.
    var logins: [String: JSONValue] { noted.withLock { $0 } }

    func note(_ identity: JSONValue, in realm: String) {
        noted.withLock { $0[realm] = identity }
    }

    /// Returns whether the request itself has logged the identity's user in to the realm.
    func hasLoggedIn(_ identity: JSONValue, to realm: String) -> Bool {
        noted.withLock { $0[realm]?.isSameUser(as: identity) } ?? false
    }
}

/// The observer of a task's adapter calls, for tests.
///
/// Scripts run on separate threads, which know nothing of tasks. Code that they reach there, such as stubs of back ends and
/// log handlers, finds here the observer that the task of the running call has set.
package enum CallObserver {
    @TaskLocal package static var current: (any Sendable)?
}
