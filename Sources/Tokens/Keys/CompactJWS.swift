import Core
import Foundation

/// A JSON web signature in its compact form (RFC 7515, 3.1), taken apart but **not yet verified**.
///
/// The parts may be padded or not, as those of the 7.1 clients are (wire-protocol 8). JWTKit, which signs for the push services, does
/// not read these tokens: it takes no key of fewer than 2048 bits, ignores `crit`, and uses its default key for an unknown `kid`.
public struct CompactJWS: Sendable {
    /// The longest token that is read, in bytes.
    public static let sizeLimit = 8192

    /// The header's description of the signature. `jku`, `jwk` and `x5c`, which name keys too, are ignored.
    public struct Header: Sendable {
        /// One of the algorithms that the reader accepts.
        public let algorithm: String
        /// `kid`.
        public let keyID: String?
        /// `typ`, in small letters and without `application/`.
        public let type: String?
        /// `jpk`, the key of a 7.x client.
        public let publicKey: RSAPublicKey?
    }

    public let header: Header
    public let payload: [UInt8]
    public let signature: [UInt8]
    /// The signed bytes: the first two parts unchanged, including padding.
    public let signedBytes: [UInt8]

    /// Reads a token.
    ///
    /// - Parameter accepted: the names of the algorithms that the caller can verify. `none` never is one.
    /// - Throws: ``TokenError`` when the token is too long or malformed, its algorithm is another, its `jpk` is not a key that
    ///   we use, or its header has `crit`.
    public init(_ text: some StringProtocol, accepting accepted: [String] = ["RS256"]) throws(TokenError) {
        guard text.utf8.count <= Self.sizeLimit else { throw .tooLong("token", limit: Self.sizeLimit) }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw .malformed("the token has \(parts.count) parts; expected: header.payload.signature")
        }
        let header = try Self.decode(parts[0], name: "header")
        self.header = try Self.readHeader(header, accepting: accepted)
        payload = try Self.decode(parts[1], name: "payload")
        signature = try Self.decode(parts[2], name: "signature")
        signedBytes = Array(parts[0].utf8) + [UInt8(ascii: ".")] + Array(parts[1].utf8)
    }

    private static func decode(_ part: some StringProtocol, name: String) throws(TokenError) -> [UInt8] {
        guard !part.isEmpty else { throw .malformed("the token's \(name) is empty") }
        guard let bytes = Base64URL.decode(part) else { throw .malformed("the token's \(name) is not base64url") }
        return bytes
    }

    private static func readHeader(_ bytes: [UInt8], accepting accepted: [String]) throws(TokenError) -> Header {
        let raw: RawHeader = try decodeJSON(bytes, name: "header")
        let algorithm = raw.alg ?? ""
        guard algorithm != "none", accepted.contains(algorithm) else {
            throw .algorithm(found: algorithm, accepted: accepted)
        }
        guard !raw.isCritical else { throw .criticalExtensions }
        var type = raw.typ?.lowercased()
        if let name = type, name.hasPrefix("application/") { type = String(name.dropFirst("application/".count)) }
        var key: RSAPublicKey?
        if let jpk = raw.jpk { key = try RSAPublicKey(jpk) }
        return Header(algorithm: algorithm, keyID: raw.kid, type: type, publicKey: key)
    }

    /// Reads the payload.
    func decodePayload<Payload: Decodable>(as _: Payload.Type = Payload.self) throws(TokenError) -> Payload {
        try Self.decodeJSON(payload, name: "payload")
    }

    private static func decodeJSON<Value: Decodable>(_ bytes: [UInt8], name: String) throws(TokenError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes))
        } catch let DecodingError.typeMismatch(_, context), let DecodingError.valueNotFound(_, context) {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw .malformed(
                path.isEmpty
                    ? "the token's \(name) is not a JSON object" : "the token's '\(path)' is of the wrong JSON type")
        } catch let DecodingError.keyNotFound(key, _) {
            throw .missing(key.stringValue)
        } catch {
            throw .malformed("the token's \(name) is not JSON")
        }
    }
}

private struct RawHeader: Decodable {
    let alg: String?
    let kid: String?
    let typ: String?
    let jpk: JPK?
    let isCritical: Bool

    enum CodingKeys: CodingKey {
        case alg, kid, typ, jpk, crit
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        alg = try container.decodeIfPresent(String.self, forKey: .alg)
        kid = try container.decodeIfPresent(String.self, forKey: .kid)
        typ = try container.decodeIfPresent(String.self, forKey: .typ)
        jpk = try container.decodeIfPresent(JPK.self, forKey: .jpk)
        isCritical = container.contains(.crit)
    }
}
