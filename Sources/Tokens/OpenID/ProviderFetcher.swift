import Foundation
import HTTPTransfer

/// Fetches a provider's documents.
struct ProviderFetcher: Sendable {
    struct Document: Sendable {
        let body: Data
        /// `max-age` of the response's `Cache-Control`.
        let maxAge: Duration?
    }

    static let sizeLimit = 1 << 20

    let client: TransferClient
    /// For one whole document.
    let timeout: Duration

    /// - Throws: ``ProviderError``.
    func fetch(_ url: URL) async throws(ProviderError) -> Document {
        let request = TransferRequest(
            url: url.absoluteString, headers: [("Accept", "application/json")], timeout: timeout,
            maximumSize: Self.sizeLimit)
        let answer: TransferAnswer
        do {
            answer = try await client.send(request)
        } catch {
            switch error.kind {
            case .tooLarge: throw .answer("\(url) sends more than \(Self.sizeLimit) bytes")
            case .timedOut, .noConnectionInTime: throw .unreachable("\(url) took longer than \(timeout)")
            default: throw .unreachable("\(url): \(error.text)")
            }
        }
        guard answer.status == 200 else {
            throw .answer("\(url) returned status \(answer.status); expected: 200")
        }
        let directives = answer.head.headers.filter { $0.name.lowercased() == "cache-control" }
            .flatMap { $0.value.split(separator: ",").map(String.init) }
        return Document(body: Data(answer.body), maxAge: Self.maxAge(directives))
    }

    /// RFC 9111, 5.2.2.1.
    static func maxAge(_ directives: [String]) -> Duration? {
        for directive in directives {
            let halves = directive.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard halves.count == 2, halves[0].lowercased() == "max-age" else { continue }
            return UInt32(halves[1].trimmingCharacters(in: ["\""])).map { .seconds(Int($0)) }
        }
        return nil
    }
}

/// The reason why the provider's keys are not available. It says nothing about the token: the same one may be fine a little later.
public enum ProviderError: Error, Equatable, CustomStringConvertible {
    /// The provider does not respond, or not in time; with the details.
    case unreachable(String)
    /// The response is not the expected one; with the details.
    case answer(String)

    public var description: String {
        switch self {
        case .unreachable(let why): "the OpenID Connect provider does not respond: \(why)"
        case .answer(let why): "the OpenID Connect provider's response is invalid: \(why)"
        }
    }
}

/// The members of a discovery document that are used (OpenID Connect Discovery 1.0, section 3).
struct DiscoveryDocument {
    /// `jwks_uri`: the URL of the provider's keys.
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
            throw .answer("the 'jwks_uri' of \(address) is not an https URL of another machine")
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
