import Core

/// A client's wish to be registered: the form parameter `CSR` of `authorization/v1/clients/instance` (wire-protocol 8).
public struct ClientRegistrationRequest: Sendable, Hashable {
    /// The longest value of each member, in bytes of UTF-8.
    public static let lengthLimit = 256

    /// The key with which the request is signed, and which from now on proves who the client is.
    public let publicKey: RSAPublicKey
    public let client: ClientDescription

    /// Reads the request, and checks that it is signed with the private half of the key that it brings.
    ///
    /// - Throws: ``TokenError``, as for a missing member, which it names.
    public init(csr: some StringProtocol) throws(TokenError) {
        let token = try CompactJWS(csr)
        guard let key = token.header.publicKey else { throw .missing("jpk") }
        try key.verify(token)
        publicKey = key
        let payload: Payload = try token.decodePayload()
        client = ClientDescription(
            deviceId: try Self.check(payload.deviceId, "deviceId"),
            deviceOs: try Self.check(payload.deviceOs ?? "", "deviceOs", isRequired: false),
            deviceModel: try Self.check(payload.deviceModel ?? "", "deviceModel", isRequired: false),
            applicationId: try Self.check(payload.applicationId, "applicationId"),
            applicationVersion: try Self.check(payload.applicationVersion, "applicationVersion"),
            environment: try Self.check(payload.environment, "environment"))
    }

    private static func check(
        _ value: String?, _ name: String, isRequired: Bool = true
    ) throws(TokenError) -> String {
        guard let value, !isRequired || !value.isEmpty else { throw .missing(name) }
        guard value.utf8.count <= lengthLimit else { throw .tooLong(name, limit: lengthLimit) }
        guard !value.hasControlCharacters else {
            throw .malformed("'\(name)' holds a control character")
        }
        return value
    }

    private struct Payload: Decodable {
        let deviceId: String?
        let deviceOs: String?
        let deviceModel: String?
        let applicationId: String?
        let applicationVersion: String?
        let environment: String?
    }
}
