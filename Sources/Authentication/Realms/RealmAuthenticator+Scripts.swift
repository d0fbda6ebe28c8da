import AdapterRuntime
import Core
import Logging

/// The response that an authenticator of the project has written.
public struct AuthenticatorAnswer: Sendable, Hashable {
    public let status: Int
    /// The headers that the script set. The transport refuses those that only the server may set.
    public let headers: [Header]
    public let body: String

    /// A field of the header.
    public struct Header: Sendable, Hashable {
        public let name: String
        public let value: String
    }

    /// - Parameter response: `{status, type, headers, body}`.
    init(_ response: JSONValue?) {
        let status = response?["status"]?.number.flatMap { Int(exactly: $0) } ?? 200
        self.status = (200...599).contains(status) ? status : 200
        var headers = (response?["headers"]?.array ?? []).prefix(100).compactMap { pair -> Header? in
            guard let name = pair.array?.first?.string, let value = pair.array?.last?.string else { return nil }
            return Header(name: name, value: value)
        }
        if let type = response?["type"]?.string { headers.append(Header(name: "Content-Type", value: type)) }
        self.headers = headers
        body = response?["body"]?.string ?? ""
    }
}

/// Realms whose authenticator or login module is a script of the project's (`server/authentication`).
///
/// A user is logged in only if the authenticator returns SUCCESS, the login module returns true, and the identity names a user. All other
/// results, such as a thrown error, an exceeded limit or an unknown status, log nobody in.
extension RealmAuthenticator {
    /// The result of a call of an authenticator.
    enum ScriptOutcome: Sendable {
        /// The user is logged in; with a response that replaces the request's.
        case passed(AuthenticatorAnswer?)
        case challenge(LoginChallenge)
        case notRecognized
    }

    /// Calls the authenticator of a realm for a request.
    func pass(_ realm: Realm, _ script: RealmScript, _ visit: RealmRequest) async -> LoginChallenge? {
        visit.session.pendingRealm = realm.name
        switch await process("processRequest", realm, script, visit, ["isAccess": true]) {
        case .passed(let answer): return answer.map { .written($0) }
        case .challenge(let challenge): return challenge
        case .notRecognized:
            return .refused(realm: realm.name, reason: "the authenticator does not recognize this request")
        }
    }

    /// Shows an authenticator a request of a user who is logged in.
    func reauthenticate(_ realm: Realm, _ script: RealmScript, _ visit: RealmRequest) async -> LoginChallenge? {
        guard script.seesAuthenticated else { return nil }
        switch await process("processRequestAlreadyAuthenticated", realm, script, visit) {
        case .passed(let answer): return answer.map { .written($0) }
        case .challenge(let challenge): return challenge
        case .notRecognized: return nil
        }
    }

    /// Shows a request that nothing else recognizes to the authenticators of the project, such as a form that is posted to an address of theirs. The
    /// realm that has asked the client last comes first.
    ///
    /// - Returns: the response; `nil` when none recognizes it.
    public func offer(_ visit: RealmRequest) async -> LoginChallenge? {
        let pending = visit.session.pendingRealm
        let ordered = realms.scripted.sorted { left, _ in left.realm.name == pending }
        for (realm, script) in ordered {
            let isLoggedIn = identity(in: realm.name, of: visit.session) != nil
            if isLoggedIn, !script.seesAuthenticated { continue }
            let outcome = await process(
                isLoggedIn ? "processRequestAlreadyAuthenticated" : "processRequest", realm, script, visit,
                ["isAccess": false])
            switch outcome {
            case .passed(let answer): return .written(answer ?? AuthenticatorAnswer(nil))
            case .challenge(let challenge): return challenge
            case .notRecognized: continue
            }
        }
        return nil
    }

    private func process(
        _ function: String, _ realm: Realm, _ script: RealmScript, _ visit: RealmRequest, _ arguments: JSONObject = [:]
    ) async -> ScriptOutcome {
        guard let result = await call(function, of: script, realm, visit, arguments) else {
            return failed(realm)
        }
        switch result["status"]?.string {
        case "SUCCESS" where function == "processRequest":
            return await logIn(realm, script, data: result["data"] ?? .null, visit)
        case "SUCCESS" where function == "processRequestAlreadyAuthenticated": return .notRecognized
        case "CLIENT_INTERACTION_REQUIRED":
            if let json = result["json"] { return .challenge(.script(realm: realm.name, json: json)) }
            return .challenge(.written(AuthenticatorAnswer(result["response"])))
        case "REQUEST_NOT_RECOGNIZED": return .notRecognized
        case "FAILURE":
            visit.session.logOut(of: realm.name)
            return .challenge(.failure(realm: realm.name, json: result["json"] ?? [:]))
        default:
            logger.error(
                """
                realm \(realm.name): \(function) of \(script.name) returned \(result["status"]?.text ?? "nothing"); expected \
                AuthenticationStatus.SUCCESS, CLIENT_INTERACTION_REQUIRED, REQUEST_NOT_RECOGNIZED or FAILURE, as a result of \
                AuthenticationResult.createFrom or by itself
                """)
            return failed(realm)
        }
    }

    private func failed(_ realm: Realm) -> ScriptOutcome {
        .challenge(.refused(realm: realm.name, reason: "logging in is not possible at the moment; the log says why"))
    }

    /// The login module's verdict on a user's credentials.
    enum Verdict: Sendable {
        case accepted(JSONObject)
        case refused(message: String?)
        case impossible
    }

