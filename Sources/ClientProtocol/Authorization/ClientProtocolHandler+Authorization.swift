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

/// The endpoints under `/authorization/v1/`.
enum AuthorizationEndpoint: String, Sendable, CaseIterable {
    case clients = "clients/instance"
    case authorization
    case token
    case testToken = "testtoken"
}

/// The OAuth layer of 7.0 and 7.1 (wire-protocol 8): a client registers, is authorized, and gets tokens, in plain JSON.
extension ClientProtocolHandler {
    /// The redirect address for native clients after authorization; they follow no redirect, and read it.
    private static let nativeRedirect = "http://mfpredirecturi"

    func answerAuthorization(_ path: String, _ call: IncomingRequest) async -> Response {
        switch AuthorizationEndpoint(rawValue: path) {
        case .clients: return await register(call)
        case .authorization: return await authorize(call)
        case .token: return await token(call)
        case .testToken: return testToken(call)
        case nil:
            return ClientProtocolResponse.plainFailure(
                .notFound, "there is no /authorization/v1/\(path.prefix(100))", status: .notFound)
        }
    }

    /// An error of RFC 6749, 5.2, with the members of every error of ours.
    func refused(
        _ error: String, _ description: String, status: HTTPResponse.Status = .badRequest
    ) -> Response {
        var object: JSONObject = ["error": .string(error), "error_description": .string(description)]
        for member in ClientProtocolResponse.failureBody(.unexpected, description).members {
            object[member.key] = member.value
        }
        return ClientProtocolResponse.plain(JSONValue.object(object).text, status: status)
    }

    /// The error at which clients register again, in the words and with the members of the original (wire-protocol 8).
    ///
    /// It has no `errorCode` and `errorMsg`, unlike all other errors: the SDKs of 7.x read the form of the body, and with other
    /// members they would not register again.
    var unknownClient: Response {
        ClientProtocolResponse.plain(
            #"{"error":"unauthorized_client","error_description":"Unknown client"}"#, status: .badRequest)
    }

    func unavailable(_ error: any Error) -> Response {
        security.log.log("request \(error)", at: .error, "\(error)")
        var response = refused(
            "temporarily_unavailable", "the server cannot do this at the moment", status: .serviceUnavailable)
        response.headers[.retryAfter] = ClientProtocolResponse.retryAfterOutage
        return response
    }

    // MARK: Registering

    /// The first request of a fresh install: without a challenge, in the session that its other requests will use.
    private func register(_ call: IncomingRequest) async -> Response {
        if let wait = security.authorization.registrations.take(for: call.rateLimitKey) {
            security.log.reached("registrations from one address", by: call.address, "refused a client with 429")
            var response = refused(
                "temporarily_unavailable", "too many clients were registered from this address",
                status: .tooManyRequests)
            response.headers[.retryAfter] = "\(max(1, wait.components.seconds))"
            return response
        }
        let csr = call.fields["CSR"] ?? ""
        let request: ClientRegistrationRequest
        do {
            // Checking a signature of thousands of bits takes milliseconds.
            request = try await runBlocking { try ClientRegistrationRequest(csr: csr) }
        } catch {
            return refused("invalid_request", "CSR: \(error)")
        }
        let application = ClientApplication(
            id: request.client.applicationId, environment: ClientEnvironment(request.client.environment),
            version: request.client.applicationVersion)
        if case .unknown(let reason) = security.policy.admission(of: application) {
            return refused("invalid_request", told(Self.noApplication, reason))
        }
        if let block = handshake.block(application)
            ?? handshake.block(deviceID: request.client.deviceId, of: application.id)
        {
            return block
        }
        return await inSession(call) { exchange in
            do {
                let (clientID, certificate) = try await runBlocking { try security.authorization.register(request) }
                exchange.session.oauthClient = clientID
                let answer: JSONValue = ["certificate": .string(certificate.base64EncodedString())]
                return ClientProtocolResponse.plain(answer.text)
            } catch let error as ClientValueError {
                return refused("invalid_request", "\(error)")
            } catch {
                return unavailable(error)
            }
        }
    }

    // MARK: Authorizing

    /// Returns a code for the requested scopes, once users are logged in to those that are realms. A scope with a minus
    /// before it is a realm to log out of.
    private func authorize(_ call: IncomingRequest) async -> Response {
        let scope = call.fields["scope"] ?? ""
        let redirect = call.fields["redirect_uri"] ?? ""
        guard redirect.isEmpty || redirect == Self.nativeRedirect else {
            return refused("invalid_request", "redirect_uri: expected \(Self.nativeRedirect)")
        }
        let leaving = scope.split(separator: " ").filter { $0.hasPrefix("-") }.map { String($0.dropFirst()) }
        if !leaving.isEmpty, leaving.count == scope.split(separator: " ").count {
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
                return unknownClient
            }
            client = found
        } catch {
            return unavailable(error)
        }
        let application = application(of: client, call)
        if let block = handshake.block(application) ?? handshake.block(client) { return block }
        let requirements: SecurityRequirements
        switch security.policy.admission(of: application) {
        case .admitted(let admitted): requirements = admitted
        case .unknown(let reason): return refused("invalid_request", told(Self.noApplication, reason))
        }
        let (scopes, scopeText) = scopes(scope, requirements: requirements)
        // With another scope instead, clients would ask again and again (wire-protocol 13).
        if let problem = problem(ofScopes: scopes) { return refused("invalid_scope", problem) }
        return await inSession(call) { exchange in
            if let challenge = forgeryChallenge(exchange) { return challenge }
            let realms = scopes.filter(needsLogin)
            if let challenge = await security.gate.challenge(for: realms, exchange.visit) {
                return response(to: challenge)
            }
            exchange.session.oauthClient = client.clientId
            do {
                let code = try security.authorization.codes.makeCode(
                    for: AuthorizationGrant(
                        clientId: client.clientId, redirectURI: redirect,
                        scopes: grants(scopes, in: exchange.session), user: user(of: exchange.session, in: realms),
                        scopeText: scopeText))
                return answer(code: code, redirect)
            } catch {
                return refused("temporarily_unavailable", "\(error)", status: .serviceUnavailable)
            }
        }
    }

