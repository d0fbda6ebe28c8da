import Authentication
import Core
import Foundation
import HTTPServer
import HTTPTypes
import Installation
import Tokens

/// `/oauth/token`, by which clients of 6.2 get a token for other servers (wire-protocol 1): `WLClient.obtainAccessToken(scope)`.
extension ClientProtocolHandler {
    func answerTokenEndpoint(_ call: IncomingRequest) async -> Response {
        switch call.fields["grant_type"] {
        case "client_credentials": return await tokenForSession(call)
        case "authorization_code": return await token(call)
        default:
            return refused(
                "unsupported_grant_type", "grant_type: expected client_credentials or authorization_code")
        }
    }

    /// Issues a token to the application that the header `wl-oauth-client` names, once its session has passed what the
    /// application's security test and the scopes ask for. A scope is the name of a realm; without one the token is for the realms
    /// of the application's test.
    private func tokenForSession(_ call: IncomingRequest) async -> Response {
        guard let application = application(of: call) else {
            return refused("invalid_client", "wl-oauth-client: expected 'WLapp APPLICATION:ENVIRONMENT'")
        }
        let requirements: SecurityRequirements
        switch security.policy.admission(of: application) {
        case .admitted(let admitted): requirements = admitted
        case .unknown(let reason): return refused("invalid_client", told(Self.noApplication, reason))
        }
        if let obstacle = requirements.obstacle {
            return refused("invalid_client", told(Self.closed, obstacle), status: .forbidden)
        }
        let (scopes, scopeText) = scopes(call.fields["scope"] ?? "", requirements: requirements)
        if let problem = problem(ofScopes: scopes) { return refused("invalid_scope", problem) }
        return await inSession(call, application: application) { exchange in
            if let refusal = handshake.refusal(of: exchange, needsDevice: requirements.device) { return refusal }
            let realms = requirements.userRealms + scopes.filter(needsLogin)
            if let challenge = await security.gate.challenge(for: realms, exchange.visit) {
                return response(to: challenge)
            }
            let session = exchange.session
            let id = session.oauthClient ?? UUID().uuidString.lowercased()
            session.oauthClient = id
            let client = security.authorization.unregisteredClient(
                id,
                ClientDescription(
                    deviceId: session.device?.id ?? "", deviceOs: session.device?.os ?? "",
                    deviceModel: session.device?.model ?? "", applicationId: application.id,
                    applicationVersion: application.version, environment: application.environment.name))
            let granted = scopes.isEmpty ? [AuthorizationServer.registeredScope] + realms : scopes
            do {
                return try tokens(
                    for: client,
                    AuthorizationGrant(
                        clientId: id, redirectURI: "", scopes: grants(granted, in: session),
                        user: user(of: session, in: realms), scopeText: scopeText))
            } catch {
                return unavailable(error)
            }
        }
    }

    /// `WLapp MyApp:Androidnative`.
    private func application(of call: IncomingRequest) -> ClientApplication? {
        guard let match = call.request.headers[.oauthClient]?.wholeMatch(of: /WLapp +([^:\s]+):([^:\s]+)/) else {
            return nil
        }
        return ClientApplication(
            id: String(match.1), environment: ClientEnvironment(String(match.2)),
            version: call.appVersion ?? "")
    }
}
