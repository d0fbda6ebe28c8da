public import AdapterRuntime
public import Core
import Foundation
public import Logging
public import PushModel
import Tokens

/// The challenge for a client that must log in first.
public enum LoginChallenge: Sendable, Hashable {
    /// A login page, as HTML.
    case page(String)
    /// The response that an authenticator of the project has written.
    case written(AuthenticatorAnswer)
    /// A challenge of Worklight's protocol, which an authenticator of the project's own has made.
    case script(realm: String, json: JSONValue)
    /// A failure that no further response changes, reported by an authenticator of the project.
    case failure(realm: String, json: JSONValue)
    /// `302` to a login page.
    case redirect(LoginForm.Redirect)
    /// The value that an adapter's login function returned.
    case object(ProcedureResult)
    /// `401` with `WWW-Authenticate: Basic`.
    case basic(realm: String)
    /// `401` with `WWW-Authenticate: Bearer`; the error of RFC 6750 if the request had a token.
    case bearer(error: String?)
    /// Logins to the realm are not possible, or not by this kind of request.
    case refused(realm: String, reason: String)
    /// Too many passwords were refused at the client's address.
    case tooMany(TooManyLoginsError)
}

/// Lets users into realms (wire-protocol 6).
public final class RealmAuthenticator: Sendable {
    public let realms: RealmTable
    let runtime: AdapterRuntime
    let throttle: LoginThrottle
    /// The members of login data that identify the login, keyed by realm.
    let loginKeys: [String: String]
    private let time: any TimeSource
    let logger: Logger
    let log: LogLimiter

    /// - Parameters:
    ///   - refusals: the number of refused passwords within a minute, in one realm from one network, after which further ones are slow;
    ///     adapter responses that ask for a login count too.
    ///   - loginKeys: the members of login data that identify the login, keyed by realm (`loginKeys`). For other realms it is
    ///     `username` or `user`.
    public init(
        realms: RealmTable, runtime: AdapterRuntime, refusals: Int = 30, loginKeys: [String: String] = [:],
        time: any TimeSource, logger: Logger, guards: GuardCounters = .none
    ) {
        self.realms = realms
        self.runtime = runtime
        throttle = LoginThrottle(time: time, refusals: refusals)
        self.loginKeys = loginKeys
        self.time = time
        self.logger = logger
        log = LogLimiter(logger: logger, time: time, guards: guards)
    }

    /// A request for access.
    public struct RealmRequest: Sendable {
        public let session: ServerSession
        public let request: ClientRequest
        /// True if the request comes from a proxy that is trusted to name the user.
        public let isFromTrustedProxy: Bool
        /// The network of the client, for limits: an IPv4 address or the /64 of an IPv6 one.
        public let network: String
        /// Returns the common name of the client's verified certificate; `nil` without one.
        let certificateUser: @Sendable () -> String?

        public init(
            session: ServerSession, request: ClientRequest, isFromTrustedProxy: Bool, network: String,
            certificateUser: @escaping @Sendable () -> String? = { nil }
        ) {
            self.session = session
            self.request = request
            self.isFromTrustedProxy = isFromTrustedProxy
            self.network = network
            self.certificateUser = certificateUser
        }
    }

    /// Returns the identity of the user who is logged in to a realm.
    public func identity(in realm: String, of session: ServerSession) -> JSONValue? {
        session.identity(in: realm, at: time.uptime)
    }

    /// Returns the user who is logged in to a realm; `nil` without a login.
    public func user(in realm: String, of session: ServerSession) -> RealmUser? {
        identity(in: realm, of: session)?.userID.map { RealmUser(id: $0, realm: realm) }
    }

    /// Returns the login to a realm; `nil` without one.
    public func login(to realm: String, of session: ServerSession) -> RealmLogin? {
        session.login(to: realm, at: time.uptime, deadline: realms[realm].flatMap(deadline))
    }

