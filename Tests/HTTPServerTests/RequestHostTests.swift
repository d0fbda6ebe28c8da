import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP1
import TestSupport
import Testing

@testable import HTTPServer

/// A request is for one host, or it is refused (RFC 9112, 3.2; RFC 9113, 8.3.1).
@Suite("The host of a request", .defaultTimeLimit)
struct RequestHostTests {
    @Test(
        "HTTP/1: none, two, and malformed ones get 400",
        arguments: [
            "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a,b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "GET http://a,b/ HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n", "GET http:///a HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        ])
    func refused(_ request: String) async throws {
        let seen = Seen()
        try await withRawClient(seen: seen) { (client, _) async throws in
            try await client.send(request)
            let answer = await client.readToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(answer.contains("Connection: close\r\n"))
        }
        #expect(seen.all == [])
    }

    @Test(
        "HTTP/1: one is enough, and HTTP/1.0 needs none",
        arguments: [
            "GET /a HTTP/1.1\r\nHost: a:80\r\n", "GET /a HTTP/1.1\r\nHost: [::1]:80\r\n",
            "GET /a HTTP/1.1\r\nHost:\r\n",
            "GET /a HTTP/1.0\r\n", "GET /a HTTP/1.0\r\nHost: a_b\r\n",
        ])
    func accepted(_ request: String) async throws {
        try await withRawClient { (client, _) async throws in
            try await client.send(request + "Connection: close\r\n\r\n")
            #expect(await client.readToEnd().hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test(
        "HTTP/1: the host of a target that is a whole URL replaces the header's (RFC 9112, 3.2.2)",
        arguments: [
            ("GET http://a:80/b?c=d HTTP/1.1\r\nHost: x", "/b?c=d", "a:80"),
            ("GET HTTPS://[::1]/ HTTP/1.1\r\nHost: x", "/", "[::1]"),
            ("GET http://a HTTP/1.1\r\nHost: x", "/", "a"), ("GET http://a?b HTTP/1.1\r\nHost: x", "/?b", "a"),
            ("GET http://a/b://c HTTP/1.0\r\nX: x", "/b://c", "a"), ("GET /a://b HTTP/1.1\r\nHost: x", "/a://b", "x"),
        ])
    func wholeURL(request: String, target: String, host: String) async throws {
        let direct = DirectAnswers { _ in
            { request in
                let text = "<\(request.head.path ?? "") for \(request.head.authority ?? "")>"
                return Response(status: .ok, body: ByteBuffer(string: text))
            }
        }
        try await withRawClient(direct: direct) { (client, _) async throws in
            try await client.send(request + "\r\nConnection: close\r\n\r\n")
            #expect(await client.readToEnd().hasSuffix("<\(target) for \(host)>"))
        }
    }

    @Test("HTTP/1: the requests before a refused one get their responses") func pipelined() async throws {
        try await withRawClient { (client, _) async throws in
            try await client.send(
                "GET /a HTTP/1.1\r\nHost: h\r\n\r\nGET /b HTTP/1.1\r\n\r\nGET /c HTTP/1.1\r\nHost: h\r\n\r\n")
            let text = await client.readToEnd()
            #expect(text.contains("<GET /a>") && text.contains("HTTP/1.1 400 ") && !text.contains("/c"))
        }
    }

    /// A header block with these fields besides the method, the scheme and the path.
    private static func block(_ more: [(String, String)]) -> [UInt8] {
        var block: [UInt8] = []
        for (name, value) in [(":method", "GET"), (":scheme", "https"), (":path", "/a")] + more {
            block.append(0)
            for text in [name, value] {
                block.append(UInt8(text.utf8.count))
                block += Array(text.utf8)
            }
        }
        return block
    }

    @Test("HTTP/2: an authority, a host, or the same in both pass; others get 400 on their stream alone")
    func http2() async throws {
        let files = try TestCertificates()
        let certificate = try ServerCertificate(
            certificateFile: files.path("a.pem"), keyFile: files.path("a.key"), logger: LogRecorder().logger)
        let cases: [(fields: [(String, String)], status: String)] = [
            ([], "400"), ([("host", "a"), ("host", "a")], "400"), ([("host", "a"), ("host", "b")], "400"),
            ([(":authority", "a"), ("host", "b")], "400"), ([(":authority", "a,b")], "400"),
            ([(":authority", "a"), ("host", "a"), ("host", "a")], "400"), ([(":authority", "a@b")], "400"),
            ([(":authority", "a")], "200"), ([("host", "a")], "200"), ([(":authority", "a"), ("host", "A")], "200"),
        ]
        try await withFrameClient(certificate: certificate) { (client, _) async throws in
            for (index, (fields, status)) in cases.enumerated() {
                try await client.send(FrameClient.headers, 0x5, 2 * index + 1, Self.block(fields))
                let answer = try client.decode(#require(await client.next(FrameClient.headers)))
                #expect(answer.first(name: ":status") == status, "\(fields)")
            }
        }
    }
}
