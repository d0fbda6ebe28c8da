import AdapterRuntime
import Authentication
import Core
import Foundation
import HTTPServer
import HTTPTypes
import Installation
import Tokens

/// Programs that call a guarded procedure with a user's name and password, as `curl -u` does: each request logs in for itself.
///
/// IBM's own way for back ends. The procedure's security test names a realm with `BasicAuthenticator`; the program keeps no cookie, so it could
/// not repeat an instance id.
extension ClientProtocolHandler {
    /// Returns true if a request logs in to a realm of HTTP Basic that its procedure's security test names.
    ///
    /// It must bring the credentials and no session cookie, and must not come from a page of another site: a browser adds credentials by
    /// itself. The test may not require a device's identity, which a program does not have.
    func isBasicLogin(_ call: IncomingRequest) -> Bool {
        guard call.request.headers.value(of: .authorization).flatMap(BasicCredentials.init) != nil,
            SessionCookies(call.request.headers).sessionIDs.isEmpty, !page(of: call).isForeign
        else { return false }
        return hasBasicRealm(requirements(for: permit(of: call)))
    }

    private func hasBasicRealm(_ requirements: SecurityRequirements) -> Bool {
        guard requirements.obstacle == nil, !requirements.device else { return false }
        return requirements.userRealms.contains { name in
            if case .basic = security.gate.realms[name]?.authenticator { true } else { false }
        }
    }

    /// Logs the user in for this request alone, and calls the procedure. The session ends with the response, and gets no cookie.
    func answerBasicLogin(_ call: IncomingRequest) async -> Response {
        let session = security.sessions.makeSingleUse(
            persistentID: security.authorization.clientIDs.make().uuidString.lowercased())
        RequestRecord.current?.note(sessionID: session.id)
        let exchange = ClientRequestContext(call, session: session, application: nil, request: clientRequest(call))
        let logins = RequestLoginVisibility(session.client)
        let response = await RequestLoginVisibility.$current.withValue(logins) {
            await retryWithCurrentPermit(permit(of: call)) { permit async throws(StalePermitError) in
                let requirements = requirements(for: permit)
                // The adapter may have been deployed with another test meanwhile.
                guard hasBasicRealm(requirements) else { return await answerClient(call) }
                if let challenge = await security.gate.challenge(for: requirements.userRealms, exchange.visit) {
                    return refusal(challenge)
                }
                if let refusal = security.gate.refusal(ofCallsTo: call.adapter, exchange.visit) {
                    return ClientProtocolResponse.failure(refusal)
                }
                return ClientProtocolResponse.plain(
                    try await security.gate.calling(adapter: call.adapter, exchange.visit) {
                        caller throws(StalePermitError) in
                        try await installation.runtime.invoke(
                            adapter: call.adapter, procedure: call.procedure, parameters: call.parameters,
                            caller: caller, permit: permit)
                    })
            }
        }
        security.sessions.end(singleUse: session)
        return response
    }

    private func refusal(_ challenge: LoginChallenge) -> Response {
        let response = response(to: challenge)
        guard case .basic = challenge else { return response }
        var plain = ClientProtocolResponse.plainFailure(
            .unexpected, "the user name or the password is wrong", status: response.status)
        plain.headers[.wwwAuthenticate] = response.headers[.wwwAuthenticate]
        return plain
    }
}
