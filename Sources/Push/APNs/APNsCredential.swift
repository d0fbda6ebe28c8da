/// With what Lamplighter proves to Apple that it may send.
public enum APNsCredential: Sendable, Hashable, CustomStringConvertible {
    /// A key of a team, for all its apps and both of Apple's services.
    case token(APNsTokenKey)
    /// A certificate for one app.
    case certificate(APNsCertificate)

    /// Names it without its secrets.
    public var description: String {
        switch self {
        case .token(let key): "\(key)"
        case .certificate(let certificate): "\(certificate)"
        }
    }
}
