/// A client that was registered, to be kept in a store.
public struct RegisteredClient: Sendable, Hashable, Codable {
    /// The id that the server assigned: the `UID` of its certificate.
    public let clientId: String
    public let publicKey: RSAPublicKey
    public let description: ClientDescription

    public init(clientId: String, publicKey: RSAPublicKey, description: ClientDescription) {
        self.clientId = clientId
        self.publicKey = publicKey
        self.description = description
    }

    /// Checks the header `X-WL-Authenticate` of the token step: a JWS of `{"code"}` (wire-protocol 8).
    ///
    /// - Parameters:
    ///   - proof: the header's value.
    ///   - code: the authorization code that the request redeems.
    /// - Throws: ``TokenError``: the client's key did not sign it, or it is about another code.
    public func checkAuthentication(_ proof: some StringProtocol, forCode code: String) throws(TokenError) {
        let payload: CodePayload = try verified(proof)
        guard payload.code == code else { throw .mismatch("the client signed another authorization code than it sent") }
    }

    private func verified<Payload: Decodable>(_ proof: some StringProtocol) throws(TokenError) -> Payload {
        let token = try CompactJWS(proof)
        guard token.header.publicKey == nil || token.header.publicKey == publicKey else {
            throw .key("it is not the key with which the client was registered")
        }
        try publicKey.verify(token)
        return try token.decodePayload()
    }

    private struct CodePayload: Decodable {
        let code: String
    }
}
