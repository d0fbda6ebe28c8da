import AdapterRuntime
import Authentication
import Core
import HTTPServer
import HTTPTypes
import Installation
import Logging
import PushModel
import Storage

/// The actions of applications under `/apps/services/api/APPLICATION/ENVIRONMENT/` (wire-protocol 1).
extension ClientProtocolHandler {
    static let noApplication = "there is no such application for this environment"

    func answer(_ name: String, of application: ClientApplication, _ call: IncomingRequest) async -> Response {
        guard let action = ApplicationAction(rawValue: name) else {
            if case .admitted = security.policy.admission(of: application),
                let answer = await offered(call, to: application)
            {
                return answer
            }
            return ClientProtocolResponse.failure(
                .notFound,
                "there is no action '\(name.prefix(100))'; there are: "
                    + ApplicationAction.allCases.map(\.rawValue).joined(separator: ", "), status: .notFound)
        }
        switch security.policy.admission(of: application) {
        case .unknown(let reason):
            return ClientProtocolResponse.failure(.notFound, told(Self.noApplication, reason), status: .notFound)
        case .admitted(let requirements):
            return await inSession(call, application: application) { exchange in
                if action == .loginForm { return await submitForm(exchange) }
                return await retryWithCurrentPermit(permit(for: action, exchange)) {
                    permit async throws(StalePermitError) in
                    try await answer(action, exchange, permit, applicationRequirements: requirements)
                }
            }
        }
    }

    private func permit(for action: ApplicationAction, _ exchange: ClientRequestContext) -> CallPermit {
        switch action {
        case .query: permit(of: exchange.call)
        case .notifications: eventSourcePermit(exchange)
        default: .passed(securityTest: nil)
        }
    }

    private func answer(
        _ action: ApplicationAction, _ exchange: ClientRequestContext, _ permit: CallPermit,
        applicationRequirements: SecurityRequirements
    ) async throws(StalePermitError) -> Response {
        var requirements = applicationRequirements
        if !action.wantsApplicationUsers { requirements.userRealms = [] }
        if action == .login, let realm = exchange.fields["realm"], !realm.isEmpty, BuiltInRealm(rawValue: realm) == nil
        {
            requirements.userRealms = [realm]
        }
        if let refusal = await refusal(of: exchange, requirements.adding(self.requirements(for: permit))) {
            return refusal
        }
        return try await perform(action, exchange, permit)
    }

    /// Asks for the missing proofs: first that the request is not a forgery and which device it comes from, then who its
    /// user is.
    func refusal(of exchange: ClientRequestContext, _ requirements: SecurityRequirements) async -> Response? {
        if let refusal = handshake.refusal(of: exchange, needsDevice: requirements.device) { return refusal }
        if exchange.session.application != exchange.application { exchange.session.application = exchange.application }
        if let obstacle = requirements.obstacle {
            return Handshake.failure(realm: "(none)", ["reason": .string(told(Self.closed, obstacle))])
        }
        guard !requirements.userRealms.isEmpty else { return nil }
        return await security.gate.challenge(for: requirements.userRealms, exchange.visit).map(response(to:))
    }

    /// The message for resources that no client can reach.
    static let closed = "this is closed to everybody"

    /// A login challenge as clients get it.
    func response(to challenge: LoginChallenge) -> Response {
        guard case .refused(let realm, let reason) = challenge else {
            return challenge.response(under: contextRoot)
        }
        return LoginChallenge.refused(realm: realm, reason: told("logging in to this realm is not possible", reason))
            .response(under: contextRoot)
    }

    private func perform(
        _ action: ApplicationAction, _ exchange: ClientRequestContext, _ permit: CallPermit
    ) async throws(StalePermitError) -> Response {
        switch action {
        case .initialize: return await initialize(exchange)
        case .query: return try await query(exchange, permit)
        case .notifications: return try await changeSubscriptions(exchange, permit)
        case .login, .userInfo: return ClientProtocolResponse.wrapped(identities(exchange).all())
        case .logout: return await logOut(exchange)
        case .logActivity: return logActivity(exchange)
        case .setPreferences: return await setPreferences(exchange)
        case .deletePreference: return await deletePreference(exchange)
        case .composite: return composite(exchange)
        case .events: return await takeEvents(exchange)
        // The responses to the challenges have been taken already, from the body when they were too long for a header (wire-protocol 3.3). Clients
        // check only the status.
        case .authenticate, .heartbeat, .versionAccess, .updates, .deviceAuthentication:
            return withSuccess(JSONObject(), exchange)
        case .loginForm: return await submitForm(exchange)
        }
    }

    func identities(_ exchange: ClientRequestContext) -> RealmIdentities {
        RealmIdentities(
            session: exchange.session, gate: security.gate,
            version: exchange.platformVersion ?? PlatformVersion(major: 5, minor: 0))
    }

    // MARK: Small actions

    /// Returns a response with the built-in realms that were passed and that the client does not know of yet.
    func withSuccess(
        _ object: JSONObject, _ exchange: ClientRequestContext, status: HTTPResponse.Status = .ok
    ) -> Response {
        var object = object
        if let success = success(exchange) { object["WL-Authentication-Success"] = success }
        return ClientProtocolResponse.wrapped(object, status: status)
    }