    /// Returns the challenge of the first of some realms without a login.
    ///
    /// - Returns: the challenge to show; `nil` when all have a login.
    public func challenge(for names: [String], _ visit: RealmRequest) async -> LoginChallenge? {
        await forgetOthers(names, visit)
        for name in names {
            guard let realm = realms[name], case .script(let script) = realm.authenticator,
                identity(in: name, of: visit.session) != nil
            else { continue }
            if let challenge = await reauthenticate(realm, script, visit) { return challenge }
        }
        for name in names where identity(in: name, of: visit.session) == nil {
            if let challenge = await challenge(for: name, visit) { return challenge }
        }
        return nil
    }

    /// A proxy, or the client's certificate, names the user with every request. When it names another one, the session's is logged out.
    private func forgetOthers(_ names: [String], _ visit: RealmRequest) async {
        for name in names {
            guard let realm = realms[name], let current = identity(in: name, of: visit.session) else { continue }
            let named: String?
            switch (realm.authenticator, realm.loginModule) {
            case (.header, .header(let user, _)):
                named = visit.isFromTrustedProxy ? visit.request.header(user) : nil
            case (.certificate, _): named = visit.certificateUser()
            default: continue
            }
            guard let named, current.userID != named else { continue }
            visit.session.logOut(of: name)
            // Variables of adapters are the former user's.
            await runtime.endSession(id: visit.session.client.id)
        }
    }

    private func challenge(for name: String, _ visit: RealmRequest) async -> LoginChallenge? {
        if name == BuiltInRealm.anonymousUser.rawValue {
            visit.session.logIn(
                IdentityObject.make(name: visit.session.persistentID), to: name, until: nil, by: .cookie)
            return nil
        }
        guard let realm = realms[name] else {
            return .refused(realm: name, reason: "the realm '\(name)' is not defined")
        }
        switch realm.authenticator {
        case .form(let form):
            visit.session.pendingRealm = name
            return form.redirect.map { .redirect($0) } ?? .page(form.page.html())
        case .basic(let realmName):
            return await passBasic(realm, named: realmName, visit)
        case .header:
            return passHeader(realm, visit)
        case .adapter(let login, _):
            return .object(await askAdapter(login, visit))
        case .persistentCookie(let cookie):
            let visitor = cookie.map { visit.session.visitor(of: $0, in: visit.request) } ?? visit.session.persistentID
            logIn(IdentityObject.make(name: visitor), to: realm, visit.session, by: .cookie)
            return nil
        case .certificate:
            guard let user = visit.certificateUser() else {
                return .refused(realm: name, reason: "the client showed no certificate that names a user")
            }
            return await passCertificate(of: user, realm, visit)
        case .bearer:
            return await passBearer(realm, visit)
        case .script(let script):
            return await pass(realm, script, visit)
        case .unavailable(let reason):
            return .refused(realm: name, reason: reason)
        }
    }

    // MARK: Form

    /// The result of a posted login form.
    public enum FormOutcome: Sendable, Hashable {
        case loggedIn
        /// The page again, with the error.
        case page(String)
        /// `302` to the login page, which is somewhere else.
        case redirect(LoginForm.Redirect)
        /// The page again, since the password was not checked.
        case tooMany(page: String, TooManyLoginsError)
    }

    private enum LoginOutcome: Sendable {
        /// The user's identity.
        case accepted(JSONValue)
        /// A message for the user. The same whether the name or the password was wrong.
        case refused(String)
        case tooMany(TooManyLoginsError)
    }

    /// Takes a posted form. It names no realm, so it is for the realm whose page the session was shown last.
    public func submitForm(user: String, password: String, _ visit: RealmRequest) async -> FormOutcome {
        guard let realm = visit.session.pendingRealm.flatMap({ realms[$0] }) ?? realms.onlyForm,
            case .form(let form) = realm.authenticator
        else { return .page(LoginPage.standard.html(error: "Nobody was asked to log in. Start again.")) }
        switch await logIn(to: realm, user: user, password: password, visit) {
        case .accepted: return .loggedIn
        case .refused(let message):
            if let redirect = form.redirect, case .url = redirect { return .redirect(redirect) }
            return .page(form.page.html(error: message))
        case .tooMany(let error): return .tooMany(page: form.page.html(error: "\(error)"), error)
        }
    }

