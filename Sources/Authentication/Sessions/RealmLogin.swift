/// A user's login to a realm, as long as it is this one: after a logout, or when somebody else logs in, the realm has another.
public struct RealmLogin: Sendable, Hashable {
    /// Random, and in no other session.
    public let id: String
    public let realm: String
    /// On the clock's uptime; `nil` when the login holds as long as the session.
    public let deadline: Duration?
}
