import Foundation
import NIOSSL

/// Certificates that a transport trusts besides the system's.
enum AdditionalTrustRoots {
    /// The PEM text that ``certificates(_:)`` has read.
    static func text(_ text: String) throws(CredentialError) -> String {
        if text.contains("-----BEGIN") { return text }
        guard let data = FileManager.default.contents(atPath: text) else {
            throw CredentialError(
                source: text, problem: "expected a readable PEM file of certificates; correct the path")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// - Parameter text: the path of a PEM file, or the PEM text itself.
    /// - Throws: ``CredentialError`` when there is no certificate in it.
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
