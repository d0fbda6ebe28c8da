import NIOSSL

/// Certificates that a client trusts besides the system's: those of a server in development.
public enum TrustRoots: Sendable {
    /// A file in PEM.
    case file(String)
    /// PEM itself.
    case text(String)

    func certificates() throws(WLError) -> [NIOSSLCertificate] {
        do {
            let found =
                switch self {
                case .file(let path): try NIOSSLCertificate.fromPEMFile(path)
                case .text(let text): try NIOSSLCertificate.fromPEMBytes(Array(text.utf8))
                }
            guard !found.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
            return found
        } catch {
            let name = if case .file(let path) = self { path } else { "the text" }
            throw WLError(
                WLErrorCodeUnexpectedError,
                "trustRoots: expected certificates in PEM, which \(name) does not hold: \(error)")
        }
    }
}
