public import HTTPTypes
public import NIOCore
import NIOHTTP1

/// A request that has come whole, over HTTP/1 or HTTP/2.
public final class Request: Sendable {
    /// The method, the target and the headers. `Host` is its authority.
    public let head: HTTPRequest
    public let body: ByteBuffer
    /// The address that the connection comes from; `nil` when it was closed at once.
    public let peer: String?
    /// The address at which the connection arrived.
    public let local: String?
    /// The verified certificate that the client showed in the TLS handshake, in DER; `nil` without one.
    public let clientCertificate: [UInt8]?

    public var method: HTTPRequest.Method { head.method }
    public var headers: HTTPFields { head.headerFields }
    /// The target without its query, percent-encoded as it came.
    public var path: Substring { Self.path(of: head.path ?? "") }
    /// The target's part after the question mark; `nil` without one.
    public var query: Substring? {
        let target = head.path ?? ""
        return target.utf8.firstIndex(of: UInt8(ascii: "?")).map { target[target.utf8.index(after: $0)...] }
    }

    init(_ head: HTTPRequestHead, _ body: ByteBuffer, peer: String?, local: String?, clientCertificate: [UInt8]? = nil)
    {
        self.head = HTTPRequest(head)
        self.body = body
        (self.peer, self.local, self.clientCertificate) = (peer, local, clientCertificate)
    }

    /// A target without its query.
    static func path(of target: String) -> Substring {
        Substring(target.utf8.prefix { $0 != UInt8(ascii: "?") })
    }
}

/// The complete response to a request.
public struct Response: Sendable {
    public var status: HTTPResponse.Status
    /// The transport writes `Content-Length` and `Connection` itself, and `Strict-Transport-Security` where it is set. `Connection: close`
    /// ends a connection of HTTP/1.
    public var headers: HTTPFields
    public var body: ByteBuffer
    /// The part of the body that follows ``body``, and that is read while it is sent; `nil` for none.
    public var rest: StreamedBody?

    public init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The number of bytes of the whole body.
    public var bodyLength: Int { body.readableBytes + (rest?.length ?? 0) }

    /// The response's length as its head declares it; `nil` for a response that has none (RFC 9110, 8.6).
    var length: Int? { status == .noContent || status == .notModified ? nil : bodyLength }
}

/// A body that is read part by part, each when the client has taken the one before.
public struct StreamedBody: Sendable {
    /// In bytes.
    let length: Int
    /// Returns the next bytes after an offset, at least one. An error closes the connection: the client sees that the body is incomplete.
    let read: @Sendable (_ offset: Int) async throws -> ByteBuffer

    public init(length: Int, read: @escaping @Sendable (_ offset: Int) async throws -> ByteBuffer) {
        (self.length, self.read) = (length, read)
    }

    /// - Parameters:
    ///   - room: returns when a part may be read.
    ///   - send: sends a part, and returns when the client's system has room for the next.
    func send(whenThereIs room: () async throws -> Void, _ send: (ByteBuffer) async throws -> Void) async throws {
        var offset = 0
        while offset < length {
            try await room()
            let part = try await read(offset)
            guard part.readableBytes > 0, part.readableBytes <= length - offset else { throw StreamedBodyError() }
            offset += part.readableBytes
            try await send(part)
        }
    }
}

/// A body that is shorter or longer than its declared length.
struct StreamedBodyError: Error {}

extension HTTPRequest {
    /// The head as it came. The parser has let it pass, so that its names are names.
    fileprivate init(_ head: HTTPRequestHead) {
        self.init(
            method: Method(head.method), scheme: nil, authority: head.headers.first(name: "host"), path: head.uri)
        headerFields.reserveCapacity(head.headers.count)
        for (name, value) in head.headers where name.utf8.count != 4 || name.lowercased() != "host" {
            if let name = HTTPField.Name(name) { headerFields.append(HTTPField(name: name, value: value)) }
        }
        // The codec of HTTP/2 adds one to a body whose length is not known.
        if head.version.major == 2 { headerFields[.transferEncoding] = nil }
    }
}

extension HTTPRequest.Method {
    fileprivate init(_ method: HTTPMethod) {
        switch method {
        case .GET: self = .get
        case .POST: self = .post
        // The parser knows only names that are tokens.
        default: self = HTTPRequest.Method(method.rawValue) ?? .trace
        }
    }
}

extension HTTPFields {
    /// Returns the same value as the subscript, which concatenates the values of a name even when there is only one.
    public func value(of name: HTTPField.Name) -> String? {
        var found: String?
        for field in self where field.name == name {
            if found != nil { return self[name] }
            found = field.value
        }
        return found
    }
}
