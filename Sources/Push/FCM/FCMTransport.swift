public import Core
public import Logging
public import PushModel

/// Sends to Android devices through the HTTP v1 interface of Firebase Cloud Messaging (anchors F2).
public final class FCMTransport: PushTransport {
    /// How long Google wants to be left alone after a request that it did not answer in time.
    static let patience = Duration.seconds(10)
    private static let origin = "https://fcm.googleapis.com/"

    private let service: AuthorisedService
    private let answers: FCMAnswers

    /// - Parameters:
    ///   - endpoint: stands for Google's hosts, the one that grants access tokens included; nil = Google's own.
    ///   - trustRoots: a PEM file or PEM text with certificates that are trusted besides the system's.
    ///   - proxy: through which Google is reached; nil = directly.
    ///   - logger: gets alarms (error), and failures to get an access token (warning).
    /// - Throws: ``CredentialError`` when the certificates cannot be read.
    public convenience init(
        credential: FCMCredential, endpoint: ServiceEndpoint? = nil, trustRoots: String? = nil,
        proxy: EgressProxy? = nil, time: any TimeSource, logger: Logger, guards: GuardCounters = .none
    ) throws(CredentialError) {
        try self.init(
            credential: credential, endpoint: endpoint, trustRoots: trustRoots, proxy: proxy, time: time,
            logger: logger, guards: guards,
            settings: ServiceClient.Settings())
    }

    init(
        credential: FCMCredential, endpoint: ServiceEndpoint?, trustRoots: String?, proxy: EgressProxy?,
        time: any TimeSource, logger: Logger, guards: GuardCounters = .none, settings: ServiceClient.Settings
    ) throws(CredentialError) {
        service = try AuthorisedService(
            "FCM", endpoint: endpoint, trustRoots: trustRoots, proxy: proxy, time: time, logger: logger,
            guards: guards, settings: settings,
            patience: Self.patience, credential: "\(credential)",
            removalAlarm: """
                if the Firebase project \(credential.projectID) is not the apps', or what answers is not Google, set the apps' \
                own service account and the endpoint and start again; if these apps are gone, remove their subscriptions
                """
        ) { client throws(VerdictError) in
            try await FCMTokenEndpoint(credential: credential, endpoint: endpoint, client: client, time: time).fetch()
        }
        answers = FCMAnswers(mismatches: MismatchRule(), credential: credential)
    }

    public func send(_ request: PushRequest, for delivery: Delivery) async -> PushAnswer {
        guard request.url.hasPrefix(Self.origin) else {
            return PushAnswer(.refused(reason: "a request to FCM must go to \(Self.origin)"))
        }
        let token = delivery.target.token ?? DeviceToken(stored: "")
        return await service.send(
            request, to: request.url, device: token.value,
            // This 401 is about a key in the Firebase project, not about the access token.
            isTokenRefused: { $0.status == 401 && FCMErrorDetails($0).code != "THIRD_PARTY_AUTH_ERROR" },
            read: { answers.verdict($0, token: token, now: $1) })
    }

    public func close() async {
        await service.close()
    }
}
