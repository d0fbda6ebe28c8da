import Foundation

/// What a provider says of itself (OpenID Connect Discovery 1.0, section 3), as far as it matters here.
struct DiscoveryDocument {
    /// `jwks_uri`: where its keys are.
    let keysURL: URL

    /// - Parameters:
    ///   - json: the document.
    ///   - address: where it was found.
    ///   - issuer: whose document it should be.
    /// - Throws: ``ProviderError/answer(_:)``: it is another issuer's, or its keys are where they cannot be trusted. A provider
    ///   elsewhere must not name this machine, whose own services it could have us ask.
    init(json: Data, from address: URL, issuer: String) throws(ProviderError) {
        guard let raw = try? JSONDecoder().decode(Raw.self, from: json) else {
            throw .answer("\(address) is not a JSON object with 'issuer' and 'jwks_uri'")
        }
        guard raw.issuer == issuer else {
            throw .answer(
                "\(address) names the issuer \(TokenError.quote(raw.issuer)); expected: \(TokenError.quote(issuer))")
        }
        guard let url = URL(string: raw.keys), url.isSafe, !url.isLoopback || address.isLoopback else {
            throw .answer("the 'jwks_uri' of \(address) is no https URL of another machine")
        }
        keysURL = url
    }

    private struct Raw: Decodable {
        let issuer: String
        let keys: String

        enum CodingKeys: String, CodingKey {
            case issuer
            case keys = "jwks_uri"
        }
    }
}
