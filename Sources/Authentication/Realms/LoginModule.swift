import Core
public import Credentials
public import Tokens

/// The check of a user's credentials, named as the classes of the original (server-api 5.3).
public enum LoginModule: Sendable {
    /// `NonValidatingLoginModule`: believes everybody. For development.
    case nonValidating
    /// `SingleIdentityLoginModule`: one user, named in worklight.properties.
    case singleIdentity(user: String, password: String)
    /// `RejectingLoginModule`: believes nobody.
    case rejecting
    /// `HeaderLoginModule`: the headers in which a proxy names the user.
    case header(user: String, displayName: String?)
    /// `LdapLoginModule`, `RDBMSLoginModule`, and ours for password files.
    case directory(any PasswordDirectory)
    /// Ours: tokens of an OpenID Connect provider.
    case openID(OpenIDConnect)
    /// `UserCertificateLoginModule`: the user of the client's certificate.
    case certificate
    /// The project's own, in JavaScript.
    case script(RealmScript)
    /// None is needed: the authenticator knows by itself.
    case none
    /// A module that this server does not implement; the reason includes the remedy.
    case unavailable(reason: String)

    /// Checks a name and a password.
    ///
    /// - Returns: the user's identity; `nil` when the name or the password is wrong.
    /// - Throws: ``LoginUnavailableError`` when the password cannot be checked.
    func identity(user: String, password: String) async throws(LoginUnavailableError) -> JSONValue? {
        // A user with an empty name would be the same as no user.
        guard !user.isEmpty, !user.hasControlCharacters else { return nil }
        switch self {
        case .nonValidating:
            return IdentityObject.make(name: user)
        case .singleIdentity(let name, let expected):
            let (isUser, isPassword) = (user.isSame(as: name), password.isSame(as: expected))
            // Not by `? :`, where nil would be JSON's null, and so a user.
            guard isUser, isPassword else { return nil }
            return IdentityObject.make(name: name)
        case .directory(let directory):
            do {
                guard let found = try await directory.user(named: user, password: password) else { return nil }
                return IdentityObject.make(
                    name: found.name, displayName: found.displayName, attributes: found.attributes)
            } catch {
                throw LoginUnavailableError(reason: "\(error)")
            }
        case .rejecting, .header, .openID, .none, .script, .certificate:
            return nil
        case .unavailable(let reason):
            throw LoginUnavailableError(reason: reason)
        }
    }
}

/// Nobody can say whether the user may log in.
public struct LoginUnavailableError: Error, Sendable, Hashable, CustomStringConvertible {
    public let reason: String

    public init(reason: String) {
        self.reason = reason
    }

    public var description: String { reason }
}
