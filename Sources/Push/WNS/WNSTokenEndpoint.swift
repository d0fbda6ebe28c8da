import Core
import HTTPTransfer
import PushModel

/// Gets access tokens for WNS (learn.microsoft.com, "Push notification service request and response headers").
struct WNSTokenEndpoint {
    private static let address = "https://login.live.com/accesstoken.srf"

    let credential: WNSCredential
    let endpoint: ServiceEndpoint?
    let client: ServiceClient
    let time: any TimeSource

    func fetch() async throws(VerdictError) -> AccessTokenCache.Grant {
        let request = TransferRequest.form(
            to: endpoint?.replacingOrigin(of: Self.address) ?? Self.address,
            [
                ("grant_type", "client_credentials"), ("client_id", credential.packageSID),
                ("client_secret", credential.clientSecret), ("scope", "notify.windows.com"),
            ])
        let answer: ServiceAnswer
        do {
            answer = try await client.send(request)
        } catch {
            throw VerdictError(verdict: error.verdict())
        }
        return try TokenAnswer.grant(
            answer, service: "Microsoft",
            advice: "compare package SID and client secret with the app's page in Microsoft's Partner Center",
            hiding: [credential.clientSecret], now: time.now)
    }
}
