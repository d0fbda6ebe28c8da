import COpenSSL

extension RSAPublicKey {
    /// Returns true if the signature is RSASSA-PKCS1-v1_5 with SHA-256 over the bytes (RFC 8017, 8.2.2).
    ///
    /// OpenSSL verifies it, since swift-crypto refuses keys of fewer than 1024 bits. OpenSSL accepts a signature only if it is as long
    /// as the modulus, is below it, and has the one block of padding, algorithm and digest that is right.
    public func isValidSignature(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        guard let der = try? der() else { return false }
        let key = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var start = bytes.baseAddress
            return d2i_PublicKey(NID_rsaEncryption, nil, &start, bytes.count)
        }
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            EVP_PKEY_free(key)
            ERR_clear_error()
        }
        guard let key, let context else { return false }
        return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
    }

    /// Checks a token's signature.
    ///
    /// - Throws: ``TokenError``: the algorithm is not RS256, or the signature does not match.
    func verify(_ token: CompactJWS) throws(TokenError) {
        guard token.header.algorithm == "RS256" else {
            throw .algorithm(found: token.header.algorithm, accepted: ["RS256"])
        }
        guard isValidSignature(token.signature, of: token.signedBytes) else { throw .signature }
    }
}
