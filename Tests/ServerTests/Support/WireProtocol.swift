import NIOCore
import NIOHTTP1
import TestSupport
import Testing

/// The versions of HTTP over which clients come.
enum WireProtocol: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case http1 = "HTTP/1.1"
    /// Over TLS, as everywhere.
    case http2 = "HTTP/2"

    var testDescription: String { rawValue }
    var version: HTTPVersion { self == .http1 ? .http1_1 : .http2 }

    /// The versions of a test whose subject is behind the transport: HTTP/1.1, and in `make test-all` HTTP/2 too.
    static let any = TestExtent.size([WireProtocol.http1], full: allCases)

    /// All of some cases over HTTP/1.1, and one of them over HTTP/2, in `make test-all` three.
    func some<Case>(of cases: [Case]) -> [Case] {
        guard self == .http2 else { return cases }
        let some = TestExtent.size([cases.count / 2], full: Set([0, cases.count / 2, cases.count - 1]).sorted())
        return some.map { cases[$0] }
    }

    /// Cases for tests that need a server for each, as ``some(of:)`` has them.
    static func cases<Case>(_ cases: [Case]) -> [(Case, WireProtocol)] {
        allCases.flatMap { version in version.some(of: cases).map { ($0, version) } }
    }
}

extension RunningServer {
    /// Sends one request unchanged, and returns all that the server sends.
    ///
    /// - Parameters:
    ///   - target: the request target, unchecked.
    ///   - headers: lines of name and value.
    /// - Returns: the response in the form of HTTP/1.1, whatever the version; nothing when there is none.
    func sendRaw(
        _ method: String = "GET", _ target: String, headers: [String] = [], body: String = ""
    ) async throws -> String {
        switch version {
        case .http1:
            let lines = ["\(method) \(target) HTTP/1.1", "Host: localhost", "Connection: close"] + headers
            let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
            let text = (lines + length).joined(separator: "\r\n") + "\r\n\r\n" + body
            return try await RawClient(port: port).exchange(text)
        case .http2:
            let client = try await FrameClient(port: port)
            let fields = headers.map { line in
                let colon = line.firstIndex(of: ":") ?? line.endIndex
                return (
                    String(line[..<colon]).lowercased(), line[colon...].drop { $0 == ":" || $0 == " " }.description
                )
            }
            let answer = try await client.exchange(method, target, fields, body: Array(body.utf8))
            await client.raw.close()
            return Self.text(answer)
        }
    }

    /// Returns a response of HTTP/2 in the form of HTTP/1.1.
    private static func text(_ answer: FrameClient.Answer?) -> String {
        guard let answer else { return "" }
        return text(answer.headers.map { ($0.name, $0.value) }, answer.body)
    }

    private static func text(_ fields: [(name: String, value: String)], _ body: [UInt8]) -> String {
        let status = fields.first { $0.name == ":status" }?.value ?? ""
        let lines = fields.filter { $0.name != ":status" }.map { "\($0.name): \($0.value)\r\n" }
        return "HTTP/1.1 \(status) \r\n\(lines.joined())\r\n\(String(decoding: body, as: UTF8.self))"
    }

    /// Sends bytes by POST, as ``sendRaw(_:_:headers:body:)`` does with a string.
    func upload(_ bytes: ByteBuffer, to target: String, headers: [(String, String)]) async throws -> String {
        switch version {
        case .http1:
            let lines = headers.map { "\($0): \($1)\r\n" }.joined()
            let head =
                "POST \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(lines)"
                + "Content-Length: \(bytes.readableBytes)\r\n\r\n"
            return try await RawClient(port: port).exchange(Array(head.utf8) + Array(bytes.readableBytesView))
        case .http2:
            let client = try await FrameClient(port: port)
            let answer = try await client.exchange(
                "POST", target, headers.map { ($0.lowercased(), $1) }, body: Array(bytes.readableBytesView))
            await client.raw.close()
            return Self.text(answer)
        }
    }

    /// Sends a request without a body to a host of that name.
    func sendRaw(_ method: String, _ target: String, host: String, headers: [String]) async throws -> String {
        guard version == .http2 else {
            let lines =
                ["\(method) \(target) HTTP/1.1", "Host: \(host)", "Connection: close", "Content-Length: 0"] + headers
            return try await RawClient(port: port).exchange(lines.joined(separator: "\r\n") + "\r\n\r\n")
        }
        let client = try await FrameClient(port: port)
        try await client.sendHeaders(Self.block(method, target, host: host, headers))
        guard let head = await client.next(FrameClient.headers) else { return "" }
        let fields = try client.decode(head).map { (name: $0.name, value: $0.value) }
        var (body, isWhole): ([UInt8], Bool) = ([], head.flags & 1 != 0)
        while !isWhole, let frame = await client.next(FrameClient.data) {
            body += frame.payload
            isWhole = frame.flags & 1 != 0
        }
        await client.raw.close()
        return Self.text(fields, body)
    }

    /// A header block of fields that are shorter than 127 bytes.
    private static func block(_ method: String, _ target: String, host: String, _ headers: [String]) -> [UInt8] {
        let fields = headers.map { line in
            let parts = line.split(separator: ": ", maxSplits: 1)
            return (parts[0].lowercased(), String(parts[1]))
        }
        let all = [(":method", method), (":scheme", "https"), (":authority", host), (":path", target)] + fields
        var block: [UInt8] = []
        for (name, value) in all {
            block.append(0)
            for text in [name, value] { block += [UInt8(text.utf8.count)] + Array(text.utf8) }
        }
        return block
    }
}
