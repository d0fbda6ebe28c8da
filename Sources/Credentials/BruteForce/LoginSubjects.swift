/// The texts that may be the name of a login's user.
public struct LoginSubjects: Sendable, Hashable {
    /// Names of users.
    public var users: Set<String>
    /// Texts that may be names of users, and may be something that all users send. Their failures count for the login's network,
    /// and only many of them for other networks: nobody can stop the logins of others by failing with a text that these send as
    /// well.
    public var texts: Set<String>

    public init(users: Set<String> = [], texts: Set<String> = []) {
        (self.users, self.texts) = (users, texts)
    }
}

/// The keys under which a login counts.
struct LoginKeys: Sendable {
    /// By key, the name that it is for.
    private(set) var users: [String: String] = [:]
    /// For all networks; the key is the name.
    private(set) var texts: Set<String> = []

    /// - Parameter address: as `LoginNames` writes it.
    init(_ subjects: LoginSubjects, realm: String, address: String) {
        for user in subjects.users {
            let name = LoginNames.user(user, realm: realm)
            users[name] = name
        }
        let nothing = LoginNames.user("", realm: realm)
        for text in subjects.texts {
            let name = LoginNames.user(text, realm: realm)
            // Names have no control characters.
            users[name + "\0" + address] = name
            // The empty name is not one user's.
            if name != nothing { texts.insert(name) }
        }
    }

    /// Those for these names.
    func only(_ names: Set<String>) -> LoginKeys {
        var keys = self
        keys.users = users.filter { names.contains($0.value) }
        keys.texts = texts.intersection(names)
        return keys
    }
}
