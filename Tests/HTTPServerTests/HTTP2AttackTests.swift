import NIOCore
import NIOHPACK
import TestSupport
import Testing

@testable import HTTPServer

/// Attacks that only HTTP/2 makes possible; rapid resets and endless header blocks are in `HTTP2Tests`.
@Suite("Attacks by HTTP/2's own means", .defaultTimeLimit)
struct HTTP2AttackTests {
    private let certificate: ServerCertificate

    init() throws {
        let files = try TestCertificates()
        certificate = try ServerCertificate(
            certificateFile: files.path("a.pem"), keyFile: files.path("a.key"), logger: LogRecorder().logger)
    }

    /// Checks that another client still gets responses.
    private func check(_ port: Int) async throws {
        let client = try await FrameClient(port: port)
        #expect(try await client.exchange("GET", "/after")?.status == "200")
        await client.raw.close()
    }

    @Test("A client that leaves its window shut for a small response is not awaited endlessly")
    func zeroWindow() async throws {
        var settings = HTTPServerSettings.patient
        settings.stalledResponseTime = .seconds(1)
        try await withServer(settings: settings, certificate: certificate) { port in
            let client = try await FrameClient(port: port, settings: FrameClient.setting(FrameClient.initialWindow, 0))
            for stream in [1, 3, 5] { try await client.get("/a", stream: stream) }
            var reset: Set<Int> = []
            while reset != [1, 3, 5], let frame = await client.next() {
                #expect(frame.type != FrameClient.data || frame.payload.isEmpty)
                if frame.type == FrameClient.reset { reset.insert(frame.stream) }
            }
            #expect(reset == [1, 3, 5])
            try await check(port)
            await client.raw.close()
        }
    }

    @Test(
        "Too many frames without effect end their connection",
        arguments: [(FrameClient.windowUpdate, [0, 0, 0, 1]), (0x42, [])] as [(UInt8, [UInt8])])
    func idleFrames(type: UInt8, payload: [UInt8]) async throws {
        try await withServer(settings: .patient, certificate: certificate) { port in
            let client = try await FrameClient(port: port)
            #expect(try await client.exchange("GET", "/a")?.status == "200")
            for _ in 0..<900 { try await client.send(type, 0, 0, payload) }
            try await client.get("/b", stream: 3)
            #expect(await client.next(FrameClient.headers)?.stream == 3)
            for _ in 0..<400 { try? await client.send(type, 0, 0, payload) }
            let goodbye = await client.next(FrameClient.goAway)
            #expect(
                goodbye.map { String(decoding: $0.payload.dropFirst(8), as: UTF8.self) }
                    == "too many frames that do nothing")
            try await check(port)
            await client.raw.close()
        }
    }

    @Test("A response that its client reads in time is whole, however small the window")
    func smallWindow() async throws {
        try await withServer(certificate: certificate) { port in
            let client = try await FrameClient(port: port, settings: FrameClient.setting(FrameClient.initialWindow, 3))
            try await client.get("/abcdef", stream: 1)
            var body: [UInt8] = []
            while let frame = await client.next() {
                guard frame.type == FrameClient.data else { continue }
                body += frame.payload
                if frame.flags & 1 != 0 { break }
                try await client.send(FrameClient.windowUpdate, 0, 1, [0, 0, 0, 3])
            }
            #expect(String(decoding: body, as: UTF8.self) == "<GET /abcdef>")
            await client.raw.close()
        }
    }

    @Test(
        "Control frames whose replies the client never reads end the connection",
        arguments: [
            (FrameClient.ping, [UInt8](repeating: 7, count: 8)),
            (FrameClient.settings, FrameClient.setting(FrameClient.initialWindow, 65_535)),
        ])
    func control(type: UInt8, payload: [UInt8]) async throws {
        try await withFrameClient(certificate: certificate) { (client, port) async throws in
            try await client.raw.channel.setOption(.autoRead, value: false).get()
            let frame = FrameClient.frame(type, 0, 0, payload)
            let flood = Array(repeatElement(frame, count: 20_000).joined())
            var sent = 0
            // Once the server has closed, nothing more can be sent.
            while sent < 100, (try? await client.raw.send(flood)) != nil { sent += 1 }
            #expect(sent < 100)
            try await check(port)
        }
    }

    @Test("A header block of few bytes that stands for megabytes (a bomb of HPACK) is refused")
    func headerBomb() async throws {
        try await withFrameClient(certificate: certificate) { (client, port) async throws in
            // An entry of the dynamic table, and then its index, again and again.
            var block = FrameClient.block("GET", "/a")
            let value = Array(repeating: UInt8(ascii: "b"), count: 3_900)
            // With incremental indexing; the length in the form of RFC 7541, 5.1.
            let length = 3_900 - 127
            block += [0x40, 1, UInt8(ascii: "x"), 127, UInt8(length & 0x7F | 0x80), UInt8(length >> 7)] + value
            block += [UInt8](repeating: 0x80 | 62, count: 12_000)
            try await client.sendHeaders(block)
            #expect(await client.next(FrameClient.goAway) != nil)
            while await client.next() != nil {}
            try await check(port)
        }
    }

    @Test("Empty frames of a body, one after the other, end the connection")
    func emptyFrames() async throws {
        try await withFrameClient(certificate: certificate) { (client, port) async throws in
            try await client.send(FrameClient.headers, 0x4, 1, FrameClient.block("POST", "/size"))
            let flood = Array(repeatElement(FrameClient.frame(FrameClient.data, 0, 1, []), count: 1000).joined())
            try? await client.raw.send(flood)
            #expect(await client.next(FrameClient.goAway) != nil)
            while await client.next() != nil {}
            try await check(port)
        }
    }

    @Test("Streams beyond the hundred end the connection with an error, and only the hundred are served")
    func manyStreams() async throws {
        let seen = Seen()
        try await withFrameClient(certificate: certificate, seen: seen) { (client, port) async throws in
            var flood: [UInt8] = []
            for stream in stride(from: 1, to: 301, by: 2) {
                flood += FrameClient.frame(FrameClient.headers, 0x4, stream, FrameClient.block("POST", "/size"))
            }
            try await client.raw.send(flood)
            // The RFC calls it an error of the stream (5.1.2), NIOHTTP2 one of the connection, which may still be announced.
            let goAway = try #require(await client.next(FrameClient.goAway))
            #expect(goAway.payload[4...7] != [0, 0, 0, 0])
            while await client.next() != nil {}
            try await check(port)
        }
        #expect(seen.all.count <= 101)
    }

    @Test("A window that is opened beyond what can be counted ends the stream or the connection")
    func windowOverflow() async throws {
        try await withFrameClient(certificate: certificate) { (client, _) async throws in
            // The server may have closed before the second one.
            for _ in 0..<2 { try? await client.send(FrameClient.windowUpdate, 0, 0, [0x7F, 0xFF, 0xFF, 0xFF]) }
            #expect(await client.next(FrameClient.goAway) != nil)
            while await client.next() != nil {}
        }
    }
}
