import Foundation
import NIOCore
import NIOSSL

/// Reads a certificate chain and its key, and says what is wrong with them.
struct CertificateFiles: Sendable {
    struct Contents: Equatable {
        let certificate: [UInt8]
        let key: [UInt8]
        /// The authorities of client certificates; `nil` when the server asks for none.
        let authorities: [UInt8]?
    }

    let certificate: String
    let key: String
    /// The file with the authorities whose client certificates the server takes; `nil` to ask for none.
    var clientAuthorities: String?

    func read() throws(CertificateError) -> Contents {
        let authorities: [UInt8]? =
            if let clientAuthorities { try bytes(of: clientAuthorities, .clientAuthorities) } else { nil }
        return Contents(
            certificate: try bytes(of: certificate, .certificate), key: try bytes(of: key, .key),
            authorities: authorities)
    }

    private func bytes(of path: String, _ role: CertificateError.Role) throws(CertificateError) -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            let reason = FileManager.default.fileExists(atPath: path) ? "it cannot be read" : "there is no such file"
            throw CertificateError(file: path, role: role, problem: .unreadable(reason))
        }
    }

    func contexts(_ contents: Contents, _ minimumVersion: TLSMinimumVersion) throws(CertificateError) -> TLSContexts {
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMBytes(contents.certificate)
        } catch {
            throw CertificateError(file: certificate, role: .certificate, problem: .notPEM)
        }
        guard !chain.isEmpty else {
            throw CertificateError(file: certificate, role: .certificate, problem: .notPEM)
        }
        let privateKey: NIOSSLPrivateKey
        do {
            privateKey = try NIOSSLPrivateKey(bytes: contents.key, format: .pem)
        } catch {
            let isEncrypted = String(decoding: contents.key, as: UTF8.self).contains("ENCRYPTED")
            throw CertificateError(file: key, role: .key, problem: isEncrypted ? .encrypted : .notPEM)
        }
        var authorities: [NIOSSLCertificate]?
        if let bytes = contents.authorities {
            authorities = try? NIOSSLCertificate.fromPEMBytes(bytes)
            guard authorities?.isEmpty == false else {
                throw CertificateError(file: clientAuthorities ?? "", role: .clientAuthorities, problem: .notPEM)
            }
        }
        do {
            return try TLSContexts(
                chain: chain, key: privateKey, minimumVersion: minimumVersion, clientAuthorities: authorities)
        } catch {
            throw CertificateError(file: key, role: .key, problem: .doesNotFit(certificate: certificate))
        }
    }
}
