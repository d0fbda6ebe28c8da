import Core
import Crypto
import CryptoExtras
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// The keys and certificates of a sandbox. Kept in a file, they let it start again as the same.
public struct SandboxIdentity: Sendable, Codable {
    /// The topic of the client certificate.
    public static let certificateTopic = "com.example.app"
    static let projectID = "sandbox"
    static let serviceAccountEmail = "sender@sandbox.iam.gserviceaccount.com"

    let rootKey: String
    let rootCertificate: String
    let clientKey: String
    let clientCertificate: String
    let apnsKey: String
    let apnsKeyID: String
    let apnsTeamID: String
    let serviceAccountKey: String
    let serviceAccountKeyID: String
    let wnsPackageSID: String
    let wnsClientSecret: String

    /// Shared by the sandboxes of a process, since an RSA key takes long to create.
    private static let sharedRSAKey = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048).pkcs8PEMRepresentation }

    /// Makes new ones.
    public init() throws {
        let authority = try SandboxCertificateAuthority()
        rootKey = authority.keyPEM
        rootCertificate = try authority.certificate.serializeAsPEM().pemString
        let client = P256.Signing.PrivateKey()
        clientKey = client.pemRepresentation
        clientCertificate = try authority.clientCertificate(client.publicKey, topic: Self.certificateTopic)
            .serializeAsPEM().pemString
        apnsKey = P256.Signing.PrivateKey().pemRepresentation
        apnsKeyID = "SANDBOXKEY"
        apnsTeamID = "SANDBOXTEA"
        serviceAccountKey = try Self.sharedRSAKey.get()
        serviceAccountKeyID = UUID().uuidString.lowercased().replacing("-", with: "")
        wnsPackageSID = "ms-app://s-1-15-2-1111111111-2222222222-3333333333-4444444444-5555555555-6666666666-7777777777"
        wnsClientSecret = Base64URL.encode(SymmetricKey(size: .bits192).withUnsafeBytes { Array($0) })
    }

    /// - Parameter httpPort: where the token endpoint is.
    func credentials(httpPort: Int = 0) -> SandboxCredentials {
        SandboxCredentials(
            apnsTeamID: apnsTeamID, apnsKeyID: apnsKeyID, apnsPrivateKey: apnsKey, clientCertificate: clientCertificate,
            clientPrivateKey: clientKey, fcmServiceAccount: serviceAccount(tokenPort: httpPort),
            wnsPackageSID: wnsPackageSID, wnsClientSecret: wnsClientSecret)
    }
}

/// The credentials that the sandbox accepts. Made at start; no other service accepts them.
public struct SandboxCredentials: Sendable {
    public let apnsTeamID: String
    public let apnsKeyID: String
    /// PEM, as in Apple's `.p8` file.
    public let apnsPrivateKey: String
    /// PEM, for certificate authentication; its UID is the topic `com.example.app`.
    public let clientCertificate: String
    /// PEM.
    public let clientPrivateKey: String
    /// A service account file in Google's format, with the project `sandbox` and the sandbox's token endpoint.
    public let fcmServiceAccount: String
    public let wnsPackageSID: String
    public let wnsClientSecret: String
}

extension SandboxIdentity {
    /// The file that Google offers for download, with the sandbox's own token endpoint.
    func serviceAccount(tokenPort: Int) -> String {
        let account: JSONValue = [
            "type": "service_account",
            "project_id": .string(Self.projectID),
            "private_key_id": .string(serviceAccountKeyID),
            "private_key": .string(serviceAccountKey),
            "client_email": .string(Self.serviceAccountEmail),
            "client_id": "100000000000000000000",
            "auth_uri": "https://accounts.google.com/o/oauth2/auth",
            "token_uri": .string("https://localhost:\(tokenPort)/token"),
            "universe_domain": "googleapis.com",
        ]
        return account.prettyText(indentation: 2, shortest: 0) + "\n"
    }
}

extension SandboxIdentity {
    /// Returns the TLS context of a server with a new certificate. It requests a client certificate, and checks it if there is one.
    func tlsContext(protocols: [String], host: String) throws -> NIOSSLContext {
        let authority = try SandboxCertificateAuthority(keyPEM: rootKey, certificatePEM: rootCertificate)
        let key = P256.Signing.PrivateKey()
        let certificate = try authority.serverCertificate(key.publicKey, host: host).serializeAsPEM().pemString
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem))],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = protocols
        configuration.certificateVerification = .optionalVerification
        configuration.trustRoots = .certificates([
            try NIOSSLCertificate(bytes: Array(rootCertificate.utf8), format: .pem)
        ])
        return try NIOSSLContext(configuration: configuration)
    }
}
