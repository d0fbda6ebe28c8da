import Authentication
import Core
import Foundation
import Installation
import Tokens

/// The scopes of tokens: the names of realms, and `RegisteredClient`, which every registered client has.
extension ClientProtocolHandler {
    /// More than this no procedure needs.
    private static let mostScopes = 50
    /// The longest scope, in bytes.
    private static let longestScope = 4096

    /// Returns the scopes that a client asks for, with the SDKs' default scope replaced by the realms of its application's test.
    ///
    /// - Returns: the scopes, and the string that the response must name instead; `nil` for their own names. A string that is too long is one scope,
    ///   which is unknown.
    func scopes(_ text: String, requirements: SecurityRequirements) -> (scopes: [String], text: String?) {
        guard text.utf8.count <= Self.longestScope else { return ([text], nil) }
        let given = text.split(separator: " ").map(String.init)
        guard given.contains(AuthorizationServer.defaultScope) else { return (given, nil) }
        var scopes: [String] = []
        for scope in given {
            let own =
                scope == AuthorizationServer.defaultScope
                ? [AuthorizationServer.registeredScope] + requirements.userRealms : [scope]
            scopes += own.filter { !scopes.contains($0) }
        }
        return (scopes, text)
    }

    /// Returns the problem with the scopes that a client asks for; `nil` when they can be granted.
    func problem(ofScopes scopes: [String]) -> String? {
        guard scopes.count <= Self.mostScopes else { return "more than \(Self.mostScopes) scopes" }
        let unknown = scopes.first { scope in
            scope != AuthorizationServer.registeredScope && BuiltInRealm(rawValue: scope) == nil
                && security.gate.realms[scope] == nil
        }
        return unknown.map { "there is no scope '\($0.prefix(100))'" }
    }

    /// Returns true if a scope requires a logged-in user. The other built-in realms are proven otherwise, or never asked for; tests that name them
    /// ask for no scope.
    func needsLogin(forScope scope: String) -> Bool {
        security.gate.realms[scope] != nil || scope == BuiltInRealm.anonymousUser.rawValue
    }

    /// Returns the scopes that a token for these scopes grants to a session whose users are logged in.
    func grants(_ scopes: [String], in session: ServerSession) -> [GrantedScope] {
        let (now, uptime) = (installation.time.now, installation.time.uptime)
        let life = security.authorization.tokenLife
        return (scopes.isEmpty ? [AuthorizationServer.registeredScope] : scopes).map { scope in
            let login = needsLogin(forScope: scope) ? security.gate.login(to: scope, of: session) : nil
            if let login { security.authorization.logins.note(login, of: session) }
            let rest = login?.deadline.map { min(life, $0 - uptime) } ?? life
            return GrantedScope(scope, expires: now.addingTimeInterval(rest / .seconds(1)), login: login?.id)
        }
    }

    /// The session of a scope's login; `nil` when the login is over.
    ///
    /// A token keeps the session of its logins from running out, as its cookie does.
    func session(of scope: GrantedScope) -> ServerSession? {
        guard let login = scope.login, let session = security.authorization.logins.session(of: login) else {
            return nil
        }
        switch security.sessions.find([session.id[...]]) {
        case .session(let found) where found === session: break
        case .renamed(let renamed) where renamed === session: break
        default: return nil
        }
        return security.gate.login(to: scope.name, of: session)?.id == login ? session : nil
    }
}
