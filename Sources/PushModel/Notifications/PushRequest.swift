/// A complete request to a push service: the bytes to send, without secrets.
public struct PushRequest: Sendable, Hashable, Codable {
    /// One header field.
    public struct Header: Sendable, Hashable, Codable {
        public let name: String
        public let value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The service that gets it.
    public let service: PushService
    public let method: String
    public let url: String
    /// The header fields in the order in which they are sent. The transport adds credentials, so they are never among them.
    public let headers: [Header]
    public let body: String

    public init(service: PushService, method: String, url: String, headers: [Header], body: String) {
        self.service = service
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}
