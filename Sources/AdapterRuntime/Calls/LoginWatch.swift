import PushModel
import Synchronization

/// Records the realms to which a request, or one call of it, logs users in, and says which logins of its session it sees.
///
/// A request sees the logins that were complete when it came, and its own. Those of other requests it must not see: it may have
/// come from somebody who planted the session, and whose cookie ends with the login.
public final class LoginWatch: Sendable {
    /// That of the request which the task answers; `nil` where no client asks.
    @TaskLocal public static var current: LoginWatch?

    private let noted = Mutex<[String: JSONValue]>([:])
    private let parent: LoginWatch?
    /// How many logins of the session were complete when the request came.
    let complete: Int

    /// - Parameter session: that of the request.
    public init(_ session: ClientSession) {
        parent = nil
        complete = session.completeLogins
    }

    /// For one call of a request.
    ///
    /// - Parameter parent: the request's, which learns of the call's logins; `nil` when the call sees every login.
    public init(within parent: LoginWatch?) {
        self.parent = parent
        complete = parent?.complete ?? .max
    }

    /// The realms; empty when nobody has been logged in.
    public var realms: Set<String> { noted.withLock { Set($0.keys) } }

    /// Who has been logged in, by realm.
    var logins: [String: JSONValue] { noted.withLock { $0 } }

    func note(_ identity: JSONValue, in realm: String) {
        noted.withLock { $0[realm] = identity }
        parent?.note(identity, in: realm)
    }

    /// Whether the request itself, in this call or another, has logged somebody in to the realm.
    func hasLoggedIn(to realm: String) -> Bool { realms.contains(realm) || parent?.hasLoggedIn(to: realm) ?? false }
}
