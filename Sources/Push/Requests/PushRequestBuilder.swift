public import PushModel

public import struct Foundation.Date

/// Makes the requests that carry a delivery to its push service: the bytes to send, without credentials.
///
/// A pure function of the delivery, the settings and the time, so a transport and the preview send the same bytes.
public struct PushRequestBuilder: Sendable {
    public let settings: PushServiceSettings

    public init(settings: PushServiceSettings = PushServiceSettings()) {
        self.settings = settings
    }

    /// - Parameter now: the time of day of the attempt, from which the remaining time to live is counted.
    /// - Returns: one request, or for Windows one for each part of the notification; never none.
    /// - Throws: ``PushRequestError`` when the options have nothing for the platform, are malformed or too large, or when
    ///   the platform's service was shut down.
    public func requests(for delivery: Delivery, now: Date) throws(PushRequestError) -> [PushRequest] {
        let message = try OutgoingMessage(delivery, settings, now: now)
        return try message.channel.records(of: message)
    }
}
