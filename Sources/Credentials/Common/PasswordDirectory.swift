/// Knows who may log in with which password.
public protocol PasswordDirectory: Sendable {
    /// Checks a user's name and password.
    ///
    /// Takes as long for an unknown user as for a wrong password, where the back end allows it.
    ///
    /// - Returns: the user, or `nil` when the name or the password is wrong.
    /// - Throws: `DirectoryError` when the back end is not reachable or the configuration is wrong. The message never holds the password.
    func user(named name: String, password: String) async throws(DirectoryError) -> DirectoryUser?
}

/// A user whose password was right.
public struct DirectoryUser: Sendable, Hashable {
    /// The name, as given at the login.
    public var name: String
    public var displayName: String
    public var attributes: [String: String]

    public init(name: String, displayName: String? = nil, attributes: [String: String] = [:]) {
        (self.name, self.displayName, self.attributes) = (name, displayName ?? name, attributes)
    }
}
