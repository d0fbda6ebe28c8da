import NIOCore
import NIOHPACK
import TestSupport
import Testing

@testable import HTTPServer

/// An error of one stream ends that stream only (RFC 9113, 5.4.2); one of the connection is announced (5.4.1).
@Suite("HTTP/2 errors of streams and of the connection", .defaultTimeLimit)
struct HTTP2StreamErrorTests {
    private let certificate: ServerCertificate

    init() throws {
        let files = try TestCertificates()
        certificate = try ServerCertificate(
            certificateFile: files.path("a.pem"), keyFile: files.path("a.key"), logger: LogRecorder().logger)
    }

    /// A malformed request on stream 3, by name.
    private static let malformed: [String: [UInt8]] = [
        "an upper-case header": headers(FrameClient.block("GET", "/a", [("X-Upper", "a")])),
        "a header of the connection": headers(FrameClient.block("GET", "/a", [("connection", "close")])),
        "a line end in a value": headers(FrameClient.block("GET", "/a", [("x", "a\r\nb: c")])),
        "a pseudo-header after others": headers(FrameClient.block("GET", "/a", [("x", "a"), (":path", "/b")])),
        "a pseudo-header twice": headers(FrameClient.block("GET", "/a", [(":path", "/b")])),
        "two lengths": headers(FrameClient.block("POST", "/size", [("content-length", "1"), ("content-length", "2")])),
        "a length that is no number": headers(FrameClient.block("POST", "/size", [("content-length", "x")])),
        "less than its length": headers(FrameClient.block("POST", "/size", [("content-length", "5")]), ends: false)
            + FrameClient.frame(FrameClient.data, 1, 3, Array("abc".utf8)),
        "more than its length": headers(FrameClient.block("POST", "/size", [("content-length", "2")]), ends: false)
            + FrameClient.frame(FrameClient.data, 1, 3, Array("abc".utf8)),
        "a window opened by nothing": headers(FrameClient.block("POST", "/size"), ends: false)
            + FrameClient.frame(FrameClient.windowUpdate, 0, 3, [0, 0, 0, 0]),
        "a window opened too far": headers(FrameClient.block("POST", "/size"), ends: false)
            + FrameClient.frame(FrameClient.windowUpdate, 0, 3, [0x7F, 0xFF, 0xFF, 0xFF]),
        "trailers without an end": headers(FrameClient.block("POST", "/size"), ends: false)
            + FrameClient.frame(FrameClient.headers, 4, 3, [0, 1, UInt8(ascii: "x"), 1, UInt8(ascii: "a")]),
        "a pseudo-header in trailers": headers(FrameClient.block("POST", "/size"), ends: false)
            + headers(FrameClient.block("GET", "/a")),
    ]

    private static func headers(_ block: [UInt8], ends: Bool = true) -> [UInt8] {
        FrameClient.frame(FrameClient.headers, ends ? 0x5 : 0x4, 3, block)
    }

    @Test("A malformed stream is reset, and the others go on", arguments: malformed.keys.sorted())
    func malformedStream(_ name: String) async throws {
        let seen = Seen()
        try await withFrameClient(certificate: certificate, seen: seen) { (client, _) async throws in
            // Half of a request, before.
            try await client.send(FrameClient.headers, 0x4, 1, FrameClient.block("POST", "/size"))
            try await client.raw.send(#require(Self.malformed[name]))
            let reset = await client.next(FrameClient.reset)
            #expect(reset?.stream == 3)
            #expect(reset.map { [1, 3].contains($0.payload.last) } == true)  // PROTOCOL_ERROR, FLOW_CONTROL_ERROR
            // Its other half, and another request.
            try await client.send(FrameClient.data, 1, 1, Array("abcdef".utf8))
            let headers = try client.decode(#require(await client.next(FrameClient.headers)))
            #expect(headers.first(name: ":status") == "200")
            let body = try #require(await client.next(FrameClient.data))
            #expect(String(decoding: body.payload, as: UTF8.self) == "<6 bytes>")
            try await client.get("/after", stream: 5)
            #expect(try client.decode(#require(await client.next(FrameClient.headers))).first(name: ":status") == "200")
        }
        // A cut body is never taken for a whole one.
        #expect(!seen.all.contains("POST 3") && !seen.all.contains("POST 2"))
    }

    @Test("A client that sends one malformed stream after another is disconnected with ENHANCE_YOUR_CALM")
    func manyMalformed() async throws {
        try await withFrameClient(certificate: certificate) { (client, _) async throws in
            var flood: [UInt8] = []
            for stream in stride(from: 1, to: 1_001, by: 2) {
                let block = FrameClient.block("GET", "/a", [("X-Upper", "a")])
                flood += FrameClient.frame(FrameClient.headers, 0x5, stream, block)
            }
            try await client.raw.send(flood)
            let goAway = try #require(await client.next(FrameClient.goAway))
            #expect(goAway.payload[4...7] == [0, 0, 0, 11])  // ENHANCE_YOUR_CALM
            while await client.next() != nil {}
        }
    }

    private static let brokenConnections: [([UInt8], UInt8)] = [
        (FrameClient.frame(FrameClient.data, 0, 0, [1]), 1),
        (FrameClient.frame(FrameClient.ping, 0, 0, [1]), 6),
        (FrameClient.frame(FrameClient.headers, 0x5, 1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF]), 9),
        (FrameClient.frame(FrameClient.windowUpdate, 0, 0, [0, 0, 0, 0]), 1),
        // NIOHTTP2 makes an error of the connection of this PRIORITY, though the RFC does not ask for it.
        (FrameClient.frame(2, 0, 1, [0, 0, 0, 1, 0]), 1),
    ]

    @Test(
        "An error of the connection is announced, also to a client that goes on sending",
        arguments: brokenConnections)
    func connectionError(frame: [UInt8], code: UInt8) async throws {
        try await withFrameClient(certificate: certificate) { (client, _) async throws in
            let more = FrameClient.frame(FrameClient.data, 0, 1, [UInt8](repeating: 0, count: 16_000))
            try await client.raw.send(frame + Array(repeatElement(more, count: 10).joined()))
            let goAway = await client.next(FrameClient.goAway)
            #expect(goAway?.payload[4...7] == [0, 0, 0, code])
            while await client.next() != nil {}
        }
    }

    @Test("Frames for streams that the server has just reset do no harm, for as many as may be open")
    func afterResets() async throws {
        try await withFrameClient(certificate: certificate) { (client, _) async throws in
            for stream in stride(from: 1, to: 200, by: 2) {
                // Gets a response before its body's end, and is reset.
                try await client.send(FrameClient.headers, 0x4, stream, FrameClient.block("POST", "/ignore"))
            }
            var resets = 0
            while resets < 100, let frame = await client.next() {
                // Each header block changes the table for the next.
                if frame.type == FrameClient.headers { _ = try client.decode(frame) }
                guard frame.type == FrameClient.reset else { continue }
                #expect(frame.payload == [0, 0, 0, 0])
                resets += 1
            }
            // Frames that were in transit then.
            for stream in stride(from: 1, to: 200, by: 2) {
                try await client.send(FrameClient.data, 1, stream, Array("abc".utf8))
            }
            try await client.get("/after", stream: 201)
            let answer = try client.decode(#require(await client.next(FrameClient.headers)))
            #expect(answer.first(name: ":status") == "200")
        }
    }
}
