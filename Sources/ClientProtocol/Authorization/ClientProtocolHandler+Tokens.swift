import AdapterRuntime
import Authentication
import Core
import Foundation
import HTTPServer
import HTTPTypes
import Installation
import Logging
import PushModel
import Tokens

/// The tokens of the OAuth layer, and what they open.
extension ClientProtocolHandler {
    /// Tokens for a code, which the client has signed with the key that it registered with.
    func token(_ call: IncomingRequest) async -> Response {
        guard call.fields["grant_type"] == "authorization_code" else {
            return refused("unsupported_grant_type", "grant_type: expected authorization_code")
        }
        let (code, clientID) = (call.fields["code"] ?? "", call.fields["client_id"] ?? "")
        do {
            return try await runBlocking {
                guard let client = try security.authorization.client(clientID) else {
                    return unknownClient
                }
                if let block = handshake.block(application(of: client, call)) ?? handshake.block(client) {
                    return block
                }
                try client.checkAuthentication(call.request.headers[.authenticate] ?? "", forCode: code)
                let grant = try security.authorization.codes.redeem(
                    code, clientId: client.clientId, redirectURI: call.fields["redirect_uri"] ?? "")
                return try tokens(for: client, grant)
            }
        } catch let error as TokenError {
            return refused("invalid_client", "X-WL-Authenticate: \(error)")
        } catch let error as AuthorizationCodeError {
            return refused("invalid_grant", "\(error)")
        } catch {
            return unavailable(error)
        }
    }

    func tokens(for client: RegisteredClient, _ grant: AuthorizationGrant) throws -> Response {
        guard grant.scopes.allSatisfy({ $0.login == nil || session(of: $0) != nil }) else {
            return refused("invalid_grant", "the user has logged out meanwhile")
        }
        let issued = try security.authorization.tokens.issue(to: client, user: grant.user, scopes: grant.scopes)
        let end = grant.scopes.reduce(issued.expires) { min($0, $1.expires) }
        // Without the scope clients would ask again at once, without end.
        let answer: JSONValue = [
            "access_token": .string(issued.accessToken), "token_type": "Bearer",
            "expires_in": .number(max(0, end.timeIntervalSince(installation.time.now)).rounded()),
            "scope": .string(grant.scopeText ?? issued.scope), "id_token": .string(issued.idToken),
        ]
        return ClientProtocolResponse.plain(answer.text)
    }

    /// A token for trying out adapters.
    func testToken(_ call: IncomingRequest) -> Response {
        if let refusal = developmentRefusal(of: call, "testtoken") { return refusal }
        do {
            let end = installation.time.now.addingTimeInterval(security.authorization.tokenLife / .seconds(1))
            let issued = try security.authorization.tokens.issue(
                to: security.authorization.testClient,
                scopes: ([AuthorizationServer.registeredScope] + security.gate.realms.names).map {
                    GrantedScope($0, expires: end)
                })
            let answer: JSONValue = ["Authorization": .string("Bearer \(issued.accessToken) \(issued.idToken)")]
            return ClientProtocolResponse.plain(answer.text)
        } catch {
            return unavailable(error)
        }
    }

    // MARK: Using them

    /// Calls a procedure for a client with a token that grants the scopes of the procedure's security test.
    func answerWithToken(
        _ call: IncomingRequest, _ permit: CallPermit
    ) async throws(StalePermitError) -> Response {
        let requirements = requirements(for: permit)
        if let obstacle = requirements.obstacle {
            return ClientProtocolResponse.plainFailure(.unexpected, told(Self.closed, obstacle), status: .forbidden)
        }
        let needed = [AuthorizationServer.registeredScope] + requirements.userRealms
        guard let header = call.request.headers[.authorization], let bearer = BearerTokens(header: header) else {
            return wantsToken(needed, error: nil, status: .unauthorized)
        }
        do {
            let (access, identity) = try security.authorization.tokens.verify(bearer)
            // A token outlives the operator's decision.
            let version = call.appVersion ?? access.application.version
            let application = ClientApplication(
                id: access.application.id, environment: ClientEnvironment(access.application.environment),
                version: version)
            if let block = handshake.block(application) { return block }
            if let block = handshake.block(deviceID: access.deviceId, of: application.id) { return block }
            let now = installation.time.now
            guard needed.allSatisfy({ access.grants($0, at: now) }) else {
                return wantsToken(needed, error: "insufficient_scope", status: .forbidden)
            }
            try security.authorization.noteUse(of: access.clientId)
            guard let session = session(of: access, identity, needed: needed, call) else {
                return wantsToken(needed, error: "invalid_token", status: .unauthorized)
            }
            if let block = handshake.block(session, of: application.id) { return block }
            let (logins, id) = (RequestLoginVisibility(session.client), session.id)
            // Logins that the request sees ended the cookies and tokens from before them.
            guard self.session(of: access, identity, needed: needed, call) === session else {
                return wantsToken(needed, error: "invalid_token", status: .unauthorized)
            }
            return try await invoke(call, permit, in: session, logins, id: id)
        } catch let error as StalePermitError {
            throw error
        } catch let error as StoreError {
            return storeFailure(error)
        } catch {
            logger.debug("a token was refused: \(error)")
            return wantsToken(needed, error: "invalid_token", status: .unauthorized)
        }
    }

