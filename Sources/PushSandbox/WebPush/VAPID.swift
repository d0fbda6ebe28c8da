import Core
import Crypto
import Foundation
import JWTKit

/// Checks who sends a Web Push message (RFC 8292).
enum VAPID {
    struct RejectionError: Error, CustomStringConvertible {
        let description: String
    }

    private struct Claims: JWTPayload {
        let aud: String
        let exp: Int
        let sub: String?

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    private static let longestLife = 24 * 3600

    /// - Parameter authorization: `vapid t=TOKEN, k=KEY`.
    static func check(_ authorization: String?, origin: String, now: Date) async throws(RejectionError) {
        guard let authorization, authorization.lowercased().hasPrefix("vapid ") else {
            throw RejectionError(description: "the Authorization header must be 'vapid t=TOKEN, k=KEY'")
        }
        let fields = parameters(authorization.dropFirst("vapid ".count))
        guard let token = fields["t"], let text = fields["k"] else {
            throw RejectionError(description: "the Authorization header lacks t or k")
        }
        guard let bytes = Base64URL.decode(text), bytes.count == 65,
            let point = try? P256.Signing.PublicKey(x963Representation: bytes),
            let key = try? ES256PublicKey(backing: point)
        else { throw RejectionError(description: "k is not an uncompressed P-256 key in base64url") }
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: key)
        guard let parsed = try? DefaultJWTParser().parse(Array(token.utf8), as: Claims.self),
            parsed.header.alg == "ES256", let claims = try? await keys.verify(token, as: Claims.self)
        else { throw RejectionError(description: "t is not an ES256 token with aud and exp that was signed with k") }
        try check(claims, origin: origin, now: Int(now.timeIntervalSince1970))
    }

    private static func check(_ claims: Claims, origin: String, now: Int) throws(RejectionError) {
        guard claims.aud == origin else {
            throw RejectionError(description: "aud must be the endpoint's origin, \(origin), not '\(claims.aud)'")
        }
        guard claims.exp > now else { throw RejectionError(description: "exp is over") }
        guard claims.exp <= now + longestLife else {
            throw RejectionError(description: "exp is more than 24 hours away")
        }
        guard let sub = claims.sub, sub.hasPrefix("mailto:") || sub.hasPrefix("https:") else {
            throw RejectionError(description: "sub must be a mailto: or https: address")
        }
    }

    private static func parameters(_ text: Substring) -> [String: String] {
        var fields: [String: String] = [:]
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            let name = pair[0].trimmingCharacters(in: .whitespaces)
            fields[name] = pair[1].trimmingCharacters(in: .whitespaces.union(["\""]))
        }
        return fields
    }
}
