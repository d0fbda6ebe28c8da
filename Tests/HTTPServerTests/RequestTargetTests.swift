import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPServer

@Suite struct RequestTargetTests {
    private static let raw = "GET /dev/invoke?parameters=['JohnDoe','héllo'] HTTP/1.1\r\nHost: h\r\n\r\n"
    private static let mended = "GET /dev/invoke?parameters=['JohnDoe','h%C3%A9llo']"

    /// Sends the bytes in pieces of that size.
    private func requests(_ text: String, pieceSize: Int? = nil) throws -> [String] {
        let connection = try EmbeddedConnection()
        defer { connection.finish() }
        let bytes = Array(text.utf8)
        let size = pieceSize ?? bytes.count
        for start in stride(from: 0, to: bytes.count, by: size) {
            connection.send(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        return try connection.requests()
    }

    @Test("Raw bytes of a target reach the server percent-encoded") func highBytes() throws {
        #expect(try requests(Self.raw) == [Self.mended])
    }

    @Test(
        "Raw characters that old tools send pass the parser unchanged",
        arguments: [
            "[", "]", "'", "\"", ",", "{", "}", "|", "^", "`", "\\", "<", ">", "~", "!", "$", "*", "(", ")", ";", "@",
        ])
    func rawPunctuation(_ character: String) throws {
        #expect(try requests("GET /a?b=\(character)c HTTP/1.1\r\nHost: h\r\n\r\n") == ["GET /a?b=\(character)c"])
    }

    @Test("Requests are repaired in whatever pieces they come", arguments: 1...40) func pieces(_ size: Int) throws {
        let text = Self.raw + Self.post(body: "é\r\n\r\nGET /é HTTP/1.1\r\n\r\n") + Self.raw
        let expected = [
            Self.mended, "POST /ö é\r\n\r\nGET /é HTTP/1.1\r\n\r\n".replacing("ö", with: "%C3%B6"), Self.mended,
        ]
        #expect(try requests(text, pieceSize: size) == expected)
    }

    private static func post(body: String) -> String {
        "POST /ö HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test("Each request of a pipeline is repaired") func pipeline() throws {
        #expect(try requests(Self.raw + Self.raw + Self.raw) == [Self.mended, Self.mended, Self.mended])
    }

    @Test("A body that looks like a request line stays as it is", arguments: [1, 7, 10_000]) func body(_ size: Int)
        throws
    {
        let body = "GET /é HTTP/1.1\r\nHost: h\r\n\r\nGET /é HTTP/1.1\r\n\r\n"
        #expect(try requests(Self.post(body: body), pieceSize: size) == ["POST /%C3%B6 \(body)"])
    }

    @Test("A chunked body stays unchanged, and the request after it is repaired", arguments: [1, 5, 10_000])
    func chunked(_ size: Int) throws {
        let text =
            "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "7\r\nGET /é\r\n11;e=\"x\"\r\n HTTP/1.1\n\r\n\r\n\r\n\n\r\n" + "1\r\n\n\r\n0\r\nTrailer: x\r\n\r\n"
            + Self.raw
        let expected = ["POST /a GET /é HTTP/1.1\n\r\n\r\n\r\n\n\n", Self.mended]
        #expect(try requests(text, pieceSize: size) == expected)
    }

    @Test("Empty lines between requests change nothing", arguments: [1, 3, 10_000]) func emptyLines(_ size: Int) throws
    {
        #expect(try requests("\r\n\r\n" + Self.raw + "\r\n" + Self.raw, pieceSize: size) == [Self.mended, Self.mended])
    }

    @Test("Raw bytes of a header stay as they are") func header() throws {
        let connection = try EmbeddedConnection()
        defer { connection.finish() }
        connection.send("GET / HTTP/1.1\r\nHost: h\r\nX-Name: Jörg\r\n\r\n")
        #expect(connection.pieces.map { String(buffer: $0) } == ["GET / HTTP/1.1\r\nHost: h\r\nX-Name: Jörg\r\n\r\n"])
    }

    @Test("A request that needs no repair goes on in one piece and uncopied") func noCopy() throws {
        let connection = try EmbeddedConnection()
        defer { connection.finish() }
        let bytes = ByteBuffer(string: "GET /dev/invoke?parameters=['a'] HTTP/1.1\r\nHost: h\r\nX-Name: Jörg\r\n\r\n")
        connection.channel.pipeline.fireChannelRead(bytes)
        let address = bytes.withUnsafeReadableBytes { $0.baseAddress }
        #expect(connection.pieces.map { $0.withUnsafeReadableBytes(\.baseAddress) } == [address])
        #expect(connection.pieces.map(\.readableBytes) == [bytes.readableBytes])
    }

    @Test(
        "A request that could hide a second one is refused",
        arguments: [
            "GET /a\rb HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a\u{0}b HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", "GET /é b HTTP/1.1\r\nHost: h\r\n\r\n",
            "GÉT / HTTP/1.1\r\nHost: h\r\n\r\n", "GET / HTTP/1.1é\r\nHost: h\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length : 3\r\n\r\nabc",
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +3\r\n\r\nabc",
            "POST / HTTP/1.1\r\nHost: h\r\n\u{e9}Content-Length: 3\r\n\r\nabc",
        ]) func refused(_ text: String) throws
    {
        let connection = try EmbeddedConnection()
        defer { connection.finish() }
        connection.send(text + Self.raw)
        #expect(try connection.requests() == [])
        #expect(try connection.output().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(connection.isOutputClosed)
    }

    @Test("A broken request after a good one is refused after the good one's response") func order() throws {
        let connection = try EmbeddedConnection()
        defer { connection.finish() }
        connection.send(Self.raw + "GET /\u{1}\r\n\r\n")
        #expect(try connection.requests() == [Self.mended])
        #expect(try connection.output() == "")
        connection.answer("good")
        let output = try connection.output()
        #expect(output.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(output.contains("goodHTTP/1.1 400 Bad Request\r\n"))
    }
}
