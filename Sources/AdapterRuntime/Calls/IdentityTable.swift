public import Core

/// The identities of a session's users, by realm.
///
/// Credentials are not part of an identity: clients, logs and the console get identities, and credentials only scripts and back ends.
struct IdentityTable: Sendable {
    private var identities = JSONObject()
    private var credentials: [String: JSONValue] = [:]

    subscript(realm: String) -> JSONValue? { identities[realm] }

    /// Returns the member `credentials` of the identity that was set.
    func credentials(in realm: String) -> JSONValue? { credentials[realm] }

    var realms: [String] { identities.keys }

    /// The same user may be set again, with other attributes; another one only after a logout (server-api 2.6).
    mutating func set(
        _ identity: JSONValue?, credentials: JSONValue? = nil, in realm: String
    ) throws(IdentityChangeError) {
        if let identity, let current = identities[realm], !current.isSameUser(as: identity) {
            throw IdentityChangeError(realm: realm)
        }
        identities[realm] = identity
        self.credentials[realm] = identity == nil ? nil : credentials
    }
}

extension JSONValue {
    /// The id of an identity's user: `userId` as a string. Scripts may set a number (server-api 2.6).
    public var userID: String? {
        switch self["userId"] {
        case .string(let text): text
        case .number(let number): JSONValue.number(number).text
        case .array, .object, .bool, .null, nil: nil
        }
    }

    /// Returns whether two identities are of the same user, by ``userID``. Identities without it are of the same user only when they are
    /// equal.
    public func isSameUser(as other: JSONValue) -> Bool {
        guard let id = userID, let otherID = other.userID else { return self == other }
        return id == otherID
    }
}

/// Another user is logged in to the realm.
public struct IdentityChangeError: Error, Sendable, Hashable, CustomStringConvertible {
    public let realm: String

    /// The original's message, which scripts may search for.
    public var description: String {
        "Cannot change identity of an already logged in user in realm '\(realm)'. The application must logout first."
    }
}
