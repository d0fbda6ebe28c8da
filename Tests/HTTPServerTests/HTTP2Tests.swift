import HTTPTypes
import NIOCore
import NIOHPACK
import NIOSSL
import TestSupport
import Testing

@testable import HTTPServer

@Suite(.defaultTimeLimit) struct HTTP2Tests {
    private let files: TestCertificates
    private let certificate: ServerCertificate

    init() throws {
        files = try TestCertificates()
        certificate = try ServerCertificate(
            certificateFile: files.path("a.pem"), keyFile: files.path("a.key"), logger: LogRecorder().logger
        )
    }

    @Test("A client gets HTTP/2 or HTTP/1.1 on one port, by its choice") func negotiation() async throws {
        try await withServer(certificate: certificate) { port in
            let old = try await RawClient(port: port, protocols: ["http/1.1"])
            try await old.send("GET /é HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await old.read(until: "<GET /%C3%A9>").hasPrefix("HTTP/1.1 200 OK\r\n"))
            await old.close()
            let client = try await FrameClient(port: port)
            try await client.get("/a", stream: 1)
            try await client.get("/b", stream: 3)
            let headers = try client.decode(#require(await client.next(FrameClient.headers)))
            #expect(headers.first(name: ":status") == "200")
            let bodies = [await client.next(FrameClient.data), await client.next(FrameClient.data)]
                .compactMap { $0 }.filter { !$0.payload.isEmpty }.map { String(decoding: $0.payload, as: UTF8.self) }
            #expect(!bodies.isEmpty && Set(bodies).isSubset(of: ["<GET /a>", "<GET /b>"]))
            await client.raw.close()
        }
    }

    @Test("The server announces 100 streams and 64 KB of headers") func announced() async throws {
        try await withFrameClient(certificate: certificate) { (client, _) async throws in
            let frame = try #require(await client.next(FrameClient.settings))
            var settings: [Int: Int] = [:]
            for start in stride(from: 0, to: frame.payload.count, by: 6) {
                let bytes = frame.payload[start..<(start + 6)].map(Int.init)
                settings[bytes[0] << 8 | bytes[1]] = bytes[2...].reduce(0) { $0 << 8 | $1 }
            }
            #expect(settings[3] == 100)
            #expect(settings[6] == 65_536)
        }
    }

    @Test("A response before the body's end asks the client to stop sending, without an error") func earlyAnswer()
        async throws
    {
        try await withFrameClient(certificate: certificate) { (client, _) async throws in
            try await client.send(FrameClient.headers, 0x4, 1, FrameClient.block("POST", "/ignore"))
            let headers = try client.decode(#require(await client.next(FrameClient.headers)))
            #expect(headers.first(name: ":status") == "200")
            let body = try #require(await client.next(FrameClient.data))
            #expect(String(decoding: body.payload, as: UTF8.self) == "<ignored>")
            let reset = try #require(await client.next(FrameClient.reset))
            #expect(reset.payload == [0, 0, 0, 0])
            // The connection lives on.
            try await client.get("/a", stream: 3)
            #expect(try client.decode(#require(await client.next(FrameClient.headers))).first(name: ":status") == "200")
        }
    }

    @Test(
        "The frame with the last bytes ends the stream: a client that closes when it has all bytes resets no stream",
        arguments: ["/direct", "/other"])
    func lastFrame(path: String) async throws {
        let direct = DirectAnswers { path in
            guard path == "/direct" else { return nil }
            return { _ in
                var response = Response(status: .ok)
                response.rest = StreamedBody(length: 14) { offset in
                    ByteBuffer(string: offset == 0 ? "<GET " : "/direct>!")
                }
                return response
            }
        }
        try await withServer(certificate: certificate, direct: direct) { port in
            let client = try await FrameClient(port: port)
            try await client.get(path, stream: 1)
            var bytes: [UInt8] = []
            while let frame = await client.next(FrameClient.data) {
                bytes += frame.payload
                guard frame.flags & 1 != 0 else { continue }
                #expect(!frame.payload.isEmpty)
                break
            }
            #expect(String(decoding: bytes, as: UTF8.self) == (path == "/direct" ? "<GET /direct>!" : "<GET /other>"))
            await client.raw.close()
        }
    }

    @Test("A client that opens and resets streams endlessly is disconnected") func rapidReset() async throws {
        var settings = HTTPServerSettings.patient
        settings.maximumStreamResets = 50
        try await withFrameClient(settings: settings, certificate: certificate) { (client, _) async throws in
            var flood: [UInt8] = []
            for stream in stride(from: 1, to: 401, by: 2) {
                flood += FrameClient.frame(FrameClient.headers, 0x5, stream, FrameClient.block("GET", "/a"))
                flood += FrameClient.frame(FrameClient.reset, 0, stream, [0, 0, 0, 8])
            }
            try await client.raw.send(flood)
            let goAway = try #require(await client.next(FrameClient.goAway))
            #expect(goAway.payload[4...7] == [0, 0, 0, 11])  // ENHANCE_YOUR_CALM
            while await client.next() != nil {}
        }
    }

    @Test("A header block in endless pieces is cut off") func continuations() async throws {
        try await withFrameClient(certificate: certificate) { (client, _) async throws in
            var flood = FrameClient.frame(FrameClient.headers, 0, 1, FrameClient.block("GET", "/a"))
            for _ in 1...10 { flood += FrameClient.frame(FrameClient.continuation, 0, 1, []) }
            try await client.raw.send(flood)
            #expect(await client.next(FrameClient.goAway) != nil)
            while await client.next() != nil {}
        }
    }

    /// A client that has acknowledged the server's settings. Before, NIOHTTP2 takes headers of 16 KB in all.
    private func acknowledging(_ port: Int) async throws -> FrameClient {
        let client = try await FrameClient(port: port)
        _ = await client.next(FrameClient.settings)
        try await client.send(FrameClient.settings, 1, 0, [])
        return client
    }

    @Test("Headers beyond 64 KB are cut off; more than 200, or one beyond 16 KB, get 431")
    func headerLimits()
        async throws
    {
        try await withServer(certificate: certificate) { port in
            let many = try await FrameClient(port: port)
            let fields = (1...200).map { ("x-\($0)", "a") }
            try await many.send(FrameClient.headers, 0x5, 1, FrameClient.block("GET", "/a", fields))
            #expect(try many.decode(#require(await many.next(FrameClient.headers))).first(name: ":status") == "431")
            await many.raw.close()

            let long = try await acknowledging(port)
            let line = [("x", String(repeating: "a", count: 17_000))]
            try await long.sendHeaders(FrameClient.block("GET", "/a", line))
            #expect(try long.decode(#require(await long.next(FrameClient.headers))).first(name: ":status") == "431")
            await long.raw.close()

            let trailing = try await acknowledging(port)
            try await trailing.send(FrameClient.headers, 0x4, 1, FrameClient.block("POST", "/size"))
            // A literal field without an index, its length in the form of RFC 7541, 5.1.
            let rest = 17_000 - 127
            let trailer: [UInt8] =
                [
                    0, 1, UInt8(ascii: "x"), 127, UInt8(rest & 0x7F | 0x80), UInt8(rest >> 7 & 0x7F | 0x80),
                    UInt8(rest >> 14),
                ]
                + [UInt8](repeating: UInt8(ascii: "a"), count: 17_000)
            try await trailing.sendHeaders(trailer)
            let answer = try trailing.decode(#require(await trailing.next(FrameClient.headers)))
            #expect(answer.first(name: ":status") == "431")
            await trailing.raw.close()

            let large = try await FrameClient(port: port)
            let block = FrameClient.block(
                "GET", "/a", (1...300).map { ("x-\($0)", String(repeating: "a", count: 230)) })
            var frames = FrameClient.frame(FrameClient.headers, 0x1, 1, Array(block.prefix(16_000)))
            for start in stride(from: 16_000, to: block.count, by: 16_000) {
                let end = min(start + 16_000, block.count)
                frames += FrameClient.frame(
                    FrameClient.continuation, end == block.count ? 0x4 : 0, 1, Array(block[start..<end]))
            }
            try await large.raw.send(frames)
            #expect(await large.next(FrameClient.goAway) != nil)
            await large.raw.close()
        }
    }

    @Test("An idle connection gets GOAWAY and is closed") func idle() async throws {
        var settings = HTTPServerSettings.patient
        settings.keepAliveTime = .seconds(1)
        settings.goAwayGracePeriod = .seconds(1)
        try await withFrameClient(settings: settings, certificate: certificate) { (client, _) async throws in
            #expect(await client.next(FrameClient.goAway) != nil)
            while await client.next() != nil {}
        }
    }

    @Test("A body that stops gets 408, and the handler sees it as broken") func idleBody() async throws {
        var settings = HTTPServerSettings.patient
        settings.bodyIdleTime = .seconds(1)
        let seen = Seen()
        try await withFrameClient(settings: settings, certificate: certificate, seen: seen) {
            (client, _) async throws in
            try await client.send(FrameClient.headers, 0x4, 1, FrameClient.block("POST", "/size"))
            try await client.send(FrameClient.data, 0, 1, Array("abc".utf8))
            #expect(try client.decode(#require(await client.next(FrameClient.headers))).first(name: ":status") == "408")
        }
        #expect(!seen.all.contains("POST 3"))
    }

    @Test("A body that the client resets is none for the handler") func brokenBody() async throws {
        let seen = Seen()
        try await withFrameClient(certificate: certificate, seen: seen) { (client, _) async throws in
            try await client.send(FrameClient.headers, 0x4, 1, FrameClient.block("POST", "/size"))
            try await client.send(FrameClient.data, 0, 1, Array("abc".utf8))
            try await client.send(FrameClient.reset, 0, 1, [0, 0, 0, 8])
            try await client.get("/after", stream: 3)
            _ = await client.next(FrameClient.headers)
        }
        #expect(!seen.all.contains("POST 3"))
    }
}
