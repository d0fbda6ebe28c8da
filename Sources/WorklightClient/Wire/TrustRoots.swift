import Foundation

/// Certificates that a client trusts besides the system's: those of a server in development.
public enum TrustRoots: Sendable {
    /// A file in PEM.
    case file(String)
    /// PEM itself.
    case text(String)

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
