public import struct Foundation.Date

/// The claims of a verified access token of this server.
public struct AccessToken: Sendable, Hashable {
    /// `jti`, by which it can be revoked.
    public let id: String
    /// `prn`.
    public let clientId: String
    /// The application that the token was issued to.
    public let application: Application
    /// The id of the device that it was issued to; `nil` if there was none, and in tokens of older servers.
    public let deviceId: String?
    /// In alphabetical order.
    public let scopes: [GrantedScope]
    public let issued: Date
    public let expires: Date

    /// `imf.application`, with the environment. The token keeps them because no store knows every client.
    public struct Application: Sendable, Hashable, Codable {
        public let id: String
        public let version: String
        /// The environment, such as `Androidnative`.
        public let environment: String
    }

    /// Returns true if the scope is still granted, and with it every mandatory one.
    public func grants(_ name: String, at now: Date) -> Bool {
        scopes.contains { $0.name == name && now < $0.expires }
            && scopes.allSatisfy { !$0.isMandatory || now < $0.expires }
    }
}

/// The payload, with the member names that IBM's token filters read (`imf-token-validator.js` and `token-decoder.js` of
/// ibm-bluemix-mobile-services/bms-mca-token-validation-strategy; `scope`, `sub`, `iat` and `jti` are RFC 9068's).
struct AccessClaims: Codable {
    struct Scope: Codable {
        let exp: Int
        let mandatory: Bool
        /// See ``GrantedScope/login``; absent when there is none.
        let login: String?
    }

    let iss: String
    let prn: String
    let sub: String
    let aud: String
    let jti: String
    let iat: Int
    let exp: Int
    let scope: String
    let imfScope: [String: Scope]
    let application: AccessToken.Application
    /// Ours: no store knows every client.
    let device: String?

    enum CodingKeys: String, CodingKey {
        case iss, prn, sub, aud, jti, iat, exp, scope
        case imfScope = "imf.scope"
        case application = "imf.application"
        case device = "lamplighter.device"
    }
}

extension AccessToken {
    init(_ claims: AccessClaims) {
        id = claims.jti
        clientId = claims.prn
        application = claims.application
        deviceId = claims.device
        scopes = claims.imfScope.sorted { $0.key < $1.key }.map { name, scope in
            GrantedScope(
                name, expires: Date(timeIntervalSince1970: Double(scope.exp)), isMandatory: scope.mandatory,
                login: scope.login)
        }
        issued = Date(timeIntervalSince1970: Double(claims.iat))
        expires = Date(timeIntervalSince1970: Double(claims.exp))
    }
}

/// The header `Authorization: Bearer <access token> [<id token>]` of a 7.x client (wire-protocol 8), not yet verified.
public struct BearerTokens: Sendable, Hashable {
    public let access: String
    public let identity: String?

    /// - Returns: nil when the header is of another scheme, or has no or more than two tokens.
    public init?(header: some StringProtocol) {
        let words = header.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard words.count == 2 || words.count == 3, words[0].lowercased() == "bearer" else { return nil }
        access = String(words[1])
        identity = words.count == 3 ? String(words[2]) : nil
    }
}
