import Core
import HTTPTransfer
import PushModel

/// The identity of an app's server at Microsoft: the `packageSID` and `clientSecret` of the application descriptor's `pushSender` for Windows 8
/// (server-api 5.2), from the app's page in the Partner Center.
public struct WNSCredential: Sendable, Hashable, CustomStringConvertible {
    /// Begins with `ms-app://`.
    public let packageSID: String
    let clientSecret: String

    /// - Parameters:
    ///   - packageSID: like `ms-app://s-1-15-2-…`.
    ///   - source: where they came from, for errors.
    /// - Throws: ``CredentialError`` naming the field.
    public init(packageSID: String, clientSecret: String, source: String) throws(CredentialError) {
        let isSID =
            packageSID.hasPrefix("ms-app://") && packageSID.utf8.count > 9 && packageSID.utf8.count <= 256
            && packageSID.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isSID else {
            throw CredentialError(
                source: source, field: "packageSID",
                problem: packageSID.isEmpty
                    ? "it is missing; expected a value like ms-app://s-1-15-2-…, the Package SID on the app's page in "
                        + "Microsoft's Partner Center"
                    : "expected a value like ms-app://s-1-15-2-…, found one that does not begin with ms-app:// or holds "
                        + "blanks; copy the Package SID from the app's page in Microsoft's Partner Center")
        }
        guard !clientSecret.isEmpty else {
            throw CredentialError(
                source: source, field: "clientSecret",
                problem: "it is missing or empty; expected the application secret on the app's page in Microsoft's "
                    + "Partner Center")
        }
        self.packageSID = packageSID
        self.clientSecret = clientSecret
    }

    /// Without the secret.
    public var description: String { packageSID }
}

extension WNSCredential: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: ["packageSID": packageSID]) }
}

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