    func success(_ exchange: ClientRequestContext) -> JSONValue? {
        let (unreported, scripts) = (exchange.session.takeUnreported(), exchange.session.takeUnreportedScripts())
        guard !unreported.isEmpty || !scripts.isEmpty else { return nil }
        let identities = identities(exchange)
        var passed = identities.passed(RealmIdentities.connection.filter(unreported.contains))
        // Their clients have a handler for the realm, which waits for this.
        for realm in scripts.sorted() { passed[realm] = identities.user(in: realm) }
        return .object(passed)
    }

    private func logActivity(_ exchange: ClientRequestContext) -> Response {
        if let activity = exchange.fields["activity"], !activity.isEmpty {
            logger.info(
                "activity '\(String(activity.prefix(1000)).printable.prefix(1000))'",
                metadata: ["application": "\(exchange.application?.id ?? "")"])
        }
        return withSuccess(JSONObject(), exchange)
    }

    /// Responds to `appversionaccess` and `updates` together. Hybrid clients up to 6.1 request both when they come to the foreground.
    ///
    /// Clients of 6.0 and 6.1 treat a response without `updates.response` as the end of `init`: they double their requests from then on, and call the
    /// app's callback with null. They ignore errors (wire-protocol 13).
    private func composite(_ exchange: ClientRequestContext) -> Response {
        guard let checksum = exchange.application.flatMap({ security.rules[$0] })?.checksum else {
            return withSuccess(
                ClientProtocolResponse.failureBody(.notFound, "the checksum of this version is not known"), exchange,
                status: .notFound)
        }
        return withSuccess(
            [
                "appversionaccess": ["response": [:]],
                "updates": ["response": DirectUpdate.current(checksum: checksum)],
            ], exchange)
    }

    // MARK: Preferences

    /// Returns the owner of the preferences: the user, or the client without a login. A device's id is not an owner, since any client
    /// can name it.
    ///
    /// - Throws: ``ClientValueError``.
    func preferenceOwner(_ exchange: ClientRequestContext) throws -> PreferenceOwner {
        let application = exchange.application?.id ?? ""
        if let user = loggedIn(exchange, test: nil) {
            return try PreferenceOwner(
                applicationID: application, kind: .user, realm: user.realm ?? "", name: user.id)
        }
        return try PreferenceOwner(applicationID: application, kind: .device, name: exchange.session.persistentID)
    }

    private func setPreferences(_ exchange: ClientRequestContext) async -> Response {
        let text = exchange.fields["userprefs"] ?? ""
        let json = try? await ThreadPool.shared.run(ifLong: text.utf8.count) { try JSONValue(parsing: text) }
        guard let given = json?.object else {
            return ClientProtocolResponse.failure(
                .unexpected, "userprefs: expected a JSON object of strings", status: .badRequest)
        }
        return await changePreferences(exchange) { owner in
            let preferences = try given.members.map { member in
                try Preference(key: member.key, value: member.value.string ?? member.value.text)
            }
            try guests.check(exchange)
            try installation.store.setPreferences(preferences, of: owner)
            try guests.note(preferences.map { .preference($0, of: owner) }, exchange)
        }
    }

    private func deletePreference(_ exchange: ClientRequestContext) async -> Response {
        guard let key = exchange.fields["userprefkey"] else {
            return ClientProtocolResponse.failure(
                .unexpected, "userprefkey: expected a preference's name", status: .badRequest)
        }
        return await changePreferences(exchange) { owner in
            _ = try installation.store.removePreference(key: key, of: owner)
        }
    }

    private func changePreferences(
        _ exchange: ClientRequestContext, _ change: @escaping @Sendable (PreferenceOwner) throws -> Void
    ) async -> Response {
        do {
            try await runBlocking { try change(try preferenceOwner(exchange)) }
            return withSuccess(JSONObject(), exchange)
        } catch let error as StoreError {
            return storeFailure(error)
        } catch PreferenceError.store(let error) {
            return storeFailure(error)
        } catch is GuestQuotaError {
            return quotaFailure
        } catch {
            return ClientProtocolResponse.failure(.unexpected, "\(error)", status: .badRequest)
        }
    }

    /// A client that has no user would store more than such clients may.
    var quotaFailure: Response {
        ClientProtocolResponse.failure(
            .unexpected, "the server stores nothing more for clients without a user",
            status: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"))
    }

    /// Returns a failure without details; the log has them.
    func storeFailure(_ error: StoreError) -> Response {
        security.log.log("request \(error)", at: .error, "\(error)")
        var response = ClientProtocolResponse.failure(
            .unexpected, "the server cannot store this at the moment", status: .serviceUnavailable)
        response.headers[.retryAfter] = ClientProtocolResponse.retryAfterOutage
        return response
    }
}

/// The actions of an application (wire-protocol 1).
enum ApplicationAction: String, Sendable, CaseIterable {
    case initialize = "init"
    case query
    case notifications
    case login
    case logout
    case userInfo = "getuserinfo"
    case heartbeat
    case logActivity = "logactivity"
    case setPreferences = "setup"
    case deletePreference = "deleteup"
    case authenticate
    case composite
    case versionAccess = "appversionaccess"
    case updates
    case deviceAuthentication = "deviceauth"
    case events
    case loginForm = "j_security_check"

    /// True if the client must have passed the application's own test, users included. The other actions serve to pass it or reveal nothing, and a
    /// query is guarded by its procedure (server-api 5.1).
    var wantsApplicationUsers: Bool {
        switch self {
        case .initialize, .notifications, .setPreferences, .deletePreference, .events: true
        case .query, .login, .logout, .userInfo, .heartbeat, .logActivity, .authenticate, .composite, .versionAccess,
            .updates, .deviceAuthentication, .loginForm:
            false
        }
    }
}