    private func logIn(_ realm: Realm, _ script: RealmScript, data: JSONValue, _ visit: RealmRequest) async
        -> ScriptOutcome
    {
        let user = data["username"]?.string ?? data["user"]?.string
        // Without a name, two typing errors must not slow down the logins of others behind the same address.
        let key = loginKeys[realm.name].map { data[$0].flatMap(\.loginKey) } ?? user
        let password = data["password"]?.string ?? ""
        let verdict: Verdict
        do {
            verdict = try await throttle.attempt(realm: realm.name, user: key, network: visit.network) {
                let verdict = await self.check(realm, data: data, user: user ?? "", password: password, visit)
                switch verdict {
                case .accepted: return (verdict, .accepted)
                case .refused: return (verdict, .refused)
                case .impossible: return (verdict, .undecided)
                }
            }
        } catch {
            log.reached(error.limit, by: visit.request.remoteAddress, "refused a login to '\(realm.name)' with 429")
            return .challenge(.tooMany(error))
        }
        switch verdict {
        case .impossible: return failed(realm)
        case .accepted(let found):
            var identity = JSONValue.object(found)
            let own = identity.takeCredentials()
            var proof = ServerSession.LoginProof.check
            if case .nonValidating = realm.loginModule { proof = .claim }
            logIn(
                identity, to: realm, visit.session, by: proof,
                password: own.isSet ? own.text : kept(password))
            if answer(for: realm, in: visit) != nil { visit.session.noteAnswered(realm: realm.name) }
            guard let result = await call("changeResponseOnSuccess", of: script, realm, visit) else {
                visit.session.logOut(of: realm.name)
                return failed(realm)
            }
            return .passed(result["written"] == true ? AuthenticatorAnswer(result["response"]) : nil)
        case .refused(let message):
            logger.notice(
                "a login was refused",
                metadata: ["realm": "\(realm.name)", "address": "\(visit.request.remoteAddress)"])
            let outcome = await process(
                "processAuthenticationFailure", realm, script, visit, ["message": message.map { .string($0) } ?? .null])
            guard case .notRecognized = outcome else { return outcome }
            return .challenge(.refused(realm: realm.name, reason: message ?? "the login was refused"))
        }
    }

    func check(
        _ realm: Realm, data: JSONValue, user: String, password: String, _ visit: RealmRequest
    ) async -> Verdict {
        guard case .script(let module) = realm.loginModule else {
            do {
                let identity = try await realm.loginModule.identity(user: user, password: password)
                return identity?.object.map { .accepted($0) } ?? .refused(message: nil)
            } catch {
                logger.error("realm \(realm.name): nobody can log in: \(error)")
                return .impossible
            }
        }
        let arguments: JSONObject = ["data": data, "module": .string(module.name)]
        guard let result = await call("login", of: module, realm, visit, arguments, secrets: [password]) else {
            return .impossible
        }
        guard result["isAccepted"] == true else { return .refused(message: result["message"]?.string) }
        var identity = result["identity"]?.object ?? [:]
        if identity["userId"] == nil { identity["userId"] = identity["name"] ?? data["username"] }
        guard let name = JSONValue.object(identity).userID, !name.isEmpty, !name.hasControlCharacters else {
            logger.error(
                """
                realm \(realm.name): createIdentity of \(module.name) names no user; expected new UserIdentity(loginModule, name, …) \
                or an object with 'userId'
                """)
            _ = await call("abort", of: module, realm, visit)
            return .impossible
        }
        return .accepted(identity)
    }

    /// Notifies a realm's login module of a logout.
    ///
    /// - Parameter secrets: the user's credentials, which logs do not show.
    func noteLogout(of realm: Realm, _ secrets: [String], _ visit: RealmRequest) async {
        if case .script(let module) = realm.loginModule {
            _ = await call("logout", of: module, realm, visit, secrets: secrets)
        }
    }

    /// Returns the client's response to a challenge of Worklight's protocol.
    private func answer(for realm: Realm, in visit: RealmRequest) -> JSONValue? {
        guard let header = visit.request.header("Authorization"), let answers = try? JSONValue(parsing: header) else {
            return nil
        }
        return answers[realm.name]
    }

    /// - Returns: `nil` when the script threw or met a limit; the log has that.
    private func call(
        _ function: String, of script: RealmScript, _ realm: Realm, _ visit: RealmRequest,
        _ arguments: JSONObject = [:],
        secrets: [String] = []
    ) async -> JSONObject? {
        var call = arguments
        call["function"] = .string(function)
        call["options"] = .object(script.options)
        call["realm"] = .string(realm.name)
        call["answer"] = answer(for: realm, in: visit)
        var caller = Caller(
            session: visit.session.client, request: visit.request, logins: RequestLoginVisibility.current)
        caller.secrets = secrets.filter { !$0.isEmpty }
        return await runtime.callRealmScript(script.name, call, caller: caller)
    }
}

extension JSONValue {
    /// Takes the member `credentials` out of an identity.
    ///
    /// - Returns: whether the member is present, and the credentials if they are a string.
    mutating func takeCredentials() -> (isSet: Bool, text: String?) {
        guard var object, let credentials = object["credentials"] else { return (false, nil) }
        object["credentials"] = nil
        self = .object(object)
        return (true, credentials.string)
    }
}

extension JSONValue {
    /// The value as the name that a login concerns; `nil` for `null` and for an empty string.
    fileprivate var loginKey: String? {
        switch self {
        case .null, "": nil
        case .string(let string): string
        default: text
        }
    }
}