    private func logIn(to realm: Realm, user: String, password: String, _ visit: RealmRequest) async -> LoginOutcome {
        let outcome: LoginOutcome
        do {
            outcome = try await throttle.attempt(realm: realm.name, user: user, network: visit.network) {
                await self.check(user, password, in: realm, visit)
            }
        } catch {
            log.reached(error.limit, by: visit.request.remoteAddress, "refused a login to '\(realm.name)' with 429")
            return .tooMany(error)
        }
        switch outcome {
        case .accepted(var identity):
            var proof = ServerSession.LoginProof.check
            if case .nonValidating = realm.loginModule { proof = .claim }
            // A login module of the project's own may have set others.
            let own = identity.takeCredentials()
            logIn(identity, to: realm, visit.session, by: proof, password: own.isSet ? own.text : kept(password))
        case .refused(let message):
            logger.notice(
                "a login was refused",
                metadata: [
                    "realm": "\(realm.name)", "reason": "\(message)", "address": "\(visit.request.remoteAddress)",
                ])
        case .tooMany: break
        }
        return outcome
    }

    private func check(
        _ user: String, _ password: String, in realm: Realm, _ visit: RealmRequest
    ) async -> (LoginOutcome, LoginThrottle.Outcome) {
        if case .script = realm.loginModule {
            let data: JSONValue = ["username": .string(user), "password": .string(password)]
            switch await check(realm, data: data, user: user, password: password, visit) {
            case .accepted(let identity): return (.accepted(.object(identity)), .accepted)
            case .refused(let message):
                return (.refused(message ?? "The user name or the password is not right."), .refused)
            case .impossible: return (.refused("Logging in is not possible at the moment."), .undecided)
            }
        }
        do {
            if let identity = try await realm.loginModule.identity(user: user, password: password) {
                return (.accepted(identity), .accepted)
            }
            return (.refused("The user name or the password is not right."), .refused)
        } catch {
            logger.error("realm \(realm.name): nobody can log in: \(error)")
            return (.refused("Logging in is not possible at the moment."), .undecided)
        }
    }

    /// Returns the password of a login, if a back end needs it later. Very long ones are not kept: clients could fill the memory with
    /// them.
    func kept(_ password: String) -> String? {
        runtime.authenticatesEndUsers && (1...1024).contains(password.utf8.count) ? password : nil
    }

    func logIn(
        _ identity: JSONValue, to realm: Realm, _ session: ServerSession, by proof: ServerSession.LoginProof = .check,
        password: String? = nil
    ) {
        session.logIn(identity, to: realm.name, until: deadline(of: realm), by: proof, password: password)
    }

    private func deadline(of realm: Realm) -> Duration? {
        realm.expiration.map { time.uptime + $0 }
    }

    /// Begins to count the time of users whom a script has logged in.
    ///
    /// - Parameter changed: the realms that the request logged users in to.
    /// - Returns: whether a user has logged in since the last call, by a script or otherwise.
    public func noteLogins(of session: ServerSession, in changed: Set<String>) -> Bool {
        session.noteLogins(in: changed) { name in realms[name].flatMap(deadline) }
    }

    // MARK: Other authenticators

    private func passBasic(_ realm: Realm, named name: String, _ visit: RealmRequest) async -> LoginChallenge? {
        guard let credentials = visit.request.header("Authorization").flatMap(BasicCredentials.init) else {
            return .basic(realm: name)
        }
        switch await logIn(to: realm, user: credentials.user, password: credentials.password, visit) {
        case .accepted: return nil
        case .refused: return .basic(realm: name)
        case .tooMany(let error): return .tooMany(error)
        }
    }

    private func passHeader(_ realm: Realm, _ visit: RealmRequest) -> LoginChallenge? {
        guard case .header(let user, let displayName) = realm.loginModule else {
            return .refused(realm: realm.name, reason: "the realm's login module is not a HeaderLoginModule")
        }
        guard visit.isFromTrustedProxy else {
            return .refused(
                realm: realm.name,
                reason: "users of this realm come through a proxy; this request does not come from one")
        }
        guard let name = visit.request.header(user), !name.isEmpty else {
            return .refused(realm: realm.name, reason: "the proxy names no user")
        }
        guard !name.hasControlCharacters else {
            return .refused(realm: realm.name, reason: "the user's name has a control character")
        }
        logIn(
            IdentityObject.make(name: name, displayName: displayName.flatMap { visit.request.header($0) }), to: realm,
            visit.session)
        return nil
    }

