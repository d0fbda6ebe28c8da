/// The device and the application behind a client of the 7.x OAuth layer, as the client reports them (wire-protocol 8).
public struct ClientDescription: Sendable, Hashable, Codable {
    public let deviceId: String
    /// The operating system's version, as `4.4.2`. Empty when the client sent none.
    public let deviceOs: String
    /// Empty when the client sent none.
    public let deviceModel: String
    public let applicationId: String
    public let applicationVersion: String
    /// The environment, such as `Androidnative`.
    public let environment: String

    public init(
        deviceId: String, deviceOs: String, deviceModel: String, applicationId: String, applicationVersion: String,
        environment: String
    ) {
        self.deviceId = deviceId
        self.deviceOs = deviceOs
        self.deviceModel = deviceModel
        self.applicationId = applicationId
        self.applicationVersion = applicationVersion
        self.environment = environment
    }
}
