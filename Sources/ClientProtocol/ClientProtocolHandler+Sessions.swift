import AdapterRuntime
import Authentication
import Core
import Foundation
import HTTPServer
import HTTPTypes
import Installation
import Logging
import PushModel
import Storage
import Tokens

/// Sessions of clients: finding them, renewing them at logins, and their cookies.
extension ClientProtocolHandler {
    /// Finds the session of a call or begins one, calls `answer`, and sets the cookies that are new.
    func inSession(
        _ call: IncomingRequest, application: ClientApplication? = nil,
        _ answer: (ClientRequestContext) async -> Response
    ) async -> Response {
        let cookies = SessionCookies(call.request.headers)
        let (session, isNew): (ServerSession, Bool)
        var hasGivenID = true
        switch security.sessions.find(cookies.sessionIDs, from: call.address) {
        case .session(let found): (session, isNew) = (found, false)
        case .renamed(let renamed):
            return wantsNewCookie(call, renamed)
        case .nothing:
            if let given = call.request.headers.value(of: .instanceID),
                security.cookieless.refuses(
                    instanceID: given, network: call.rateLimitKey,
                    userAgent: call.request.headers[.userAgent] ?? "", at: installation.time.uptime)
            {
                return wantsCookie(application, call)
            }
            let ids = security.authorization.clientIDs
            let given = cookies.installation
            let own = given.map { ids.id(for: $0.id) } ?? ids.make()
            hasGivenID = given?.id == own
            session = security.sessions.begin(
                persistentID: own.uuidString.lowercased(), installationKey: hasGivenID ? given?.key : nil,
                at: call.network)
            security.cookieless.note(session)
            isNew = true
        }
        // The id is read after the logins: those that the request sees ended the former ids.
        let logins = RequestLoginVisibility(session.client)
        let id = session.id
        RequestRecord.current?.note(sessionID: id)
        guard isNew || cookies.sessionIDs.contains(id[...]) else { return wantsNewCookie(call, session) }
        let exchange = ClientRequestContext(
            call, session: session, application: self.application(application, in: session),
            request: clientRequest(call))
        var response = await RequestLoginVisibility.$current.withValue(logins) { await answer(exchange) }
        let completion = await complete(logins, of: session, from: isNew ? nil : id, hasGivenID: hasGivenID)
        guard completion != .lost else { return wantsNewCookie(call, session) }
        let isBrowser = exchange.application?.environment.isBrowser ?? false || session.hasServedBrowser
        for (name, value) in session.takeNewVisitorCookies() {
            response.headers.append(
                HTTPField(
                    name: .setCookie,
                    value: SessionCookies.persistent(
                        name, value, path: cookiePath, isSecure: call.scheme == "https",
                        now: installation.time.now)))
        }
        if isNew || completion == .renewed {
            response.headers.append(sessionCookie(session, call, isBrowser: isBrowser))
            response.headers.append(persistentCookie(session, call))
        }
        return response
    }

    /// The application that a request is for. A request without a version is for the version that the session sent before.
    private func application(_ given: ClientApplication?, in session: ServerSession) -> ClientApplication? {
        guard let given, given.version.isEmpty, let known = session.application, known.id == given.id,
            known.environment == given.environment
        else { return given ?? session.application }
        return known
    }

    /// Returns the response to a request with a session id from before a login. The session's client has the new id by now and repeats the request
    /// with it. Nobody else learns anything.
    private func wantsNewCookie(_ call: IncomingRequest, _ session: ServerSession) -> Response {
        let known = session.instanceID(knownTo: call.request.headers.value(of: .instanceID))
        return Handshake.challenge([BuiltInRealm.antiXSRF.rawValue: ["WL-Instance-Id": .string(known)]])
    }

    /// The outcome of a request's logins.
    enum LoginCompletion {
        /// Nobody was logged in, or the session's ids stay.
        case unchanged
        /// The session has other ids.
        case renewed
        /// Another request has logged a user in meanwhile, and the session has the ids of that login. The request's own logins are
        /// dropped: its client must repeat the request with the new ids.
        case lost
    }

