import PushModel

/// Sends to Huawei's devices through the HTTP v1 interface of Push Kit.
final class HMSTransport: PushTransport {
    typealias Channel = HMSChannel

    private let service: AuthorisedService
    private let answers: HMSAnswers

    /// - Throws: ``CredentialError`` when the certificates cannot be read.
    init(
        _ credential: HMSCredential, _ context: TransportContext,
        settings: ServiceClient.Settings = ServiceClient.Settings()
    ) throws(CredentialError) {
        service = try AuthorisedService(
            "HMS", context, settings: settings, credential: "\(credential)",
            removalAlarm: """
                if \(credential.appID) is another app's id, or what answers is not Huawei, set the app's own appID and \
                appSecret and the endpoint and start again; if these apps are gone, remove their subscriptions
                """
        ) { client throws(VerdictError) in
            try await HMSTokenEndpoint(
                credential: credential, endpoint: context.endpoint, client: client, time: context.time
            ).fetch()
        }
        answers = HMSAnswers(credential: credential)
    }

    func send(_ request: HMSRequest) async -> PushAnswer {
        await service.send(
            request.record, device: request.token.value, isTokenRefused: HMSAnswers.isTokenRefused,
            read: { answers.verdict($0, token: request.token, now: $1) })
    }

    func close() async {
        await service.close()
    }
}
