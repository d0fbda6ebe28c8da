import Crypto
import NIOSSL
import SwiftASN1
import X509

extension SandboxIdentity {
    /// For a server with a new certificate of its own. Client certificates are asked for, and checked when there is one.
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
