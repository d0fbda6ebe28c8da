import COpenSSL

/// Makes PKCS#12 files with any number of keys and certificates, as exports of keychains have them. The command `openssl`
/// writes one key only.
public enum PKCS12File {
    public enum Encryption: Sendable, CaseIterable {
        /// AES with 256 bits, as OpenSSL 3 writes.
        case modern
        /// RC2 with 40 bits and triple DES, as `openssl pkcs12 -legacy` and Apple's Keychain write.
        case legacy
    }

    public struct PKCS12WritingError: Error {
        let step: String
    }

    /// - Parameters:
    ///   - privateKeys: in PEM, in the order in which they are written.
    ///   - certificates: in PEM, in the order in which they are written.
    ///   - keyPassword: with which the keys are encrypted, if not with the file's password; no program writes such files.
    /// - Returns: the file's bytes.
    public static func make(
        privateKeys: [String], certificates: [String], password: String, keyPassword: String? = nil,
        encryption: Encryption = .modern
    ) throws -> [UInt8] {
        guard let context = OSSL_LIB_CTX_new() else { throw PKCS12WritingError(step: "context") }
        defer { OSSL_LIB_CTX_free(context) }
        let providers = ["default", "legacy"].map { (name: String) in OSSL_PROVIDER_load(context, name) }
        defer { for provider in providers { OSSL_PROVIDER_unload(provider) } }
        let isLegacy = encryption == .legacy
        let certificateCipher = isLegacy ? NID_pbe_WithSHA1And40BitRC2_CBC : NID_aes_256_cbc
        let keyCipher = isLegacy ? NID_pbe_WithSHA1And3_Key_TripleDES_CBC : NID_aes_256_cbc

        var safes: OpaquePointer?
        defer { OPENSSL_sk_pop_free(safes) { PKCS7_free($0?.assumingMemoryBound(to: PKCS7.self)) } }
        var bags: OpaquePointer?
        for pem in certificates {
            let certificate = try reading(pem) { PEM_read_bio_X509($0, nil, nil, nil) }
            defer { X509_free(certificate) }
            guard PKCS12_add_cert(&bags, certificate) != nil else { throw PKCS12WritingError(step: "certificate") }
        }
        try add(&bags, to: &safes, cipher: certificateCipher, password, context)
        for pem in privateKeys {
            let key = try reading(pem) { PEM_read_bio_PrivateKey_ex($0, nil, nil, nil, context, nil) }
            defer { EVP_PKEY_free(key) }
            guard PKCS12_add_key_ex(&bags, key, 0, 2048, keyCipher, keyPassword ?? password, context, nil) != nil else {
                throw PKCS12WritingError(step: "key")
            }
        }
        // Keys are encrypted one by one.
        try add(&bags, to: &safes, cipher: -1, nil, context)
        guard let file = PKCS12_add_safes_ex(safes, 0, context, nil) else { throw PKCS12WritingError(step: "file") }
        defer { PKCS12_free(file) }
        guard PKCS12_set_mac(file, password, -1, nil, 0, 2048, isLegacy ? EVP_sha1() : EVP_sha256()) == 1 else {
            throw PKCS12WritingError(step: "MAC")
        }
        var start: UnsafeMutablePointer<UInt8>?
        let length = i2d_PKCS12(file, &start)
        guard length > 0, let start else { throw PKCS12WritingError(step: "bytes") }
        defer { CRYPTO_free(start, #file, #line) }
        return Array(UnsafeBufferPointer(start: start, count: Int(length)))
    }

    private static func add(
        _ bags: inout OpaquePointer?, to safes: inout OpaquePointer?, cipher: Int32, _ password: String?,
        _ context: OpaquePointer
    ) throws {
        guard bags != nil else { return }
        defer {
            OPENSSL_sk_pop_free(bags) { PKCS12_SAFEBAG_free($0.map(OpaquePointer.init)) }
            bags = nil
        }
        guard PKCS12_add_safe_ex(&safes, bags, cipher, 2048, password, context, nil) == 1 else {
            throw PKCS12WritingError(step: "safe")
        }
    }

    private static func reading(_ pem: String, _ body: (OpaquePointer?) -> OpaquePointer?) throws -> OpaquePointer {
        var pem = pem
        let result = pem.withUTF8 { bytes in
            let memory = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
            defer { BIO_free(memory) }
            return body(memory)
        }
        guard let result else { throw PKCS12WritingError(step: "PEM") }
        return result
    }
}
