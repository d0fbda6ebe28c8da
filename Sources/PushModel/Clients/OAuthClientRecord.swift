public import struct Foundation.Data
public import struct Foundation.Date

/// An app on a device that registered with the OAuth layer of 7.0 and 7.1 (wire-protocol 8).
public struct OAuthClientRecord: Sendable, Hashable {
    /// The RSA key with which the client signs, as it sent it.
    public struct PublicKey: Sendable, Hashable {
        /// The longest ``modulus`` and ``exponent``, in bytes: a key of 16,384 bits and the sign's byte.
        public static let numberBytes = 2049

        /// Big-endian, in two's complement: it may begin with a zero byte.
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

    /// The id that the server assigned.
    public let clientID: String
    /// The `id` of the application descriptor.
    public let applicationID: String
    public let applicationVersion: String
    public let environment: String
    public let deviceID: String
    /// Empty if the client did not send it.
    public let deviceModel: String
    /// Empty if the client did not send it.
    public let deviceOS: String
    public let publicKey: PublicKey
    /// The X.509 certificate that the server issued, in DER.
    public let certificate: Data
    public let registeredAt: Date
    /// The time of the last use, to within a day: see ``OAuthClientStore/touchOAuthClient(_:at:)``.
    public let lastUsedAt: Date

    /// - Parameter lastUsedAt: `registeredAt` when `nil`.
    /// - Throws: ``ClientValueError`` when a string is longer than 256 bytes or holds a NUL character, a required one is empty, or the certificate is
    ///   empty or too long.
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
