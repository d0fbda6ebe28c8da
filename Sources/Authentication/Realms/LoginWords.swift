/// The meaning of texts in a call's arguments, by the names of their members and parameters, and of procedures by theirs.
///
/// Authors choose these names, clients do not: a procedure reads a password only where its author expects one.
enum LoginWords {
    /// The meaning of a text.
    enum Meaning: Sendable, Hashable {
        case user
        case password
        /// Never the name of a user: an action, a language.
        case ordinary
        case unknown
    }

    private static let users: Set = [
        "account", "benutzer", "benutzername", "cpf", "customer", "customerid", "dni", "email", "identifiant",
        "jusername", "kunde", "kundennummer", "login", "loginid", "loginname", "logon", "logonid", "logonname",
        "mail", "member", "memberid", "mobile", "msisdn", "name", "phone", "rut", "uid", "uname", "user", "usercode",
        "userid", "username", "userno", "usr", "usuario", "utente", "utilisateur",
    ]
    private static let passwords: Set = [
        "clave", "contrasena", "contraseña", "credencial", "credential", "credentials", "kennwort", "mdp", "mpin",
        "otp", "parola", "pass", "passcode", "passphrase", "pin", "psw", "pw", "secret", "senha", "tan", "tpin",
        "upass", "wachtwoord",
    ]
    /// Parts of words written without a mark between them: `newpassword`, `userpwd`.
    private static let passwordParts = ["passw", "pwd", "pswd", "pswrd", "userpass"]
    /// Codes that are secret; others are not.
    private static let secretCodes: Set = [
        "accesscode", "activationcode", "authcode", "confirmationcode", "logincode", "securitycode", "smscode",
        "verificationcode",
    ]
    /// The last word of a name.
    private static let ordinary: Set = [
        "action", "channel", "cmd", "command", "country", "currency", "date", "env", "environment", "fn", "format",
        "func",
        "function", "kind", "lang", "language", "locale", "method", "mode", "model", "op", "operation", "os",
        "platform",
        "procedure", "service", "step", "time", "timestamp", "timezone", "type", "version",
    ]
    private static let logins = ["anmeld", "authent", "authoriz", "login", "logon", "signin", "signon"]
    /// First words of procedures that ask about logins.
    private static let questions: Set = ["get", "has", "is", "list"]

    /// First words of procedures that take a new user's password.
    private static let registrations: Set = ["create", "register", "signup"]

    /// Returns the meaning of the texts in a member or parameter of that name.
    static func meaning(of name: String) -> Meaning {
        // One letter means something only where it is the whole name: 'p1' and 'u2' are numbered arguments.
        switch name.lowercased() {
        case "p": return .password
        case "u": return .user
        default: break
        }
        // The prefix of 'p_username' says nothing.
        let words = Array(words(of: name).drop { $0.count == 1 })
        let joined = words.joined()
        // 'passwordUser' is a user's name.
        if let last = words.last, words.count > 1, users.contains(last) {
            return users.contains(joined) ? .user : .unknown
        }
        if !passwords.isDisjoint(with: words) || passwordParts.contains(where: joined.contains)
            || secretCodes.contains(joined)
        {
            return .password
        }
        if let last = words.last, ordinary.contains(last) { return .ordinary }
        return users.contains(joined) ? .user : .unknown
    }

    /// Whether a procedure's name says that it logs in.
    static func saysLogin(_ procedure: String) -> Bool {
        let words = words(of: procedure)
        guard let first = words.first, !questions.contains(first) else { return false }
        let joined = words.joined()
        return words.contains("auth") || logins.contains { joined.contains($0) }
    }

    /// Whether a procedure's name says that it registers a user, whose password it does not check.
    static func saysNewUser(_ procedure: String) -> Bool {
        words(of: procedure).first.map(registrations.contains) ?? false
    }

    /// The words of a name such as `userPassword`, `user_password` or `userPIN`, in lower case. Longer names are cut.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        var isInside = false
        var wasUpper = false
        for character in name.prefix(64) {
            guard character.isLetter else {
                isInside = false
                continue
            }
            let isUpper = character.isUppercase
            if isInside, !isUpper || wasUpper {
                words[words.count - 1] += character.lowercased()
            } else {
                words.append(character.lowercased())
                isInside = true
            }
            wasUpper = isUpper
        }
        return words
    }
}
