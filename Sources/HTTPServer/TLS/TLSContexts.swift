import NIOSSL

import struct Foundation.Date

/// The contexts of one certificate: one for each cipher suite, in the server's order of preference, and one for all.
///
/// BoringSSL follows the client's order unless an option is set that NIOSSL does not offer. So the server chooses the suite
/// from the ClientHello, and the context that has only this one. The suites of TLS 1.3 are BoringSSL's own in each.
final class TLSContexts: Sendable {
    /// Ephemeral keys and authenticated encryption, for TLS 1.2.
    private static let current: [(elliptic: NIOTLSCipher, rsa: NIOTLSCipher)] = [
        (.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256),
        (.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384),
        (.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256),
    ]
    /// With ephemeral keys, for TLS 1.0 and 1.1.
    private static let old: [(elliptic: NIOTLSCipher, rsa: NIOTLSCipher)] = [
        (.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, .TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA),
        (.TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA, .TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA),
    ]
    /// For clients that know no ephemeral keys, as Android before 3.
    private static let oldest: [NIOTLSCipher] = [
        .TLS_RSA_WITH_AES_128_GCM_SHA256, .TLS_RSA_WITH_AES_256_GCM_SHA384, .TLS_RSA_WITH_AES_128_CBC_SHA,
        .TLS_RSA_WITH_AES_256_CBC_SHA,
    ]
    /// In the description of an RSA key: 1.2.840.113549.1.1.1.
    private static let rsaKey: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]

    /// `TLS_RSA_WITH_AES_…_GCM_…` and those in ``current``: TLS 1.2 brought authenticated encryption.
    private static let authenticated: Set<UInt16> = [0x9C, 0x9D, 0xC02B, 0xC02C, 0xC02F, 0xC030, 0xCCA8, 0xCCA9]
    private static let tls12: UInt16 = 0x0303

    private let bySuite: [(suite: UInt16, context: NIOSSLContext)]
    private let all: NIOSSLContext
    /// The expiry date of the certificate.
    let notAfter: Date

    /// - Parameter clientAuthorities: the server requests client certificates of these authorities, and accepts clients without one.
    /// - Throws: what NIOSSL throws when the key is not the certificate's.
    init(
        chain: [NIOSSLCertificate], key: NIOSSLPrivateKey, minimumVersion: TLSMinimumVersion,
        clientAuthorities: [NIOSSLCertificate]? = nil
    ) throws {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = minimumVersion.version
        configuration.applicationProtocols = ClientHelloHandler.protocols
        if let clientAuthorities {
            configuration.certificateVerification = .optionalVerification
            configuration.trustRoots = .certificates(clientAuthorities)
            configuration.sendCANameList = true
        }
        notAfter = Date(timeIntervalSince1970: Double(chain.first?.notValidAfter ?? 0))
        let suites = Self.suites(isRSA: try Self.isRSA(chain), minimumVersion)
        bySuite = try suites.map { suite in
            configuration.cipherSuiteValues = [suite]
            return (suite.rawValue, try NIOSSLContext(configuration: configuration))
        }
        configuration.cipherSuiteValues = suites
        all = try NIOSSLContext(configuration: configuration)
    }

    private static func suites(isRSA: Bool, _ minimumVersion: TLSMinimumVersion) -> [NIOTLSCipher] {
        var suites = current.map { isRSA ? $0.rsa : $0.elliptic }
        guard minimumVersion.isOld else { return suites }
        suites += old.map { isRSA ? $0.rsa : $0.elliptic }
        return isRSA ? suites + oldest : suites
    }

    private static func isRSA(_ chain: [NIOSSLCertificate]) throws -> Bool {
        guard let bytes = try chain.first?.extractPublicKey().toSPKIBytes() else { return false }
        return bytes.indices.contains { bytes[$0...].starts(with: rsaKey) }
    }

    /// The context for a client; the one with all suites when nothing is known of it, or nothing in common with it.
    func context(for hello: ClientHello?) -> NIOSSLContext {
        guard let hello else { return all }
        // A client that connects once more with an older version may still offer what it cannot use with that.
        let isOld = hello.version < Self.tls12
        return bySuite.first { suite, _ in
            hello.cipherSuites.contains(suite) && !(isOld && Self.authenticated.contains(suite))
        }?.context ?? all
    }
}

/// The oldest version of TLS that a server speaks.
public enum TLSMinimumVersion: String, Sendable, Hashable, CaseIterable {
    case tls10 = "1.0"
    case tls11 = "1.1"
    case tls12 = "1.2"
    case tls13 = "1.3"

    var version: TLSVersion {
        switch self {
        case .tls10: .tlsv1
        case .tls11: .tlsv11
        case .tls12: .tlsv12
        case .tls13: .tlsv13
        }
    }

    /// True if RFC 8996 forbids it.
    public var isOld: Bool { self == .tls10 || self == .tls11 }
}
