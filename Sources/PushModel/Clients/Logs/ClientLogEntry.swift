public import Core

public import struct Foundation.Date

/// One entry of a client's log (wire-protocol 7).
///
/// An entry is kept even when parts of it are too long: they are cut when it is made, and a cut shows. NUL characters
/// become U+FFFD.
public struct ClientLogEntry: Sendable, Hashable {
    /// The longest ``message``, in bytes of UTF-8. A longer one is cut and ends in "… [cut from N bytes]", which counts.
    public static let messageBytes = 16_384
    /// The longest ``package``, in bytes of UTF-8. A longer one is cut and ends in "…".
    public static let packageBytes = 256
    /// The largest JSON form of ``metadata``, in bytes of UTF-8. Of a longer one, the members that fit are kept, in order; a string that does not fit
    /// is cut and ends in "…", and the member `$cut` has the original number of bytes.
    public static let metadataBytes = 65_536

    /// The time of receipt, by the server's clock.
    public let receivedAt: Date
    /// The time of the event, by the client's clock; `nil` if the client did not send it.
    public let time: Date?
    public let level: ClientLogLevel
    /// The name of the logger, as the app's authors chose it.
    public let package: String
    public let message: String
    /// The client that sent it.
    public let client: ClientLogSource
    /// The other members that the client sent, for example `$class`, `$stacktrace` or, of a request, `$roundTripTime`.
    public let metadata: JSONValue

    public init(
        receivedAt: Date, time: Date? = nil, level: ClientLogLevel, package: String = "", message: String,
        client: ClientLogSource, metadata: JSONValue = [:]
    ) {
        self.receivedAt = receivedAt
        self.time = time
        self.level = level
        self.package = package.bounded(toBytes: Self.packageBytes)
        self.message = message.bounded(
            toBytes: Self.messageBytes, mark: "… [cut from \(message.utf8.count) bytes]")
        self.client = client
        self.metadata = metadata.bounded(toTextBytes: Self.metadataBytes)
    }
}

/// An entry and its position in the log.
public struct StoredClientLogEntry: Sendable, Hashable {
    /// Grows with every entry that is appended.
    public let sequence: Int
    public let entry: ClientLogEntry

    public init(sequence: Int, entry: ClientLogEntry) {
        self.sequence = sequence
        self.entry = entry
    }
}
