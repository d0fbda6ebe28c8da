public import struct Foundation.Data
public import struct Foundation.Date

/// An app on a device that registered with the OAuth layer of 7.0 and 7.1 (wire-protocol 8).
public struct OAuthClientRecord: Sendable, Hashable {
    /// The RSA key with which the client signs, as it sent it.
    public struct PublicKey: Sendable, Hashable {
        /// The longest ``modulus`` and ``exponent``, in bytes: a key of 16,384 bits and the sign's byte.
        public static let numberBytes = 2049

        /// Big-endian, in two's complement: a zero byte may stand before it.
        public let modulus: Data
        /// Big-endian.
        public let exponent: Data

        /// - Throws: ``ClientValueError`` when a number is empty or too long.
        public init(modulus: Data, exponent: Data) throws(ClientValueError) {
            self.modulus = try ClientField.data(modulus, "modulus", bytes: Self.numberBytes)
            self.exponent = try ClientField.data(exponent, "exponent", bytes: Self.numberBytes)
        }
    }

    /// The longest ``certificate``, in bytes.
    public static let certificateBytes = 16_384

    /// The id that the server gave it.
    public let clientID: String
    /// The `id` of the application descriptor.
    public let applicationID: String
    public let applicationVersion: String
    public let environment: String
    public let deviceID: String
    /// Empty when the client did not tell.
    public let deviceModel: String
    /// Empty when the client did not tell.
    public let deviceOS: String
    public let publicKey: PublicKey
    /// The X.509 certificate that the server issued, in DER.
    public let certificate: Data
    public let registeredAt: Date
    /// When it was used last, to within a day: see ``OAuthClientStore/touchOAuthClient(_:at:)``.
    public let lastUsedAt: Date

    /// - Parameter lastUsedAt: `registeredAt` when `nil`.
    /// - Throws: ``ClientValueError`` when a text is longer than 256 bytes or holds a NUL character, one of those that
    ///   must be there is empty, or the certificate is empty or too long.
    public init(
        clientID: String, applicationID: String, applicationVersion: String, environment: String, deviceID: String,
        deviceModel: String = "", deviceOS: String = "", publicKey: PublicKey, certificate: Data, registeredAt: Date,
        lastUsedAt: Date? = nil
    ) throws(ClientValueError) {
        self.clientID = try ClientField.text(clientID, "clientID")
        self.applicationID = try ClientField.text(applicationID, "applicationID")
        self.applicationVersion = try ClientField.text(applicationVersion, "applicationVersion")
        self.environment = try ClientField.text(environment, "environment")
        self.deviceID = try ClientField.text(deviceID, "deviceID")
        self.deviceModel = try ClientField.possiblyEmptyText(deviceModel, "deviceModel")
        self.deviceOS = try ClientField.possiblyEmptyText(deviceOS, "deviceOS")
        self.publicKey = publicKey
        self.certificate = try ClientField.data(certificate, "certificate", bytes: Self.certificateBytes)
        self.registeredAt = registeredAt
        self.lastUsedAt = lastUsedAt ?? registeredAt
    }
}
