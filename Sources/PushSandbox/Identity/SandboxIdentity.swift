import Core
import Crypto
import CryptoExtras
import Foundation
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

    /// RSA keys take long to make, and nobody is harmed when the sandboxes of one process share one.
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
