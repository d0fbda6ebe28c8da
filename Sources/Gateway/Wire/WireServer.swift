import AdapterRuntime
import Authentication
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PushModel
import Storage
import Tokens

/// Answers clients and back ends in the protocol of the original (wire-protocol).
struct WireServer: Sendable {
    let installation: Installation
    let security: SecurityServices
    let handshake: Handshake
    /// Without a slash at its end.
    let contextRoot: String
    private let paths: WirePathTable

    init(_ installation: Installation) {
        self.installation = installation
        security = installation.security
        handshake = Handshake(rules: installation.security.rules)
        let root = installation.settings.contextRoot
        contextRoot = root.hasSuffix("/") ? String(root.dropLast()) : root
        paths = WirePathTable(contextRoot: contextRoot)
    }

    var logger: Logger { installation.logger }

    var guests: Guests {
        Guests(store: installation.store, quota: installation.settings.guestQuota, refusals: security.refusals)
    }

    /// A message for clients. In production it names no application, adapter or file.
    ///
    /// - Parameters:
    ///   - message: for production. The details are in the log, in the line with the same id.
    ///   - details: for development.
    func told(_ message: String, _ details: String) -> String {
        guard installation.settings.mode == .production else { return details }
        let reference = FailureReference()
        logger.info("a request was refused: \(details)", metadata: reference.metadata)
        return "\(message) (\(reference))"
    }

    /// What a path means; `nil` when it is none of the protocol's.
    func path(_ text: String) -> WirePath? { paths.path(text) }

    func answer(_ path: WirePath, _ request: Request, _ context: GatewayContext) async throws -> Response {
        guard [.get, .post].contains(request.method) else {
            var response = WireAnswer.failure(.unexpected, "expected GET or POST", status: .methodNotAllowed)
            response.headers[.allow] = "GET, POST"
            return response
        }
        let body: ByteBuffer
        if request.method == .post {
            do {
                body = try await request.body.collect(upTo: installation.settings.longestRequest)
            } catch is NIOTooManyBytesError {
                return WireAnswer.failure(
                    .unexpected, "the request is longer than \(installation.settings.longestRequest) bytes",
                    status: .contentTooLarge)
            }
        } else {
            body = ByteBuffer()
        }
        let origin = RequestOrigin(
            of: request.head, peer: context.remoteAddress?.ipAddress, local: context.localAddress?.ipAddress,
            settings: installation.settings)
        return await answer(path, .reading(request, body, from: origin))
    }

    /// Answers a request that has been read whole.
    func answer(_ path: WirePath, _ call: IncomingCall) async -> Response {
        switch path {
        case .application(let id, let environment, let action):
            let application = ClientApplication(
                id: id, environment: ClientEnvironment(environment),
                version: call.request.headers[.appVersion] ?? "")
            return await answer(action, of: application, call)
        case .service(let name): return await answer(service: name, call)
        case .invoke: return await answerInvoke(call)
        case .developmentInvoke: return await answerDevelopmentInvoke(call)
        case .adapter(let adapter, let procedure):
            return await answerAdapter(adapter, procedure: procedure, call)
        case .authorization(let path): return await answerAuthorization(path, call)
        case .tokenEndpoint: return await answerTokenEndpoint(call)
        case .webPush(let resource): return await answer(resource, call)
        case .phoneGateway(let service, let path): return await answer(service, path: path, call)
        }
    }

    // MARK: Sessions

    /// Finds the session that a call belongs to, or begins one, lets `answer` answer, and sets what cookies there are to set.
    func inSession(
        _ call: IncomingCall, application: ClientApplication? = nil,
        _ answer: (Exchange) async -> Response
    ) async -> Response {
        let cookies = SessionCookies(call.request.headers)
        let (session, isNew): (ServerSession, Bool)
        var hasGivenID = true
        switch security.sessions.find(cookies.sessionIDs) {
        case .session(let found): (session, isNew) = (found, false)
        case .renamed(let renamed):
            return wantsNewCookie(call, renamed)
        case .nothing:
            if let given = call.request.headers[.instanceID], security.unproven.contains(instanceID: given) {
                return wantsCookie(application)
            }
            let ids = security.authorization.clientIDs
            let given = cookies.installation
            let own = given.map { ids.id(for: $0.id) } ?? ids.make()
            hasGivenID = given?.id == own
            session = security.sessions.begin(
                persistentID: own.uuidString.lowercased(), installationKey: hasGivenID ? given?.key : nil,
                at: call.origin.network)
            security.unproven.note(session)
            isNew = true
        }
        let id = session.id
        let logins = LoginWatch(session.client)
        // Somebody may have logged in since the session was found.
        guard isNew || cookies.sessionIDs.contains(id[...]) else { return wantsNewCookie(call, session) }
        let exchange = Exchange(
            head: call.request.head, fields: call.fields, body: call.body, origin: call.origin, session: session,
            application: application ?? session.application, request: clientRequest(call))
        var response = await LoginWatch.$current.withValue(logins) { await answer(exchange) }
        let hasRenewed = await complete(logins, of: session, from: isNew ? nil : id, hasGivenID: hasGivenID)
        let isBrowser = exchange.application?.environment.isBrowser ?? false || session.hasServedBrowser
        if isNew || hasRenewed {
            response.headers.append(sessionCookie(session, call, isBrowser: isBrowser))
        }
        if isNew || hasRenewed { response.headers.append(persistentCookie(session, call)) }
        return response
    }

