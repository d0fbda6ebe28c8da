/// A request to a push service, whole: what would go over the wire, byte for byte, and nothing that is secret.
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
    /// In the order in which they are sent. Credentials are added by the transport and never stand here.
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
