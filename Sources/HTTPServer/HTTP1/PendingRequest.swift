import HTTPTypes
import NIOHTTP1

/// A request that has no response yet.
struct PendingRequest {
    /// True if the connection may stay open after the response.
    let keepsAlive: Bool
    /// True for HTTP/1.0: the response must say that the connection stays open, and the client does not read chunks.
    let isOld: Bool
    let framing: BodyFraming
    let expectsContinue: Bool
    let path: String
    private let headers: HTTPHeaders
    /// Its body, once there are rules for it and a part has arrived.
    var body: BodyAccount?

    init(_ head: HTTPRequestHead) {
        // The parser reads nothing after a request that asks for another protocol. The response is an ordinary one, and the client continues on a new
        // connection.
        let staysHTTP = head.method != .CONNECT && !head.headers.contains(name: "upgrade")
        path = head.uri
        headers = head.headers
        keepsAlive = head.isKeepAlive && staysHTTP
        isOld = head.version.minor == 0
        framing = BodyFraming(head)
        expectsContinue =
            !isOld && head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
    }

    /// The request's headers.
    var fields: HTTPFields {
        var fields = HTTPFields()
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        return fields
    }
}

/// The end of a request's body, as its head declares it.
enum BodyFraming: Equatable {
    case length(Int)
    case chunked
    /// Not in a form that this package interprets; the parser decides.
    case unclear

    init(_ head: HTTPRequestHead) {
        let codings = head.headers[canonicalForm: "transfer-encoding"]
        let lengths = head.headers["content-length"]
        switch (codings.count, lengths.count) {
        case (0, 0): self = .length(0)
        case (1, 0): self = codings[0].lowercased() == "chunked" ? .chunked : .unclear
        case (0, 1): self = Int(lengths[0]).map { .length($0) } ?? .unclear
        default: self = .unclear
        }
    }
}