    private func passCertificate(of user: String, _ realm: Realm, _ visit: RealmRequest) async -> LoginChallenge? {
        var identity = IdentityObject.make(name: user)
        switch realm.loginModule {
        case .certificate, .nonValidating: break
        case .script:
            guard
                case .accepted(let own) = await check(
                    realm, data: ["username": .string(user)], user: user, password: "", visit)
            else { return .refused(realm: realm.name, reason: "the login module refuses the user of the certificate") }
            identity = .object(own)
        default:
            return .refused(
                realm: realm.name, reason: "the realm's login module is not UserCertificateLoginModule")
        }
        let credentials = identity.takeCredentials()
        logIn(identity, to: realm, visit.session, password: credentials.text)
        return nil
    }

    private func passBearer(_ realm: Realm, _ visit: RealmRequest) async -> LoginChallenge? {
        guard case .openID(let provider) = realm.loginModule else {
            return .refused(realm: realm.name, reason: "the realm's login module is not an OpenIDConnectLoginModule")
        }
        guard let header = visit.request.header("Authorization"), header.lowercased().hasPrefix("bearer ") else {
            return .bearer(error: nil)
        }
        do {
            let user = try await provider.verify(header.dropFirst(7).trimmingCharacters(in: .whitespaces))
            logIn(IdentityObject.make(name: user.user), to: realm, visit.session)
            return nil
        } catch let error as TokenError {
            logger.notice(
                "a token was refused",
                metadata: [
                    "realm": "\(realm.name)", "reason": "\(error)", "address": "\(visit.request.remoteAddress)",
                ])
            return .bearer(error: "invalid_token")
        } catch {
            logger.error("realm \(realm.name): no token can be verified: \(error)")
            return .refused(realm: realm.name, reason: "logging in is not possible at the moment")
        }
    }

    /// Asks an adapter what to show: its login function gets the request's headers and no message (server-api 5.3).
    private func askAdapter(_ function: AdapterFunction, _ visit: RealmRequest) async -> ProcedureResult {
        var headers = JSONObject()
        for header in visit.request.headers { headers[header.name] = .string(header.value) }
        let arguments: JSONValue = [.object(headers), .null]
        return await runtime.call(
            function: function.function, adapter: function.adapter, parameters: arguments.text,
            caller: Caller(
                session: visit.session.client, request: visit.request, logins: RequestLoginVisibility.current))
    }

    // MARK: Logging out

    /// Logs the session's user out of a realm, and notifies the realm's adapter.
    public func logOut(of name: String, _ visit: RealmRequest) async {
        let wasLoggedIn = identity(in: name, of: visit.session) != nil
        let secrets = visit.session.client.credentialTexts(in: name)
        visit.session.logOut(of: name)
        guard wasLoggedIn, let realm = realms[name] else { return }
        await noteLogout(of: realm, secrets, visit)
        guard case .adapter(_, let logout?) = realm.authenticator else { return }
        _ = await runtime.call(
            function: logout.function, adapter: logout.adapter, parameters: "[]",
            caller: Caller(
                session: visit.session.client, request: visit.request, logins: RequestLoginVisibility.current))
        // The function may be what both logs out and, for want of anything better, shows the login again.
        visit.session.logOut(of: name)
    }
}

/// The name and the password of `Authorization: Basic` (RFC 7617).
public struct BasicCredentials: Sendable {
    public let user: String
    public let password: String

    /// Reads the header's value; `nil` when it is of another kind, or damaged.
    public init?(_ header: String) {
        guard header.lowercased().hasPrefix("basic "),
            let data = Data(base64Encoded: header.dropFirst(6).trimmingCharacters(in: .whitespaces)),
            let text = String(bytes: data, encoding: .utf8),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        user = String(text[..<colon])
        password = String(text[text.index(after: colon)...])
    }
}
