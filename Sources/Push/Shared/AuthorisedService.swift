import Core
import Foundation
import HTTPTransfer
import Logging
import PushModel

/// A push service that wants a credential's access token with each request. It gets a new token when the service refuses the
/// old one; while the service cannot take messages, they are held back.
struct AuthorisedService {
    private let endpoint: ServiceEndpoint?
    private let time: any TimeSource
    private let client: ServiceClient
    private let guardian: ServiceGuard
    private let tokens: AccessTokenCache
    private let patience: Duration?

    /// - Parameters:
    ///   - name: the service's, for people.
    ///   - endpoint: stands for all its hosts, the one that grants access tokens included; nil = its own.
    ///   - trustRoots: a PEM file or PEM text with certificates that are trusted besides the system's.
    ///   - proxy: through which it is reached; nil = directly.
    ///   - logger: gets alarms (error), and failures to get an access token (warning).
    ///   - patience: how long to leave the service alone after a request that timed out.
    ///   - credential: for people, without secrets.
    ///   - removalAlarm: see ``ServiceGuard``.
    ///   - grant: asks the token endpoint, by the client that it is given.
    /// - Throws: ``CredentialError`` when the certificates cannot be read.
    init(
        _ name: String, endpoint: ServiceEndpoint?, trustRoots: String?, proxy: EgressProxy?, time: any TimeSource,
        logger: Logger, guards: GuardCounters, settings: ServiceClient.Settings, patience: Duration?,
        credential: String,
        removalAlarm: String,
        grant: @escaping @Sendable (ServiceClient) async throws(VerdictError) -> AccessTokenCache.Grant
    ) throws(CredentialError) {
        self.endpoint = endpoint
        self.time = time
        self.patience = patience
        let client = try ServiceClient(
            service: name, settings: settings, trustRoots: trustRoots, proxy: proxy, time: time, logger: logger)
        self.client = client
        let fullName = "\(name) (\(credential))"
        guardian = ServiceGuard(
            name: fullName, removalAlarm: removalAlarm, time: time, logger: logger, guards: guards)
        tokens = AccessTokenCache(name: fullName, time: time, logger: logger) { () async throws(VerdictError) in
            try await grant(client)
        }
    }

    /// Sends a request with an access token, unless the service is to be left alone for now.
    ///
    /// - Parameters:
    ///   - request: to the service's own address.
    ///   - device: the device's token, which names it.
    ///   - isTokenRefused: whether an answer is about the access token.
    ///   - read: what an answer means, the second one to a request whose token was refused twice included.
    func send(
        _ request: PushRequest, device: String, isTokenRefused: (ServiceAnswer) -> Bool,
        read: (ServiceAnswer, Date) -> ServiceVerdict
    ) async -> PushAnswer {
        if let held = guardian.held() { return held }
        let outgoing = TransferRequest(
            request.method, url: endpoint?.replacingOrigin(of: request.url) ?? request.url,
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
            return read(answer, time.now)
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