    /// The registered application, in the version that it has now.
    func application(of client: RegisteredClient, _ call: IncomingRequest) -> ClientApplication {
        ClientApplication(
            id: client.description.applicationId, environment: ClientEnvironment(client.description.environment),
            version: call.appVersion ?? client.description.applicationVersion)
    }

    /// Returns the challenge against forged requests: a page of another site must not get a code in a user's name, or log the user out.
    /// This challenge comes before that for a login, since the SDKs of 7.0 and 7.1 never repeat the call of an adapter's login procedure that is
    /// challenged for the instance id.
    private func forgeryChallenge(_ exchange: ClientRequestContext) -> Response? {
        guard !exchange.session.proves(instanceID: exchange.head.headerFields[.instanceID]) else { return nil }
        return Handshake.challenge(
            [BuiltInRealm.antiXSRF.rawValue: ["WL-Instance-Id": .string(exchange.session.instanceID)]])
    }

    func user(of session: ServerSession, in realms: [String]) -> Tokens.UserIdentity? {
        let candidates = realms + session.client.realms
        for realm in candidates {
            guard let identity = security.gate.identity(in: realm, of: session), let id = identity.userID
            else {
                continue
            }
            return Tokens.UserIdentity(id: id, authBy: realm, displayName: identity["displayName"]?.string ?? id)
        }
        return nil
    }

    /// Native clients read the code from the redirect address; hybrid ones, which send no address, read nothing.
    private func answer(code: String?, _ redirect: String) -> Response {
        guard !redirect.isEmpty else { return ClientProtocolResponse.plain("{}") }
        var response = ClientProtocolResponse.plain("{}", status: .found)
        response.headers[.location] = "\(redirect)?\(code.map { "code=\($0)&" } ?? "")wl_result=%7B%7D"
        return response
    }
}
