import AdapterRuntime
import Authentication
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import PushModel
import Tokens

/// The tokens of the OAuth layer, and what they open.
extension WireServer {
    /// Tokens for a code, which the client has signed with the key that it registered with.
    func token(_ call: IncomingCall) async -> Response {
        guard call.fields["grant_type"] == "authorization_code" else {
            return refused("unsupported_grant_type", "grant_type: expected authorization_code")
        }
        let (code, clientID) = (call.fields["code"] ?? "", call.fields["client_id"] ?? "")
        do {
            return try await offLoop {
                guard let client = try security.authorization.client(clientID) else {
                    return refused("unauthorized_client", "Unknown client")
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
        let end = installation.time.now.addingTimeInterval(security.authorization.tokenLife / .seconds(1))
        let issued = try security.authorization.tokens.issue(
            to: client, user: grant.user,
            scopes: grant.scope.split(separator: " ").map { GrantedScope(String($0), expires: end) })
        // Without the scope clients would ask again at once, and for ever.
        let answer: JSONValue = [
            "access_token": .string(issued.accessToken), "token_type": "Bearer",
            "expires_in": .number((security.authorization.tokenLife / .seconds(1)).rounded()),
            "scope": .string(issued.scope), "id_token": .string(issued.idToken),
        ]
        return WireAnswer.plain(answer.text)
    }

    /// A token for trying out adapters.
    func testToken(_ call: IncomingCall) -> Response {
        if let refusal = developmentRefusal(of: call, "testtoken") { return refusal }
        do {
            let end = installation.time.now.addingTimeInterval(security.authorization.tokenLife / .seconds(1))
            let issued = try security.authorization.tokens.issue(
                to: try AuthorizationServer.testClient(),
                scopes: ([AuthorizationServer.registeredScope] + security.gate.realms.names).map {
                    GrantedScope($0, expires: end)
                })
            let answer: JSONValue = ["Authorization": .string("Bearer \(issued.accessToken) \(issued.idToken)")]
            return WireAnswer.plain(answer.text)
        } catch {
            return unavailable(error)
        }
    }

    // MARK: Using them

    /// Calls a procedure for whoever shows a token that grants what guards it.
    func answerWithToken(
        _ names: ProcedureNames, _ permit: CallPermit, _ call: IncomingCall
    ) async throws(PermitOutdated) -> Response {
        let requirements = requirements(for: permit)
        if let obstacle = requirements.obstacle {
            return WireAnswer.plain(ProcedureResult.failure(["Runtime: \(obstacle)"]).json, status: .forbidden)
        }
        let needed = [AuthorizationServer.registeredScope] + requirements.userRealms
        guard let header = call.request.headers[.authorization], let bearer = BearerTokens(header: header) else {
            return wantsToken(needed, error: nil, status: .unauthorized)
        }
        do {
            let (access, identity) = try security.authorization.tokens.verify(bearer)
            let now = installation.time.now
            guard needed.allSatisfy({ access.grants($0, at: now) }) else {
                return wantsToken(needed, error: "insufficient_scope", status: .forbidden)
            }
            // A token outlives the operator's decision.
            let client = try security.authorization.client(access.clientId)
            if let client, let block = handshake.block(application(of: client, call)) { return block }
            return try await invoke(names, call, permit, in: session(of: access, identity, call))
        } catch let error as PermitOutdated {
            throw error
        } catch let error as StoreError {
            return storeFailure(error)
        } catch {
            logger.debug("a token was refused: \(error)")
            return wantsToken(needed, error: "invalid_token", status: .unauthorized)
        }
    }

    private func wantsToken(_ scopes: [String], error: String?, status: HTTPResponse.Status) -> Response {
        var response = WireAnswer.plain(
            ProcedureResult.failure(["Runtime: a token is wanted that grants: \(scopes.joined(separator: " "))"]).json,
            status: status)
        response.headers[.wwwAuthenticate] =
            "Bearer realm=\"imfAuthentication\", scope=\"\(scopes.joined(separator: " "))\""
            + (error.map { ", error=\"\($0)\"" } ?? "")
        return response
    }

    private func invoke(
        _ names: ProcedureNames, _ call: IncomingCall, _ permit: CallPermit, in session: ServerSession
    ) async throws(PermitOutdated) -> Response {
        let visit = RealmGate.Visit(
            session: session, request: clientRequest(call), isFromTrustedProxy: call.origin.isFromTrustedProxy)
        let result = try await security.gate.calling(
            names.procedure, adapter: names.adapter, parameters: names.parameters, visit
        ) { caller throws(PermitOutdated) in
            try await installation.runtime.invoke(
                adapter: names.adapter, procedure: names.procedure, parameters: names.parameters, caller: caller,
                permit: permit)
        }
        var response = WireAnswer.plain(result.json).adding(result.headers)
        guard security.sessions.isKnownByCookie(session) else { return response }
        let id = session.id
        noteLogins(of: session, isNew: false)
        if session.id != id { response.headers.append(sessionCookie(session, call, isBrowser: false)) }
        return response
    }

    /// The client's session: the one of its cookie, when it is this client's, or one by its id alone, so that a client without
    /// cookies keeps its variables too. The token proves the client, so that the id from before a login counts as well.
    private func session(of access: AccessToken, _ identity: IdentityToken?, _ call: IncomingCall) -> ServerSession {
        switch security.sessions.find(SessionCookies(call.request.headers).sessionIDs) {
        case .session(let session) where session.oauthClient == access.clientId,
            .renamed(let session) where session.oauthClient == access.clientId:
            return session
        case .session, .renamed, .nothing: break
        }
        let session = security.sessions.session(ofClient: access.clientId, at: call.origin.network)
        if let user = identity?.user, access.scopes.contains(where: { $0.name == user.authBy }) {
            session.logIn(
                IdentityObject.make(name: user.id, displayName: user.displayName), to: user.authBy,
                until: installation.time.uptime
                    + .seconds(access.expires.timeIntervalSince(installation.time.now)))
        }
        security.sessions.update(session)
        if let device = identity?.device { session.client.deviceIdentity = Device(id: device.id).identity }
        return session
    }
}

extension AuthorizationServer {
    /// The client that test tokens are for.
    fileprivate static func testClient() throws -> RegisteredClient {
        RegisteredClient(
            clientId: "test", publicKey: try ServerKey().publicKey,
            description: ClientDescription(
                deviceId: "test", deviceOs: "", deviceModel: "", applicationId: "test", applicationVersion: "1.0",
                environment: "common"))
    }
}
