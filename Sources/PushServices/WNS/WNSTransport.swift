public import Delivery
public import Logging
public import PushModel

/// Sends to apps on Windows 8 and later through the Windows Push Notification Services (anchors F3).
public final class WNSTransport: PushTransport {
    private let endpoint: ServiceEndpoint?
    private let time: any TimeSource
    private let guardian: ServiceGuard
    private let tokens: AccessTokens
    private let client: ServiceClient
    private let exchange: AuthorisedExchange
    private let answers: WNSAnswers

    /// - Parameters:
    ///   - endpoint: stands for all of Microsoft's hosts, the one that grants access tokens included; nil = Microsoft's own.
    ///   - trustRoots: a PEM file or PEM text with certificates that are trusted besides the system's.
    ///   - proxy: through which Microsoft is reached; nil = directly.
    ///   - logger: hears of alarms (error), and of access tokens that could not be had (warning).
    /// - Throws: ``CredentialError`` when the certificates cannot be read.
    public convenience init(
        credential: WNSCredential, endpoint: ServiceEndpoint? = nil, trustRoots: String? = nil,
        proxy: EgressProxy? = nil, time: any TimeSource, logger: Logger
    ) throws(CredentialError) {
        try self.init(
            credential: credential, endpoint: endpoint, trustRoots: trustRoots, proxy: proxy, time: time,
            logger: logger,
            settings: ServiceClient.Settings())
    }

    init(
        credential: WNSCredential, endpoint: ServiceEndpoint?, trustRoots: String?, proxy: EgressProxy?,
        time: any TimeSource, logger: Logger, settings: ServiceClient.Settings
    ) throws(CredentialError) {
        self.endpoint = endpoint
        self.time = time
        let name = "WNS (\(credential))"
        client = try ServiceClient(service: "WNS", settings: settings, trustRoots: trustRoots, proxy: proxy)
        guardian = ServiceGuard(name: name, time: time, logger: logger)
        let grants = WNSTokenEndpoint(credential: credential, endpoint: endpoint, client: client, time: time)
        tokens = AccessTokens(name: name, time: time, logger: logger) { () async throws(AccessTokens.Failure) in
            try await grants.fetch()
        }
        exchange = AuthorisedExchange(client: client, tokens: tokens, patience: nil)
        answers = WNSAnswers(mismatches: MismatchRule(), credential: credential)
    }

    public func send(_ request: PushRequest, for delivery: Delivery) async -> PushAnswer {
        let channel: DeviceToken
        do {
            channel = try WNSChannel.checked(request.url)
        } catch {
            return PushAnswer(
                .refused(reason: "nothing is sent to this channel: \(error.reason); the app must ask for a new one"))
        }
        if let held = guardian.held() { return held }
        let verdict = await exchange.run(
            request, url: endpoint?.replacingOrigin(of: channel.value) ?? channel.value,
            isTokenRefused: { $0.status == 401 }, read: { answers.verdict($0, token: channel, now: time.now) })
        return guardian.answer(verdict)
    }

    public func close() async {
        tokens.close()
        await client.close()
    }
}