    private func wantsToken(_ scopes: [String], error: String?, status: HTTPResponse.Status) -> Response {
        var response = ClientProtocolResponse.plainFailure(
            .unexpected, "a token is wanted that grants: \(scopes.joined(separator: " "))", status: status)
        // The scope is last: the native SDKs of 7.0 and 7.1 take everything after 'scope=' for it (wire-protocol 13).
        response.headers[.wwwAuthenticate] =
            "Bearer realm=\"imfAuthentication\"" + (error.map { ", error=\"\($0)\"" } ?? "")
            + ", scope=\"\(scopes.joined(separator: " "))\""
        return response
    }

    private func invoke(
        _ call: IncomingRequest, _ permit: CallPermit, in session: ServerSession,
        _ logins: RequestLoginVisibility, id: String
    ) async throws(StalePermitError) -> Response {
        let visit = RealmAuthenticator.RealmRequest(
            session: session, request: clientRequest(call), isFromTrustedProxy: call.isFromTrustedProxy,
            network: call.rateLimitKey)
        if let refusal = security.gate.refusal(ofCallsTo: call.adapter, visit) {
            return ClientProtocolResponse.failure(refusal)
        }
        let outcome: Result<ProcedureResult, StalePermitError> = await RequestLoginVisibility.$current
            .withValue(logins) {
                do throws(StalePermitError) {
                    return .success(
                        try await security.gate.calling(adapter: call.adapter, visit) {
                            caller throws(StalePermitError) in
                            try await installation.runtime.invoke(
                                adapter: call.adapter, procedure: call.procedure, parameters: call.parameters,
                                caller: caller, permit: permit)
                        })
                } catch {
                    return .failure(error)
                }
            }
        let result = try outcome.get()
        var response = ClientProtocolResponse.plain(result)
        let completion = await complete(logins, of: session, from: id, hasGivenID: true)
        guard completion != .lost else {
            return wantsToken(
                [AuthorizationServer.registeredScope] + requirements(for: permit).userRealms, error: "invalid_token",
                status: .unauthorized)
        }
        // A token shows its client, and not that the session is this client's.
        guard completion == .renewed, SessionCookies(call.request.headers).sessionIDs.contains(id[...]) else {
            return response
        }
        response.headers.append(sessionCookie(session, call, isBrowser: false))
        response.headers.append(persistentCookie(session, call))
        return response
    }

    /// Returns true if a token is one of ``testToken(_:)``, which grants all realms without a login.
    private func isTestToken(_ access: AccessToken) -> Bool {
        access.clientId == AuthorizationServer.testClientID && installation.settings.mode == .development
    }

    /// The session that a token's call belongs to: that of its logins; or the one of its cookie, when it is this client's; or one
    /// by the client's id alone, so that a client without cookies keeps its variables too.
    ///
    /// - Returns: `nil` when a login that the procedure needs is over.
    private func session(
        of access: AccessToken, _ identity: IdentityToken?, needed: [String], _ call: IncomingRequest
    ) -> ServerSession? {
        var own: ServerSession?
        for scope in access.scopes where needsLogin(forScope: scope.name) {
            if let session = session(of: scope) {
                own = session
            } else if needed.contains(scope.name), !isTestToken(access) {
                return nil
            }
        }
        if let own { return own }
        switch security.sessions.find(SessionCookies(call.request.headers).sessionIDs) {
        case .session(let session) where session.oauthClient == access.clientId: return session
        case .session, .renamed, .nothing: break
        }
        let session = security.sessions.session(ofClient: access.clientId, at: call.network)
        if let device = identity?.device { session.client.deviceIdentity = Device(id: device.id).identity }
        return session
    }
}

extension AuthorizationServer {
    fileprivate var testClient: RegisteredClient {
        unregisteredClient(
            Self.testClientID,
            ClientDescription(
                deviceId: "test", deviceOs: "", deviceModel: "", applicationId: "test", applicationVersion: "1.0",
                environment: "common"))
    }
}
