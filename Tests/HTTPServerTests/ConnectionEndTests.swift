import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPServer

/// The ways in which an HTTP/1 connection ends.
@Suite struct ConnectionEndTests {
    private let connection: EmbeddedConnection

    init() throws { connection = try EmbeddedConnection() }

    @Test("A response before the body's end closes the connection and says so") func earlyAnswer() throws {
        connection.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc")
        connection.answer()
        #expect(try connection.output().contains("Connection: close\r\n"))
        #expect(connection.isOutputClosed)
        // Later bytes are not taken for a request.
        _ = try connection.requests()
        connection.send("GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try connection.requests() == [])
    }

    @Test("A server that has closed its side waits two seconds for the client") func linger() throws {
        connection.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        connection.answer()
        #expect(connection.isOutputClosed)
        connection.advance(.milliseconds(1_999))
        #expect(connection.isOpen)
        connection.advance(.milliseconds(1))
        #expect(!connection.isOpen)
    }

    @Test("The connection ends with the response when the client has closed its side") func clientCloses() throws {
        connection.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(connection.isOpen)
        connection.answer()
        #expect(try connection.output().contains("Connection: close\r\n"))
        #expect(!connection.isOpen)
    }

    @Test("A request for another protocol gets a response, and the connection closes") func upgrade() throws {
        connection.send(
            "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n"
        )
        #expect(try connection.requests() == ["GET /"])
        connection.answer()
        #expect(try connection.output().contains("Connection: close\r\n"))
        #expect(connection.isOutputClosed)
    }

    @Test("A client of HTTP/1.0 gets a connection that closes, or stays on request") func http10() throws {
        connection.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        connection.answer()
        #expect(try connection.output().contains("Connection: keep-alive\r\n"))
        connection.send("GET / HTTP/1.0\r\n\r\n")
        connection.answer()
        #expect(try connection.output().contains("Connection: close\r\n"))
        #expect(connection.isOutputClosed)
    }

    @Test("A stopping server closes idle connections, and others after their response") func stopping() throws {
        connection.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(!connection.isOutputClosed)
        connection.answer()
        #expect(try connection.output().contains("Connection: close\r\n"))
        #expect(connection.isOutputClosed)

        let idle = try EmbeddedConnection()
        idle.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(idle.isOutputClosed)
    }

    @Test("A stopping server responds to the requests that it has accepted, and accepts no more")
    func stoppingPipeline() throws {
        connection.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n")
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        connection.send("GET /3 HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try connection.requests() == ["GET /1", "GET /2"])
        connection.answer()
        #expect(try !connection.output().contains("Connection: close"))
        #expect(!connection.isOutputClosed)
        connection.answer()
        #expect(try connection.output().contains("Connection: close"))
        #expect(connection.isOutputClosed)
    }

    @Test("A client that sends Expect gets 100 Continue before its body") func expectContinue() throws {
        connection.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        #expect(try connection.output() == "HTTP/1.1 100 Continue\r\n\r\n")
    }

    @Test("A client that reads nothing of its response for a minute is cut off") func stalledAnswer() throws {
        connection.fill()
        connection.advance(.milliseconds(59_999))
        #expect(connection.isOpen)
        connection.advance(.milliseconds(1))
        #expect(!connection.isOpen)
    }

    @Test("A client that reads some of its response is not cut off, up to five minutes a megabyte") func slowAnswer()
        throws
    {
        connection.fill()
        for _ in 1...5 {
            connection.advance(.seconds(59))
            connection.takeByte()
        }
        connection.advance(.seconds(59))
        #expect(connection.isOpen)
        connection.takeByte()
        // Six minutes after the first byte: one for the stall, five for the first megabyte.
        connection.advance(.milliseconds(5_999))
        #expect(connection.isOpen)
        connection.advance(.milliseconds(1))
        #expect(!connection.isOpen)
    }

    @Test("A connection closes when the system has the last bytes of its response") func drained() throws {
        connection.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        connection.holdFlushes = true
        connection.answer()
        #expect(!connection.isOutputClosed)
        connection.advance(.milliseconds(59_999))
        #expect(connection.isOpen && !connection.isOutputClosed)
        connection.holdFlushes = false
        #expect(connection.isOutputClosed)
    }

    @Test("A close from behind, as by a task that has ended, does not overtake the response") func closeFromBehind()
        throws
    {
        connection.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        connection.holdFlushes = true
        connection.answer()
        connection.channel.pipeline.close(promise: nil)
        #expect(connection.isOpen && !connection.isOutputClosed)
        connection.holdFlushes = false
        #expect(try connection.output().hasSuffix("\r\n\r\nx"))
        #expect(connection.isOutputClosed)
    }

    @Test("A body that the client breaks off reaches the handler as an error") func brokenOff() throws {
        connection.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc")
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(throws: HTTPParserError.invalidEOFState) { try connection.channel.throwIfErrorCaught() }
        #expect(try connection.requests() == ["POST / abc…"])
    }
}
