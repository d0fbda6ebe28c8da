import Core
import HTTPTransfer
import PushModel

/// The OAuth client of an app, from its page in AppGallery Connect.
struct HMSCredential: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The client id, which is also part of the address that messages are sent to.
    let appID: String
    /// The client secret.
    let appSecret: String

    /// Without the secret.
    var description: String { "app \(appID)" }

    var customMirror: Mirror { Mirror(self, children: ["appID": appID]) }
}

/// Gets access tokens for Push Kit.
struct HMSTokenEndpoint {
    private static let address = "https://oauth-login.cloud.huawei.com/oauth2/v3/token"

    let credential: HMSCredential
    let endpoint: ServiceEndpoint?
    let client: ServiceClient
    let time: any TimeSource

    func fetch() async throws(VerdictError) -> AccessTokenCache.Grant {
        let request = TransferRequest.form(
            to: endpoint?.replacingOrigin(of: Self.address) ?? Self.address,
            [
                ("grant_type", "client_credentials"), ("client_id", credential.appID),
                ("client_secret", credential.appSecret),
            ])
        let answer: ServiceAnswer
        do {
            answer = try await client.send(request)
        } catch {
            throw VerdictError(verdict: error.verdict())
        }
        return try TokenAnswer.grant(
            answer, service: "Huawei", advice: "compare appID and appSecret with the app's page in AppGallery Connect",
            hiding: [credential.appSecret], now: time.now)
    }
}
