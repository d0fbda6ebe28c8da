import Core
import Foundation
import HTTPTransfer
import PushModel

/// A push service that wants a credential's access token with each request. It gets a new token when the service refuses the
/// old one; while the service cannot take messages, they are held back.
struct AuthorisedService {
    private let context: TransportContext
    private let client: ServiceClient
    private let guardian: ServiceGuard
    private let tokens: AccessTokenCache
    private let patience: Duration?

    /// - Parameters:
    ///   - name: the service's, for messages.
    ///   - patience: the pause after a request that timed out.
    ///   - credential: its name for messages, without secrets.
    ///   - removalAlarm: see ``ServiceGuard``.
    ///   - grant: requests a token from the token endpoint, through the client that it gets as its argument.
    /// - Throws: ``CredentialError`` when the certificates cannot be read.
    init(
        _ name: String, _ context: TransportContext, settings: ServiceClient.Settings, patience: Duration? = nil,
        credential: String, removalAlarm: String,
        grant: @escaping @Sendable (ServiceClient) async throws(VerdictError) -> AccessTokenCache.Grant
    ) throws(CredentialError) {
        self.context = context
        self.patience = patience
        let client = try ServiceClient(service: name, settings: settings, context)
        self.client = client
        let fullName = "\(name) (\(credential))"
        guardian = ServiceGuard(name: fullName, removalAlarm: removalAlarm, context)
        tokens = AccessTokenCache(name: fullName, time: context.time, logger: context.logger) {
            () async throws(VerdictError) in try await grant(client)
        }
    }

    /// Sends a request with an access token, unless the service is paused.
    ///
    /// - Parameters:
    ///   - request: to the service's own address.
    ///   - device: the device's token, which identifies it.
    ///   - isTokenRefused: returns true if a response refuses the access token.
    ///   - read: interprets a response, also the second one to a request whose token was refused twice.
    func send(
        _ request: PushRequest, device: String, isTokenRefused: (ServiceAnswer) -> Bool,
        read: (ServiceAnswer, Date) -> ServiceVerdict
    ) async -> PushAnswer {
        if let held = guardian.breaker.held() { return held }
        let outgoing = TransferRequest(
            request.method, url: context.endpoint?.replacingOrigin(of: request.url) ?? request.url,
            headers: request.headers.map { ($0.name, $0.value) }, body: Array(request.body.utf8))
        return guardian.answer(
            await verdict(on: outgoing, isTokenRefused: isTokenRefused, read: read), device: device)
    }

    func close() async {
        tokens.close()
        await client.close()
    }

    private func verdict(
        on request: TransferRequest, isTokenRefused: (ServiceAnswer) -> Bool,
        read: (ServiceAnswer, Date) -> ServiceVerdict
    ) async -> ServiceVerdict {
        do throws(VerdictError) {
            let token = try await tokens.current()
            var answer = try await send(request, token)
            if isTokenRefused(answer) {
                tokens.refused(token)
                answer = try await send(request, try await tokens.current())
            }
            return read(answer, context.time.now)
        } catch {
            return error.verdict
        }
    }

    private func send(
        _ request: TransferRequest, _ token: AccessTokenCache.Token
    ) async throws(VerdictError) -> ServiceAnswer {
        var request = request
        request.headers.append(("Authorization", token.authorization))
        do {
            return try await client.send(request)
        } catch {
            throw VerdictError(verdict: error.verdict(patience: patience))
        }
    }
}
