import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPServer

/// Sizes, on a connection without a socket; the same on sockets in `SocketTests`.
@Suite struct LimitTests {
    private func answer(_ text: String) throws -> String {
        let connection = try EmbeddedConnection()
        defer { connection.finish() }
        connection.send(text)
        if try !connection.requests().isEmpty { connection.answer() }
        return String(try connection.output().prefix { $0 != "\r\n" })
    }

    @Test("A request line of 16 KB passes, a longer one gets 414") func line() throws {
        let frame = "GET / HTTP/1.1\r\n".utf8.count
        let longest = String(repeating: "a", count: 16 * 1024 - frame)
        #expect(try answer("GET /\(longest) HTTP/1.1\r\nHost: h\r\n\r\n") == "HTTP/1.1 200 OK")
        #expect(try answer("GET /\(longest)a HTTP/1.1\r\nHost: h\r\n\r\n") == "HTTP/1.1 414 URI Too Long")
        let raw = String(repeating: "é", count: (16 * 1024 - frame) / 2)
        #expect(try answer("GET /\(raw) HTTP/1.1\r\nHost: h\r\n\r\n") == "HTTP/1.1 200 OK")
    }

    @Test("A request line without an end gets 414") func endlessLine() throws {
        #expect(try answer("GET /" + String(repeating: "a", count: 17_000)) == "HTTP/1.1 414 URI Too Long")
    }

    @Test("Headers of 64 KB pass, more get 431") func header() throws {
        let line = "X: " + String(repeating: "a", count: 8 * 1024 - 5) + "\r\n"
        let frame = "Host: h\r\nX: \r\n\r\n".utf8.count
        let most = String(repeating: line, count: 7) + "X: " + String(repeating: "a", count: 8 * 1024 - frame)
        #expect(try answer("GET / HTTP/1.1\r\nHost: h\r\n\(most)\r\n\r\n") == "HTTP/1.1 200 OK")
        #expect(
            try answer("GET / HTTP/1.1\r\nHost: h\r\n\(most)a\r\n\r\n")
                == "HTTP/1.1 431 Request Header Fields Too Large")
    }

    @Test("A header line of 16 KB passes, a longer one gets 431", arguments: [1, 1_000, 100_000])
    func headerLine(pieceSize: Int) throws {
        for (length, status) in [(16 * 1024, "200 OK"), (16 * 1024 + 1, "431 Request Header Fields Too Large")] {
            let connection = try EmbeddedConnection()
            defer { connection.finish() }
            let line = "X: " + String(repeating: "a", count: length - 5) + "\r\n"
            let bytes = Array("GET / HTTP/1.1\r\nHost: h\r\n\(line)Y: b\r\n\r\n".utf8)
            for start in stride(from: 0, to: bytes.count, by: pieceSize) {
                connection.send(Array(bytes[start..<min(start + pieceSize, bytes.count)]))
            }
            if try !connection.requests().isEmpty { connection.answer() }
            #expect(try connection.output().hasPrefix("HTTP/1.1 \(status)\r\n"))
        }
    }

    @Test("A trailer's line of 16 KB passes, a longer one gets 431") func trailerLine() throws {
        let body = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n"
        let longest = "X: " + String(repeating: "a", count: 16 * 1024 - 5)
        #expect(try answer("\(body)\(longest)\r\n\r\n") == "HTTP/1.1 200 OK")
        let connection = try EmbeddedConnection()
        defer { connection.finish() }
        connection.send("\(body)\(longest)a\r\n\r\n")
        #expect(try connection.output().hasPrefix("HTTP/1.1 431 Request Header Fields Too Large\r\n"))
        #expect(throws: HTTPParserError.invalidEOFState) { try connection.channel.throwIfErrorCaught() }
        #expect(try connection.requests() == ["POST / a…"])
    }

    @Test("200 headers pass, more get 431") func count() throws {
        let field = "X: a\r\n"
        let most = String(repeating: field, count: 199)
        #expect(try answer("GET / HTTP/1.1\r\nHost: h\r\n\(most)\r\n") == "HTTP/1.1 200 OK")
        #expect(
            try answer("GET / HTTP/1.1\r\nHost: h\r\n\(most)\(field)\r\n")
                == "HTTP/1.1 431 Request Header Fields Too Large")
    }

    @Test("A header that comes a byte a second is cut off with 408 after ten seconds") func slowHeader() throws {
        let connection = try EmbeddedConnection()
        defer { connection.finish() }
        for byte in Array("GET / HTTP/1.1\r\nX: aaaaaaaaaaaaaaa".utf8).prefix(10) {
            #expect(try connection.output() == "")
            connection.send([byte])
            connection.advance(.seconds(1))
        }
        #expect(try connection.output().hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
        #expect(connection.isOutputClosed)
    }

    @Test("The time of a later header runs from its first byte") func laterHeader() throws {
        let connection = try EmbeddedConnection()
        defer { connection.finish() }
        connection.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\n")
        connection.answer()
        connection.advance(.seconds(50))
        connection.send("GET /2")
        connection.advance(.milliseconds(9_999))
        #expect(connection.isOpen && !connection.isOutputClosed)
        connection.advance(.milliseconds(1))
        #expect(try connection.output().contains("HTTP/1.1 408 Request Timeout\r\n"))
    }

    @Test("A silent connection is closed after ten seconds") func silent() throws {
        let connection = try EmbeddedConnection()
        defer { connection.finish() }
        connection.advance(.milliseconds(9_999))
        #expect(!connection.isOutputClosed)
        connection.advance(.milliseconds(1))
        #expect(connection.isOutputClosed)
    }

    @Test("A connection stays open for a minute after a response") func keepAlive() throws {
        let connection = try EmbeddedConnection()
        defer { connection.finish() }
        for _ in 1...5 {
            connection.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            connection.advance(.seconds(100))  // the handler takes its time
            connection.answer()
            connection.advance(.milliseconds(59_999))
            #expect(!connection.isOutputClosed)
        }
        connection.advance(.milliseconds(1))
        #expect(connection.isOutputClosed)
    }

    @Test("A body that stops gets 408 after ten seconds, and the handler sees it as broken")
    func idleBody() throws {
        let connection = try EmbeddedConnection()
        defer { connection.finish() }
        connection.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc")
        connection.advance(.milliseconds(9_999))
        #expect(try connection.output() == "")
        connection.advance(.milliseconds(1))
        #expect(try connection.output().hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
        #expect(throws: HTTPParserError.invalidEOFState) { try connection.channel.throwIfErrorCaught() }
    }

    @Test("A body that trickles is cut off after 30 seconds") func tricklingBody() throws {
        let connection = try EmbeddedConnection()
        defer { connection.finish() }
        connection.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n")
        for _ in 1...5 {
            connection.advance(.seconds(5))
            connection.send("a")
        }
        #expect(try connection.output() == "")
        connection.advance(.seconds(5))
        #expect(try connection.output().hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
    }

    @Test("Each megabyte of a body adds another 30 seconds") func largeBody() throws {
        let connection = try EmbeddedConnection()
        defer { connection.finish() }
        connection.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000000\r\n\r\n")
        let piece = [UInt8](repeating: 0x61, count: 1 << 18)
        for _ in 1...40 {
            connection.advance(.seconds(7))  // 28 seconds a megabyte
            connection.send(piece)
        }
        #expect(try connection.output() == "")
        #expect(connection.isOpen)
    }
}
