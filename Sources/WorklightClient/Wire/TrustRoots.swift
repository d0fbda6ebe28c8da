import Foundation

/// Certificates that a client trusts in addition to the system's, for example those of a development server.
public enum TrustRoots: Sendable {
    /// The path of a PEM file.
    case file(String)
    /// Certificates in PEM.
    case text(String)

    /// Returns the certificates in PEM.
    ///
    /// - Throws: ``WLError`` when the file cannot be read, or has no certificates.
    func pem() throws(WLError) -> String {
        let (found, name) =
            switch self {
            case .file(let path): (try? String(contentsOfFile: path, encoding: .utf8), path)
            case .text(let text): (text, "the text")
            }
        guard let found, found.contains("-----BEGIN CERTIFICATE-----") else {
            throw WLError(
                WLErrorCodeUnexpectedError,
                "trustRoots: expected certificates in PEM (-----BEGIN CERTIFICATE-----), which \(name) does not hold")
        }
        return found
    }
}
