import Core
public import Foundation

/// The user whom a verified token of a foreign provider identifies.
public struct ForeignIdentity: Sendable, Hashable {
    /// The value of the claim that the settings name.
    public let user: String
    public let issuer: String
    /// `sub`.
    public let subject: String?
    public let expires: Date
    /// All claims, as JSON.
    public let payload: Data
}

extension ForeignIdentity {
    /// - Throws: ``TokenError``: the claim that names the user is missing, empty or not a string, or it or `sub` has a control character.
    init(_ claims: ForeignClaims, userClaim: String, payload: Data) throws(TokenError) {
        guard let issuer = claims.issuer else { throw .missing("iss") }
        guard let expires = claims.expires else { throw .missing("exp") }
        let user: String
        do {
            user = try JSONDecoder().decode(NamedClaim.self, from: payload, configuration: userClaim).value
        } catch {
            throw .missing(userClaim)
        }
        guard !user.isEmpty else { throw .missing(userClaim) }
        for (name, value) in [(userClaim, user), ("sub", claims.subject ?? "")] where value.hasControlCharacters {
            throw .malformed("the token's '\(name)' has a control character: \(TokenError.quote(value))")
        }
        self.init(user: user, issuer: issuer, subject: claims.subject, expires: expires, payload: payload)
    }
}

/// The claims that every token has (RFC 7519, 4.1).
struct ForeignClaims: Decodable {
    let issuer: String?
    let subject: String?
    let audiences: [String]
    let expires: Date?
    let notBefore: Date?

    enum CodingKeys: String, CodingKey {
        case iss, sub, aud, exp, nbf
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        issuer = try container.decodeIfPresent(String.self, forKey: .iss)
        subject = try container.decodeIfPresent(String.self, forKey: .sub)
        if let one = try? container.decodeIfPresent(String.self, forKey: .aud) {
            audiences = [one]
        } else {
            audiences = try container.decodeIfPresent([String].self, forKey: .aud) ?? []
        }
        expires = try container.decodeIfPresent(Double.self, forKey: .exp).map(Date.init(timeIntervalSince1970:))
        notBefore = try container.decodeIfPresent(Double.self, forKey: .nbf).map(Date.init(timeIntervalSince1970:))
    }
}

/// A claim with a name that is known only at run time.
private struct NamedClaim: DecodableWithConfiguration {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let value: String

    init(from decoder: any Decoder, configuration name: String) throws {
        value = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: Key(stringValue: name))
    }
}
