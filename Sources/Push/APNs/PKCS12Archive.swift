import COpenSSL

/// The contents of a PKCS#12 file (`.p12`): private keys, certificates, and which of them belong together.
///
/// OpenSSL reads it, including the old encryption (RC2 with 40 bits, triple DES) that Apple's Keychain and IBM's tools used.
/// A file may hold any number of keys and certificates, each also several times, as exports of whole keychains do.
public struct PKCS12Archive: Sendable, Hashable {
    /// A certificate and its private key.
    public struct Identity: Sendable, Hashable {
        /// In DER.
        public let certificate: [UInt8]
        /// PKCS#8 in DER.
        public let privateKey: [UInt8]
    }

    /// The keys and certificates that belong together, in the order of the certificates in the file, each once.
    public let identities: [Identity]
    /// All certificates in DER, each once.
    public let certificates: [[UInt8]]
    /// All private keys as PKCS#8 in DER, each once.
    public let privateKeys: [[UInt8]]

    /// - Throws: ``PKCS12Error``.
    public init(_ bytes: [UInt8], password: String) throws(PKCS12Error) {
        defer { ERR_clear_error() }
        let context = try OpenSSLContext.shared.get()
        let reader = try PKCS12Reader(bytes, context: context)
        let password = try reader.checkedPassword(password)
        let contents = try reader.contents(password)
        certificates = contents.certificates.map(\.der)
        privateKeys = contents.keys.map(\.der)
        identities = contents.certificates.flatMap { certificate in
            contents.keys.filter { certificate.belongs(to: $0, context) }
                .map { Identity(certificate: certificate.der, privateKey: $0.der) }
        }
    }
}

/// The reason why a PKCS#12 file cannot be read.
public enum PKCS12Error: Error, Sendable, Hashable, CustomStringConvertible {
    /// It is something else, or damaged.
    case notPKCS12
    /// The file's own check (its MAC) says that the password is another.
    case wrongPassword
    /// The password is right, and yet a part cannot be deciphered, or OpenSSL is not what it should be; with OpenSSL's reason.
    case unreadable(String)

    public var description: String {
        switch self {
        case .notPKCS12: "it is not a PKCS#12 file"
        case .wrongPassword: "the password does not open it"
        case .unreadable(let reason): "a part of it cannot be read: \(reason)"
        }
    }

    /// Returns an error with OpenSSL's last reason.
    static func unreadable() -> Self {
        guard let text = ERR_reason_error_string(ERR_peek_last_error()) else {
            return .unreadable("for no reason given")
        }
        return .unreadable(String(cString: text))
    }
}

/// A library context of our own: the legacy algorithms are for these files, and not for other users of OpenSSL in the
/// process, such as libpq.
struct OpenSSLContext: @unchecked Sendable {
    // Unchecked: OpenSSL's library contexts may be used by any number of threads (OSSL_LIB_CTX(3)). It is never freed.
    let pointer: OpaquePointer

    static let shared = Result { () throws(PKCS12Error) in
        guard let context = OSSL_LIB_CTX_new() else { throw .unreadable() }
        for name in ["default", "legacy"] where OSSL_PROVIDER_load(context, name) == nil {
            throw .unreadable("OpenSSL's provider '\(name)' cannot be loaded; install it")
        }
        return OpenSSLContext(pointer: context)
    }
}
