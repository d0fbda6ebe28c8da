import NIOSSL
import WorklightProject

/// Certificates for back ends with https.
public struct BackEndSecurity: Sendable, Hashable {
    /// The certificate by which Lamplighter identifies itself: `sslCertificateAlias`.
    public struct ClientCertificate: Sendable, Hashable {
        /// A PEM file: the certificate and those between it and its root.
        public let chainFile: String
        /// A PEM file.
        public let keyFile: String
        public let keyPassword: String?

        public init(chainFile: String, keyFile: String, keyPassword: String? = nil) {
            self.chainFile = chainFile
            self.keyFile = keyFile
            self.keyPassword = keyPassword
        }
    }

    public var clientCertificate: ClientCertificate?
    /// A PEM file of the roots to trust instead of the system's.
    public var trustRootsFile: String?
    /// True if back ends may speak TLS 1.0 and 1.1 and use keys and signatures that are weak today: `backEnds.tls: legacy`.
    public var allowsLegacyTLS: Bool

    public init(
        clientCertificate: ClientCertificate? = nil, trustRootsFile: String? = nil, allowsLegacyTLS: Bool = false
    ) {
        self.clientCertificate = clientCertificate
        self.trustRootsFile = trustRootsFile
        self.allowsLegacyTLS = allowsLegacyTLS
    }

    /// Reads the files, so that what is wrong with them is said when the adapter is loaded.
    func check(for policy: HTTPConnectionPolicy) throws(BackEndSecurityError) {
        if let trustRootsFile {
            do {
                _ = try NIOSSLCertificate.fromPEMFile(trustRootsFile)
            } catch {
                throw BackEndSecurityError("the trusted roots in \(trustRootsFile) cannot be read as PEM: \(error)")
            }
        }
        if let clientCertificate {
            do {
                _ = try NIOSSLCertificate.fromPEMFile(clientCertificate.chainFile)
            } catch {
                throw BackEndSecurityError(
                    "the client certificate in \(clientCertificate.chainFile) cannot be read as PEM: \(error)")
            }
            do {
                let password = clientCertificate.keyPassword.map { Array($0.utf8) }
                _ = try NIOSSLPrivateKey(file: clientCertificate.keyFile, format: .pem) { setter in
                    setter(password ?? [])
                }
            } catch {
                throw BackEndSecurityError(
                    "the client certificate's key in \(clientCertificate.keyFile) cannot be read as PEM; is its "
                        + "password right? \(error)")
            }
        } else if let alias = policy.sslCertificateAlias, policy.scheme == "https" {
            throw BackEndSecurityError(
                "FWLSE0152E: the connectionPolicy names the client certificate '\(alias)', which is not configured")
        }
    }
}

/// A certificate that is unreadable or missing, or an unreadable key, for connections to back ends.
public struct BackEndSecurityError: Error, Hashable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
