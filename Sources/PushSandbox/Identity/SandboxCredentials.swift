/// What the sandbox accepts. Made at start; good for nothing else.
public struct SandboxCredentials: Sendable {
    public let apnsTeamID: String
    public let apnsKeyID: String
    /// PEM, as in Apple's `.p8` file.
    public let apnsPrivateKey: String
    /// PEM, for certificate authentication; its UID is the topic `com.example.app`.
    public let clientCertificate: String
    /// PEM.
    public let clientPrivateKey: String
    /// JSON text, as Google's download; the project is `sandbox`, the token endpoint the sandbox's own.
    public let fcmServiceAccount: String
    public let wnsPackageSID: String
    public let wnsClientSecret: String
}
