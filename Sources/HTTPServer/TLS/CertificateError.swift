public import Foundation

/// The reason why a certificate or its key is rejected.
public struct CertificateError: Error, Equatable, CustomStringConvertible {
    public enum Role: String, Sendable {
        case certificate
        case key
        case clientAuthorities = "client authorities"
    }

    public enum Problem: Sendable, Equatable {
        case unreadable(String)
        case notPEM
        case encrypted
        case doesNotFit(certificate: String)
        case expired(Date)
    }

    public let file: String
    public let role: Role
    public let problem: Problem

    public var description: String {
        switch (problem, role) {
        case (.unreadable(let reason), _): "TLS \(role.rawValue) file \(file): \(reason)"
        case (.notPEM, .certificate):
            "TLS certificate file \(file): no certificate in PEM form; expected '-----BEGIN CERTIFICATE-----', the "
                + "server's own certificate first"
        case (.notPEM, .clientAuthorities):
            "TLS client authorities file \(file): no certificate in PEM form; expected the certificates of the authorities that "
                + "issue client certificates"
        case (.notPEM, .key):
            "TLS key file \(file): no private key in PEM form; expected '-----BEGIN PRIVATE KEY-----' or the like"
        case (.encrypted, _):
            "TLS key file \(file): the key is encrypted with a password; write it out without one, as with "
                + "'openssl pkey -in \(file) -out server.key'"
        case (.expired(let date), _):
            "TLS certificate file \(file): the certificate expired on \(date.formatted(.iso8601.year().month().day()))"
        case (.doesNotFit(let certificate), _):
            "TLS key file \(file): the key is not that of the first certificate in \(certificate)"
        }
    }
}
