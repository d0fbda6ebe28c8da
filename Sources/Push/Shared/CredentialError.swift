import Foundation
import NIOSSL

/// A problem with a credential or with a file or setting that belongs to it.
public struct CredentialError: Error, Hashable, CustomStringConvertible {
    /// The file or the setting that it was read from.
    public let source: String
    /// The field within it, if it is one field's fault.
    public let field: String?
    /// The expected value, the found one (no secret), and a remedy.
    public let problem: String

    public init(source: String, field: String? = nil, problem: String) {
        self.source = source
        self.field = field
        self.problem = problem
    }

    public var description: String { "\(source): \(field.map { "\($0): " } ?? "")\(problem)" }
}

/// Certificates that a transport trusts besides the system's.
enum AdditionalTrustRoots {
    /// Returns the PEM content that ``certificates(_:)`` parses.
    static func text(_ text: String) throws(CredentialError) -> String {
        if text.contains("-----BEGIN") { return text }
        guard let data = FileManager.default.contents(atPath: text) else {
            throw CredentialError(
                source: text, problem: "expected a readable PEM file of certificates; correct the path")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Reads certificates from PEM content, or from the PEM file whose path it is.
    ///
    /// - Throws: ``CredentialError`` when it has no certificate.
    static func certificates(_ text: String) throws(CredentialError) -> [NIOSSLCertificate] {
        let isText = text.contains("-----BEGIN")
        let source = isText ? "the trusted certificates" : text
        do {
            let certificates =
                isText
                ? try NIOSSLCertificate.fromPEMBytes(Array(text.utf8)) : try NIOSSLCertificate.fromPEMFile(text)
            if !certificates.isEmpty { return certificates }
        } catch {
            let isThere = isText || FileManager.default.isReadableFile(atPath: text)
            guard isThere else {
                throw CredentialError(
                    source: source, problem: "expected a readable PEM file of certificates; correct the path")
            }
        }
        throw CredentialError(
            source: source,
            problem: "expected certificates in PEM form (-----BEGIN CERTIFICATE-----), found none that can be read")
    }
}
