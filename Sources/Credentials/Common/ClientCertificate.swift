import COpenSSL
import Core
import Foundation

/// A client's X.509 certificate. TLS or a proxy has already verified its chain.
public struct ClientCertificate: Sendable, Hashable {
    /// The user: the subject's common name.
    public let commonName: String

    /// Reads a certificate in DER.
    ///
    /// - Returns: `nil` when it is not a certificate, or its subject does not have exactly one common name, of printable characters.
    public init?(der: [UInt8]) {
        let certificate = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var start = bytes.baseAddress
            return d2i_X509(nil, &start, bytes.count)
        }
        defer {
            X509_free(certificate)
            ERR_clear_error()
        }
        guard let certificate, let subject = X509_get_subject_name(certificate) else { return nil }
        let index = X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
        guard index >= 0, X509_NAME_get_index_by_NID(subject, NID_commonName, index) < 0,
            let entry = X509_NAME_get_entry(subject, index), let data = X509_NAME_ENTRY_get_data(entry)
        else { return nil }
        var text: UnsafeMutablePointer<UInt8>?
        let count = ASN1_STRING_to_UTF8(&text, data)
        guard count > 0, let text else { return nil }
        defer { CRYPTO_free(text, #file, #line) }
        guard let name = String(bytes: UnsafeBufferPointer(start: text, count: Int(count)), encoding: .utf8),
            !name.hasControlCharacters
        else { return nil }
        commonName = name
    }

    /// Reads the header in which a proxy passes a certificate: `:BASE64:` of the DER (RFC 9440), or PEM, percent-encoded as nginx's
    /// `$ssl_client_escaped_cert` has it.
    ///
    /// - Returns: `nil` as ``init(der:)``, and when the value has another form.
    public init?(header: String) {
        let text = header.trimmingCharacters(in: .whitespaces)
        let base64: String
        if text.count > 2, text.hasPrefix(":"), text.hasSuffix(":") {
            base64 = String(text.dropFirst().dropLast())
        } else {
            guard let pem = PercentEncoding.decode(text[...], plusIsBlank: false),
                let match = pem.wholeMatch(
                    of: /\s*-----BEGIN CERTIFICATE-----([A-Za-z0-9+\/=\s]+)-----END CERTIFICATE-----\s*/)
            else { return nil }
            base64 = match.1.filter { !$0.isWhitespace }
        }
        guard let der = Data(base64Encoded: base64) else { return nil }
        self.init(der: Array(der))
    }
}
