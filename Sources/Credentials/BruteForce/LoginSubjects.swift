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

extension LoginSubjects {
    /// Whether all names and texts are one name, in different spellings perhaps. The empty text stands for any.
    public var isOneName: Bool {
        let names = Set(users.union(texts).map { LoginNames.user($0, realm: "") })
        return names.count == 1 && !texts.contains("")
    }
}

/// The keys under which a login counts.
struct LoginKeys: Sendable, Equatable {
    /// By key, the name that it is for. The same for all networks.
    private(set) var users: [String: String] = [:]
    /// By key, the text that it is for: one for each network.
    private(set) var near: [String: String] = [:]
    /// For all networks; the key is the text.
    private(set) var texts: Set<String> = []

    /// No keys.
    init() {}

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
            near[name + "\0" + address] = name
            // The empty name is not one user's. Where the user has a name, a text is rather what many users send.
            if name != nothing, subjects.users.isEmpty { texts.insert(name) }
        }
    }

    /// Those for these names.
    func only(_ names: Set<String>) -> LoginKeys {
        var keys = self
        keys.users = users.filter { names.contains($0.value) }
        keys.near = near.filter { names.contains($0.value) }
        keys.texts = texts.intersection(names)
        return keys
    }
}
