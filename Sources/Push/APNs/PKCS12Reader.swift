import COpenSSL

/// Takes a PKCS#12 file apart with OpenSSL, bag by bag: its own `PKCS12_parse` knows one key only.
struct PKCS12Reader: ~Copyable {
    /// A certificate as it is in the file, and as OpenSSL knows it.
    struct CertificateBag {
        let der: [UInt8]

        /// Returns true if `key` is the certificate's private key.
        func belongs(to key: KeyBag, _ context: OpenSSLContext) -> Bool {
            let certificate = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
                var start = bytes.baseAddress
                return d2i_X509(nil, &start, bytes.count)
            }
            let privateKey = key.der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
                var start = bytes.baseAddress
                return d2i_AutoPrivateKey_ex(nil, &start, bytes.count, context.pointer, nil)
            }
            defer {
                X509_free(certificate)
                EVP_PKEY_free(privateKey)
                ERR_clear_error()
            }
            guard let certificate, let privateKey else { return false }
            return X509_check_private_key(certificate, privateKey) == 1
        }
    }

    struct KeyBag {
        let der: [UInt8]
    }

    struct Contents {
        var certificates: [CertificateBag] = []
        var keys: [KeyBag] = []
    }

    /// The deepest nesting of bags that is read. Programs export less.
    private static let deepest = 8

    private let file: OpaquePointer
    private let context: OpenSSLContext

    /// - Throws: ``PKCS12Error/notPKCS12``.
    init(_ bytes: [UInt8], context: OpenSSLContext) throws(PKCS12Error) {
        self.context = context
        // Created with the context; everything read into it keeps that context.
        var file = PKCS12_init_ex(NID_pkcs7_data, context.pointer, nil)
        let isRead = bytes.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_PKCS12(&file, &start, bytes.count) != nil
        }
        // OpenSSL has freed the structure already when it cannot be read.
        guard isRead, let file else { throw .notPKCS12 }
        self.file = file
    }

    deinit { PKCS12_free(file) }

    /// The password as the file takes it: an empty one may be none at all.
    ///
    /// - Throws: ``PKCS12Error/wrongPassword``.
    func checkedPassword(_ password: String) throws(PKCS12Error) -> String? {
        guard PKCS12_mac_present(file) == 1 else { return password }
        if password.isEmpty, PKCS12_verify_mac(file, nil, 0) == 1 { return nil }
        if PKCS12_verify_mac(file, password, Int32(clamping: password.utf8.count)) == 1 { return password }
        throw .wrongPassword
    }

    /// All keys and certificates, each once.
    ///
    /// - Throws: ``PKCS12Error/unreadable(_:)``.
    func contents(_ password: String?) throws(PKCS12Error) -> Contents {
        guard let safes = PKCS12_unpack_authsafes(file) else { throw .unreadable() }
        defer { OPENSSL_sk_pop_free(safes) { PKCS7_free($0?.assumingMemoryBound(to: PKCS7.self)) } }
        var contents = Contents()
        for index in 0..<OPENSSL_sk_num(safes) {
            guard let safe = OPENSSL_sk_value(safes, index)?.assumingMemoryBound(to: PKCS7.self) else { continue }
            let bags: OpaquePointer?
            switch OBJ_obj2nid(safe.pointee.type) {
            case NID_pkcs7_data: bags = PKCS12_unpack_p7data(safe)
            case NID_pkcs7_encrypted:
                bags = PKCS12_unpack_p7encdata(safe, password, Int32(clamping: password?.utf8.count ?? 0))
            // Encrypted for a person's certificate, which nobody can name here.
            default: continue
            }
            guard let bags else { throw .unreadable() }
            defer { OPENSSL_sk_pop_free(bags) { PKCS12_SAFEBAG_free($0.map(OpaquePointer.init)) } }
            try read(bags, password, into: &contents, depth: 0)
        }
        return contents
    }

    private func read(
        _ bags: OpaquePointer, _ password: String?, into contents: inout Contents, depth: Int
    ) throws(PKCS12Error) {
        for index in 0..<OPENSSL_sk_num(bags) {
            guard let bag = OPENSSL_sk_value(bags, index).map(OpaquePointer.init) else { continue }
            switch PKCS12_SAFEBAG_get_nid(bag) {
            case NID_keyBag:
                if let key = PKCS12_SAFEBAG_get0_p8inf(bag) { try add(key, to: &contents) }
            case NID_pkcs8ShroudedKeyBag:
                let key = PKCS12_decrypt_skey_ex(
                    bag, password, Int32(clamping: password?.utf8.count ?? 0), context.pointer, nil)
                defer { PKCS8_PRIV_KEY_INFO_free(key) }
                guard let key else { throw .unreadable() }
                try add(key, to: &contents)
            case NID_certBag:
                guard let certificate = PKCS12_SAFEBAG_get1_cert(bag) else { continue }
                defer { X509_free(certificate) }
                let der = try Self.der { i2d_X509(certificate, $0) }
                if !contents.certificates.contains(where: { $0.der == der }) {
                    contents.certificates.append(CertificateBag(der: der))
                }
            case NID_safeContentsBag:
                if depth < Self.deepest, let inner = PKCS12_SAFEBAG_get0_safes(bag) {
                    try read(inner, password, into: &contents, depth: depth + 1)
                }
            default: continue
            }
        }
    }

    private func add(_ key: OpaquePointer, to contents: inout Contents) throws(PKCS12Error) {
        let der = try Self.der { i2d_PKCS8_PRIV_KEY_INFO(key, $0) }
        if !contents.keys.contains(where: { $0.der == der }) { contents.keys.append(KeyBag(der: der)) }
    }

    /// - Parameter encode: one of OpenSSL's `i2d` functions, which makes the memory that it writes to.
    private static func der(
        _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    ) throws(PKCS12Error) -> [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let length = encode(&start)
        guard length > 0, let start else { throw .unreadable() }
        defer { CRYPTO_free(start, #file, #line) }
        return Array(UnsafeBufferPointer(start: start, count: Int(length)))
    }
}
