public import struct Foundation.Date

/// A request that was decided on.
public struct Arrival: Sendable {
    public let service: SandboxService
    /// Counted from 1 for each service, in the order in which the requests came.
    public let sequence: Int
    /// The number of the TCP connection.
    public let connection: Int
    /// The time, by the machine's clock.
    public let date: Date
    public let method: String
    public let path: String
    public let headers: [(name: String, value: String)]
    /// The received body; for Web Push the decrypted message.
    public let body: [UInt8]
    /// The device token, registration token, channel, subscription or telephone number it is for.
    public let token: String?
    /// The status of the response; nil when a fault withheld it.
    public let status: Int?
    /// The reason for a refusal, or the name of the fault that withheld the response.
    public let reason: String?
    /// The service's own id of the message: `apns-id`, FCM's message name, WNS's message id, Web Push's location.
    public let id: String?
    /// True if the device gets it: it passed all checks, whether the client got a response or not.
    public let isAccepted: Bool

    /// The value of a header; names are compared without regard to case.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }
}
