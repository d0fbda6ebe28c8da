import Core
import Foundation

/// Microsoft's token endpoint: access tokens for a package's SID and secret.
struct MicrosoftTokens: WebService {
    static let lifetime = 86_400
    private static let scopes = ["notify.windows.com", "https://wns.windows.com/.default"]

    let name = SandboxService.oauth
    let core: SandboxCore

    func token(of request: WebRequest) -> String? { nil }

    var expiredToken: ServiceDecision { refuse("invalid_client", "The client secret has expired.", status: 401) }

    func refusal(status: Int, reason: String) -> WebReply {
        .json(status, ["error": .string(reason), "error_description": "a fault of push-sandbox refuses this"])
    }

    func judge(_ request: WebRequest) async -> ServiceDecision {
        guard request.method == "POST", request.mediaType == "application/x-www-form-urlencoded" else {
            return refuse("invalid_request", "The request must be a POST of type application/x-www-form-urlencoded.")
        }
        let fields = request.formFields
        guard fields["grant_type"] == "client_credentials" else {
            return refuse("unsupported_grant_type", "The grant_type must be client_credentials.")
        }
        guard fields["client_id"] == core.identity.wnsPackageSID else {
            return refuse("invalid_client", "The client_id must be the package's SID.")
        }
        guard fields["client_secret"] == core.identity.wnsClientSecret else {
            return refuse("invalid_client", "Invalid client secret.")
        }
        guard let scope = fields["scope"], Self.scopes.contains(scope) else {
            return refuse("invalid_scope", "The scope must be notify.windows.com.")
        }
        let token = core.accessTokens.make(
            prefix: "EgAdAQMAAAAEgAAA-sandbox-",
            expires: core.settings.now().addingTimeInterval(TimeInterval(Self.lifetime)))
        return ServiceDecision(
            accepted: .json(
                200,
                [
                    "token_type": "bearer", "access_token": .string(token),
                    "expires_in": .number(Double(Self.lifetime)),
                ]), clearText: [])
    }

    private func refuse(_ error: String, _ description: String, status: Int = 400) -> ServiceDecision {
        ServiceDecision(
            .json(status, ["error": .string(error), "error_description": .string(description)]), reason: description)
    }
}
