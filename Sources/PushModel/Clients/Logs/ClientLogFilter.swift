public import struct Foundation.Date

/// A filter for the clients' log. A field that is `nil` or empty matches everything.
public struct ClientLogFilter: Sendable, Hashable {
    /// Any of these.
    public var levels: Set<ClientLogLevel>
    public var applicationID: String?
    public var deviceID: String?
    /// Part of the message or the package. The case of the letters A to Z makes no difference, that of others does.
    public var text: String?
    /// Received then or later. The server's clock counts, because those of phones are often wrong.
    public var from: Date?
    /// Received earlier.
    public var to: Date?
    /// With a smaller ``StoredClientLogEntry/sequence``: for the next page, that of the last entry of the page before.
    public var before: Int?

    public init(
        levels: Set<ClientLogLevel> = [], applicationID: String? = nil, deviceID: String? = nil, text: String? = nil,
        from: Date? = nil, to: Date? = nil, before: Int? = nil
    ) {
        self.levels = levels
        self.applicationID = applicationID
        self.deviceID = deviceID
        self.text = text
        self.from = from
        self.to = to
        self.before = before
    }
}