    /// The answer to who brings an id from before a login. The client has been told the new id meanwhile: asked again, it will bring it.
    /// Nobody else learns anything.
    private func wantsNewCookie(_ call: IncomingCall, _ session: ServerSession) -> Response {
        let known = session.instanceID(knownTo: call.request.headers[.instanceID])
        return Handshake.challenge([BuiltInRealm.antiXSRF.rawValue: ["WL-Instance-Id": .string(known)]])
    }

    /// Ends a request's part in its session. When the request has logged somebody in, the session gets other ids: the former ones may
    /// have been planted with the client, by somebody who knows them. Only this request's answer may have the new ones, and other
    /// requests that are under way do not see the login.
    ///
    /// All clients take the new ids. The native SDK of 5.0.6 goes on sending its first one besides, and the one that is a session's
    /// counts.
    ///
    /// - Parameters:
    ///   - id: the session's id when the request came; `nil` for a session that began with it.
    ///   - hasGivenID: whether the client's own id was known before this request.
    /// - Returns: whether the ids have changed.
    func complete(
        _ watch: LoginWatch, of session: ServerSession, from id: String?, hasGivenID: Bool
    ) async -> Bool {
        let logins = session.client.logins(of: watch)
        guard !logins.isEmpty else { return false }
        guard security.gate.noteLogins(of: session, in: Set(logins.keys)), security.sessions.isKnownByCookie(session)
        else {
            session.client.complete(logins)
            return false
        }
        if let id, !security.sessions.renew(session, from: id) {
            // Another request has logged somebody in meanwhile, whose session it is now.
            session.client.drop(logins)
            return false
        }
        session.renewLogins(except: Set(logins.keys))
        session.client.complete(logins)
        if hasGivenID { await handOver(session) }
        return true
    }

    /// Gives the client another own id. What was registered before the login goes on being the client's.
    private func handOver(_ session: ServerSession) async {
        let (former, new) = session.renewInstallation()
        let applications = Set(
            security.policy.applicationIDs + former.tokens.keys + [session.application?.id].compactMap(\.self))
        do {
            try await offLoop { [store = installation.store] in
                for application in applications {
                    let tokens = former.tokens[application] ?? []
                    guard tokens.count < 2 else { continue }
                    try store.handOver(applicationID: application, from: former.id, to: new, token: tokens.first)
                }
            }
        } catch {
            logger.error("a device was not handed over to its client's new id: \(error)")
        }
    }

    func persistentCookie(_ session: ServerSession, _ call: IncomingCall) -> HTTPField {
        HTTPField(
            name: .setCookie,
            value: SessionCookies.persistent(
                session.installationID, path: cookiePath, isSecure: call.origin.scheme == "https",
                now: installation.time.now))
    }

    func sessionCookie(_ session: ServerSession, _ call: IncomingCall, isBrowser: Bool) -> HTTPField {
        HTTPField(
            name: .setCookie,
            value: SessionCookies.session(
                session.id, path: cookiePath, isSecure: call.origin.scheme == "https", isBrowser: isBrowser))
    }

    private var cookiePath: String { contextRoot.isEmpty ? "/" : contextRoot }

    /// The answer to a client that sends back what a challenge told it, but not the cookie that came with the challenge.
    ///
    /// It is not one of the handshake's failures: those of `wl_antiXSRFRealm` end in no callback at all.
    private func wantsCookie(_ application: ClientApplication?) -> Response {
        let isHybrid = application.map { !$0.environment.isNative } ?? false
        return WireAnswer.failure(
            isHybrid ? .disabledCookies : .unexpected,
            "the cookie '\(SessionCookies.sessionName)' did not come back; allow cookies for this server",
            status: .forbidden)
    }

    func clientRequest(_ call: IncomingCall) -> ClientRequest {
        let uri = call.request.uri
        return ClientRequest(
            method: call.request.method.rawValue, url: "\(call.origin.scheme)://\(call.origin.host)\(uri.path)",
            query: uri.query, contextPath: contextRoot,
            headers: [(name: "Host", value: call.origin.host)]
                + call.request.headers.map { (name: $0.name.rawName, value: $0.value) },
            parameters: call.fields.all, remoteAddress: call.origin.address)
    }
}

/// A request that has been read whole.
struct IncomingCall: Sendable {
    let request: Request
    let body: ByteBuffer
    let origin: RequestOrigin
    /// Of the query and of the body.
    var fields: FormFields

    /// Reads a request; a long form on another thread than an event loop's.
    static func reading(_ request: Request, _ body: ByteBuffer, from origin: RequestOrigin) async -> IncomingCall {
        let call = try? await offLoop(ifLong: body.readableBytes) {
            IncomingCall(request: request, body: body, origin: origin)
        }
        return call ?? IncomingCall(request: request, body: body, origin: origin)
    }

    private init(request: Request, body: ByteBuffer, origin: RequestOrigin) {
        self.request = request
        self.body = body
        self.origin = origin
        var fields = FormFields(request.uri.query ?? "")
        let type = request.headers[.contentType] ?? ""
        if body.readableBytes > 0, type.isEmpty || type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
            fields.add(String(buffer: body))
        }
        self.fields = fields
    }
}
