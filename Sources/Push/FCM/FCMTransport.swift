import PushModel

/// Sends to Android devices through the HTTP v1 interface of Firebase Cloud Messaging (anchors F2).
final class FCMTransport: PushTransport {
    typealias Channel = FCMChannel

    /// The pause that Google requires after a request that timed out.
    static let patience = Duration.seconds(10)

    private let service: AuthorisedService
    private let answers: FCMAnswers

    /// - Throws: ``CredentialError`` when the certificates cannot be read.
    init(
        _ credential: FCMCredential, _ context: TransportContext,
        settings: ServiceClient.Settings = ServiceClient.Settings()
    ) throws(CredentialError) {
        service = try AuthorisedService(
            "FCM", context, settings: settings, patience: Self.patience, credential: "\(credential)",
            removalAlarm: """
                if the Firebase project \(credential.projectID) is not the apps', or the responses do not come from Google, \
                set the service account of the apps and the endpoint and restart; if these apps are gone, remove their \
                subscriptions
                """
        ) { client throws(VerdictError) in
            try await FCMTokenEndpoint(
                credential: credential, endpoint: context.endpoint, client: client, time: context.time
            ).fetch()
        }
        answers = FCMAnswers(credential: credential)
    }

    func send(_ request: FCMRequest) async -> PushAnswer {
        await service.send(
            request.record, device: request.token.value,
            // This 401 is about a key in the Firebase project, not about the access token.
            isTokenRefused: { $0.status == 401 && FCMErrorDetails($0).code != "THIRD_PARTY_AUTH_ERROR" },
            read: { answers.verdict($0, token: request.token, now: $1) })
    }

    func close() async {
        await service.close()
    }
}
