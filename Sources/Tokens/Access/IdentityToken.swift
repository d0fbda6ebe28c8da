public import struct Foundation.Date

/// The claims of a verified id token of this server: the user, the device and the application.
public struct IdentityToken: Sendable, Hashable {
    /// `sub`: the client's id.
    public let clientId: String
    /// `nil` without a login.
    public let user: UserIdentity?
    public let device: Device
    public let application: Application
    public let expires: Date

    /// `imf.device`.
    public struct Device: Sendable, Hashable, Codable {
        public let id: String
        /// The environment, as `Androidnative`.
        public let platform: String
        public let model: String
        public let osVersion: String
    }

    /// `imf.application`.
    public struct Application: Sendable, Hashable, Codable {
        public let id: String
        public let version: String
    }
}

/// The payload, with the member names of IBM's security context (`imf.user`, `imf.device`, `imf.application`).
struct IdentityClaims: Codable {
    let iss: String
    let sub: String
    let aud: String
    let iat: Int
    let exp: Int
    let user: UserIdentity?
    let device: IdentityToken.Device
    let application: IdentityToken.Application

    enum CodingKeys: String, CodingKey {
        case iss, sub, aud, iat, exp
        case user = "imf.user"
        case device = "imf.device"
        case application = "imf.application"
    }
}

extension IdentityToken {
    init(_ claims: IdentityClaims) {
        clientId = claims.sub
        user = claims.user
        device = claims.device
        application = claims.application
        expires = Date(timeIntervalSince1970: Double(claims.exp))
    }
}

/// The user who logged in and the realm: `imf.user` of an id token.
public struct UserIdentity: Sendable, Hashable, Codable {
    public let id: String
    /// The realm.
    public let authBy: String
    public let displayName: String

    public init(id: String, authBy: String, displayName: String) {
        self.id = id
        self.authBy = authBy
        self.displayName = displayName
    }
}
