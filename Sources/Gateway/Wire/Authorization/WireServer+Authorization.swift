import AdapterRuntime
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import PushModel
import Security
import Tokens

/// The OAuth layer of 7.0 and 7.1 (wire-protocol 8): a client registers, is authorized, and gets tokens, in plain JSON.
extension WireServer {
    /// Where native clients are sent after authorization; they follow no redirect, and read it.
    private static let nativeRedirect = "http://mfpredirecturi"

    func answerAuthorization(_ path: String, _ call: IncomingCall) async -> Response {
        switch path {
        case "clients/instance": return await register(call)
        case "authorization": return await authorize(call)
        case "token": return await token(call)
        case "testtoken": return testToken(call)
        default:
            return WireAnswer.failure(.notFound, "there is no /authorization/v1/\(path.prefix(100))", status: .notFound)
        }
    }

    private func refused(
        _ error: String, _ description: String, status: HTTPResponse.Status = .badRequest
    ) -> Response {
        let object: JSONValue = ["error": .string(error), "error_description": .string(description)]
        return WireAnswer.plain(object.text, status: status)
    }

    private func unavailable(_ error: any Error) -> Response {
        logger.error("\(error)")
        return refused("server_error", "the server cannot do this at the moment", status: .internalServerError)
    }

    // MARK: Registering

    /// The first request of a fresh install: without a challenge, in the session that its other requests will use.
    private func register(_ call: IncomingCall) async -> Response {
        let csr = call.fields["CSR"] ?? ""
        let request: ClientRegistrationRequest
        do {
            // Checking a signature of thousands of bits takes milliseconds.
            request = try await offLoop { try ClientRegistrationRequest(csr: csr) }
        } catch {
            return refused("invalid_request", "CSR: \(error)")
        }
        let application = ClientApplication(
            id: request.client.applicationId, environment: ClientEnvironment(request.client.environment),
            version: request.client.applicationVersion)
        if case .unknown(let reason) = security.policy.admission(of: application) {
            return refused("invalid_request", reason)
        }
        return await inSession(call) { exchange in
            do {
                let (clientID, certificate) = try await offLoop { try security.authorization.register(request) }
                exchange.session.oauthClient = clientID
                let answer: JSONValue = ["certificate": .string(certificate.base64EncodedString())]
                return WireAnswer.plain(answer.text)
            } catch let error as ClientValueError {
                return refused("invalid_request", "\(error)")
            } catch {
                return unavailable(error)
            }
        }
    }

    // MARK: Authorizing

    /// Gives a code for the scopes asked for, once users are logged in to those that are realms. A scope with a minus before
    /// it is a realm to log out of.
    private func authorize(_ call: IncomingCall) async -> Response {
        let scopes = (call.fields["scope"] ?? "").split(separator: " ").prefix(50).map(String.init)
        let redirect = call.fields["redirect_uri"] ?? ""
        guard redirect.isEmpty || redirect == Self.nativeRedirect else {
            return refused("invalid_request", "redirect_uri: expected \(Self.nativeRedirect)")
        }
        let leaving = scopes.filter { $0.hasPrefix("-") }.map { String($0.dropFirst()) }
        if !leaving.isEmpty, leaving.count == scopes.count {
            return await inSession(call) { exchange in
                if let challenge = forgeryChallenge(exchange) { return challenge }
                for realm in leaving where security.gate.realms[realm] != nil {
                    await security.gate.logOut(of: realm, exchange.visit)
                }
                return answer(code: nil, redirect)
            }
        }
        let client: RegisteredClient
        do {
            guard let found = try security.authorization.client(call.fields["client_id"] ?? "") else {
                // By these words clients know that they must register anew.
                return refused("unauthorized_client", "Unknown client")
            }
            client = found
        } catch {
            return unavailable(error)
        }
        if let block = handshake.block(application(of: client, call)) { return block }
        return await inSession(call) { exchange in
            if let challenge = forgeryChallenge(exchange) { return challenge }
            let realms = scopes.filter { security.gate.realms[$0] != nil }
            if let challenge = await security.gate.challenge(for: realms, exchange.visit) { return challenge.response }
            exchange.session.oauthClient = client.clientId
            let granted = scopes.filter {
                !$0.hasPrefix("-") && (realms.contains($0) || $0 == AuthorizationServer.registeredScope)
            }
            do {
                let code = try security.authorization.codes.makeCode(
                    for: AuthorizationGrant(
                        clientId: client.clientId, redirectURI: redirect,
                        scope: (granted.isEmpty ? [AuthorizationServer.registeredScope] : granted).joined(
                            separator: " "), user: user(of: exchange.session, in: realms)))
                return answer(code: code, redirect)
            } catch {
                return refused("temporarily_unavailable", "\(error)", status: .serviceUnavailable)
            }
        }
    }