    /// Ends a request's part in its session. When the request has logged a user in, the session gets other ids: an attacker who knows the former ones
    /// may have planted them with the client. Only the response to this request may have the new ones, and concurrent requests do not see the login.
    ///
    /// All clients take the new ids. The native SDK of 5.0.6 also keeps sending its first id; the id that belongs to a session
    /// counts.
    ///
    /// - Parameters:
    ///   - id: the session's id when the request came; `nil` for a session that began with it.
    ///   - hasGivenID: whether the client's own id was known before this request.
    func complete(
        _ watch: RequestLoginVisibility, of session: ServerSession, from id: String?, hasGivenID: Bool
    ) async -> LoginCompletion {
        let logins = session.client.logins(of: watch)
        guard !logins.isEmpty else { return .unchanged }
        guard security.gate.noteLogins(of: session, in: Set(logins.keys)), security.sessions.isKnownByCookie(session)
        else {
            session.client.complete(logins)
            return .unchanged
        }
        if let id, !security.sessions.renew(session, from: id) {
            session.client.drop(logins)
            return .lost
        }
        session.renewLogins(except: Set(logins.keys))
        session.client.complete(logins)
        if hasGivenID { await handOver(session) }
        return .renewed
    }

    /// Renews the installation id of a session's client, and hands over the devices that it registered before the login. Moves
    /// the users' subscriptions to the device whose token the client has sent, where that is the session's only token.
    private func handOver(_ session: ServerSession) async {
        let (former, new) = session.renewInstallation()
        let applications = Set(
            security.policy.applicationIDs + former.tokens.keys + [session.application?.id].compactMap(\.self))
        let claims = session.device.map { device in
            former.sentTokens.map { (deviceClaim(of: session, applicationID: $0.key, device: device.id), $0.value) }
        }
        do {
            try await runBlocking { [store = installation.store] in
                for application in applications {
                    let tokens = former.tokens[application] ?? []
                    guard tokens.count < 2 else { continue }
                    try store.handOver(applicationID: application, from: former.id, to: new, token: tokens.first)
                }
                for (claim, token) in claims ?? [] where !claim.users.isEmpty {
                    guard let device = try store.registration(of: claim, showing: token), device.token == token else {
                        continue
                    }
                    try store.moveSubscriptions(of: claim, to: device)
                }
            }
        } catch {
            logger.error("a device was not handed over to its client's new id: \(error)")
        }
    }

    func persistentCookie(_ session: ServerSession, _ call: IncomingRequest) -> HTTPField {
        HTTPField(
            name: .setCookie,
            value: SessionCookies.persistent(
                SessionCookies.persistentName, session.installationID, path: cookiePath,
                isSecure: call.scheme == "https",
                now: installation.time.now))
    }

    func sessionCookie(_ session: ServerSession, _ call: IncomingRequest, isBrowser: Bool) -> HTTPField {
        HTTPField(
            name: .setCookie,
            value: SessionCookies.session(
                session.id, path: cookiePath, isSecure: call.scheme == "https", isBrowser: isBrowser))
    }

    private var cookiePath: String { contextRoot.isEmpty ? "/" : contextRoot }

    /// Returns the response to a client that repeats the instance id of a challenge without the cookie that came with it.
    ///
    /// It is not one of the handshake's failures: those of `wl_antiXSRFRealm` end in no callback at all.
    private func wantsCookie(_ application: ClientApplication?, _ call: IncomingRequest) -> Response {
        security.log.reached(
            "repeated instance ids without the session's cookie", by: call.address, "refused a client with 403")
        let isHybrid = application.map { !$0.environment.isNative } ?? false
        return ClientProtocolResponse.failure(
            isHybrid ? .disabledCookies : .unexpected,
            "the cookie '\(SessionCookies.sessionName)' did not come back; allow cookies for this server",
            status: .forbidden)
    }
}
