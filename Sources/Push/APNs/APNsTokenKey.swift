import Foundation
import JWTKit

/// A key for token authentication: the `.p8` file of Apple's developer site, its key id and the team id.
public struct APNsTokenKey: Sendable, Hashable, CustomStringConvertible {
    /// Ten letters and digits, as the developer site shows it and the file is named after it.
    public let keyID: String
    /// Ten letters and digits: the developer account.
    public let teamID: String
    let pem: String

    /// - Parameters:
    ///   - key: the path of the `.p8` file, or its contents.
    ///   - keyID: may be nil when the file still has Apple's name for it, `AuthKey_<key id>.p8`.
    /// - Throws: ``CredentialError``.
    public init(key: String, keyID: String?, teamID: String) throws(CredentialError) {
        let isText = key.contains("-----BEGIN")
        let source = isText ? "the APNs key" : key
        let pem = isText ? key : try Self.text(of: key)
        guard let keyID = keyID ?? Self.keyID(inFileName: key) else {
            throw CredentialError(
                source: source, field: "keyID",
                problem: "expected the key's id, found none; set the ten characters that Apple's developer site shows")
        }
        for (field, value) in [("keyID", keyID), ("teamID", teamID)] where !Self.isIdentifier(value) {
            throw CredentialError(
                source: source, field: field,
                problem:
                    "expected ten capital letters and digits, found '\(value)'; copy it from Apple's developer site")
        }
        guard (try? ES256PrivateKey(pem: pem)) != nil else {
            let found =
                pem.contains("CERTIFICATE") ? "a certificate" : pem.contains("RSA") ? "an RSA key" : "something else"
            throw CredentialError(
                source: source, field: "key",
                problem: """
                    expected a P-256 key in PEM form (-----BEGIN PRIVATE KEY-----), found \(found); use the .p8 file \
                    as it was downloaded
                    """)
        }
        self.keyID = keyID
        self.teamID = teamID
        self.pem = pem
    }

    public var description: String { "APNs key \(keyID) of team \(teamID)" }

    private static func text(of path: String) throws(CredentialError) -> String {
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw CredentialError(
                source: path, problem: "expected a readable .p8 file; correct the path or the file's permissions")
        }
    }

    private static func keyID(inFileName path: String) -> String? {
        let name = (path as NSString).lastPathComponent
        guard name.hasPrefix("AuthKey_"), name.hasSuffix(".p8") else { return nil }
        return String(name.dropFirst("AuthKey_".count).dropLast(".p8".count))
    }

    private static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == 10
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
            }
    }
}