    /// The application as it was registered, in the version that it has now.
    private func application(of client: RegisteredClient, _ call: IncomingCall) -> ClientApplication {
        ClientApplication(
            id: client.description.applicationId, environment: ClientEnvironment(client.description.environment),
            version: call.request.headers[.appVersion] ?? client.description.applicationVersion)
    }

    /// Where somebody is logged in, a page of somebody else's must not be able to ask in their name: for a code, or to log them
    /// out. Before that there is nothing to gain, and a client's first requests do not know their `WL-Instance-Id` yet.
    private func forgeryChallenge(_ exchange: Exchange) -> Response? {
        guard !exchange.session.client.realms.isEmpty,
            !exchange.session.proves(instanceID: exchange.head.headerFields[.instanceID])
        else { return nil }
        return Handshake.challenge(
            [BuiltInRealm.antiXSRF.rawValue: ["WL-Instance-Id": .string(exchange.session.instanceID)]])
    }

    private func user(of session: ServerSession, in realms: [String]) -> Tokens.UserIdentity? {
        let candidates = realms + session.client.realms
        for realm in candidates {
            guard let identity = security.gate.identity(in: realm, of: session), let id = identity["userId"]?.string
            else {
                continue
            }
            return Tokens.UserIdentity(id: id, authBy: realm, displayName: identity["displayName"]?.string ?? id)
        }
        return nil
    }

    /// Native clients read the code from the address that they are sent to; hybrid ones, which give none, look at nothing.
    private func answer(code: String?, _ redirect: String) -> Response {
        guard !redirect.isEmpty else { return WireAnswer.plain("{}") }
        var response = WireAnswer.plain("{}", status: .found)
        response.headers[.location] = "\(redirect)?\(code.map { "code=\($0)&" } ?? "")wl_result=%7B%7D"
        return response
    }

    // MARK: Tokens

    /// Tokens for a code, which the client has signed with the key that it registered with.
    private func token(_ call: IncomingCall) async -> Response {
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

    private func tokens(for client: RegisteredClient, _ grant: AuthorizationGrant) throws -> Response {
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

    /// A token for trying out adapters, in development and from this machine.
    private func testToken(_ call: IncomingCall) -> Response {
        guard installation.settings.mode == .development, call.origin.isLocal else {
            return WireAnswer.failure(.notFound, "testtoken is for development on this machine", status: .notFound)
        }
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
        _ names: ProcedureNames, _ requirements: SecurityRequirements, _ call: IncomingCall
    ) async -> Response {
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
            return await invoke(names, call, session: session(of: access, identity, call))
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

    /// The client's session: the one of its cookie, when it is this client's, or one by its id alone, so that a client without
    /// cookies keeps its variables too.
    private func session(of access: AccessToken, _ identity: IdentityToken?, _ call: IncomingCall) -> ServerSession {
        if case .session(let session) = security.sessions.find(SessionCookies(call.request.headers).sessionIDs),
            session.oauthClient == access.clientId
        {
            return session
        }
        let session = security.sessions.session(ofClient: access.clientId)
        if let user = identity?.user, access.scopes.contains(where: { $0.name == user.authBy }) {
            session.logIn(
                IdentityObject.make(name: user.id, displayName: user.displayName), to: user.authBy,
                until: installation.time.uptime
                    + .seconds(access.expires.timeIntervalSince(installation.time.now)))
        }
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
