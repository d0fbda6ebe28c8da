import HTTPTypes
import NIOCore
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Bodies that are read while they are sent", .defaultTimeLimit)
struct StreamedBodyTests {
    private static let size = 20 << 20
    private static let part = 65_536

    /// Responds with ``size`` bytes, of which the first part is in the response.
    ///
    /// - Parameter read: called with the offset of each further part.
    private static func direct(_ read: @escaping @Sendable (Int) throws -> Void) -> DirectAnswers {
        let body = ByteBuffer(bytes: bigBody(size))
        @Sendable func part(_ offset: Int) -> ByteBuffer {
            body.getSlice(at: offset, length: min(Self.part, size - offset)) ?? ByteBuffer()
        }
        return DirectAnswers { path in
            guard path.hasPrefix("/file") else { return nil }
            return { _ in
                var response = Response(status: .ok, body: part(0))
                response.rest = StreamedBody(length: size - Self.part) { offset in
                    try read(offset)
                    return part(Self.part + offset)
                }
                return response
            }
        }
    }

    @Test("A client that reads slowly gets all of it, and the server reads no further than the client")
    func slowReader() async throws {
        let offsets = AwaitableValue(0)
        try await withServer(direct: Self.direct { offset in offsets.update { $0 = offset } }) { port in
            let client = try await RawClient(port: port)
            try await client.setReading(false)
            try await client.send(
                "GET /file HTTP/1.1\r\nHost: h\r\n\r\nGET /after HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            let other = try await RawClient(port: port)
            for _ in 0..<50 {
                try await other.send("GET /b HTTP/1.1\r\nHost: h\r\n\r\n")
                _ = await other.read(until: "<GET /b>")
            }
            // The system's buffers on both sides.
            #expect(offsets.value < 15 << 20)
            try await client.setReading(true)
            while client.received.count < 1000, await client.receive() {}
            let start = try #require(client.received.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound)
            while await client.receive() {}
            #expect(isBigBody(client.received[start..<(start + Self.size)], Self.size))
            #expect(String(decoding: client.received.suffix(12), as: UTF8.self) == "<GET /after>")
            await client.close()
            await other.close()
        }
    }

    @Test("A client of HTTP/2 with many shut windows makes the server read a megabyte, and gets all once it reads")
    func shutWindows() async throws {
        let files = try TestCertificates()
        let certificate = try ServerCertificate(
            certificateFile: files.path("a.pem"), keyFile: files.path("a.key"), logger: LogRecorder().logger)
        let (streams, parts) = (90, 2)
        let reads = AwaitableValue(0)
        let part = ByteBuffer(bytes: bigBody(Self.part))
        let direct = DirectAnswers { path in
            guard path.hasPrefix("/file") else { return nil }
            return { _ in
                var response = Response(status: .ok)
                response.rest = StreamedBody(length: parts * Self.part) { _ in
                    reads.update { $0 += 1 }
                    return part
                }
                return response
            }
        }
        try await withServer(certificate: certificate, direct: direct) { port in
            let client = try await FrameClient(port: port, settings: FrameClient.setting(FrameClient.initialWindow, 0))
            for stream in 0..<streams { try await client.get("/file", stream: 2 * stream + 1) }
            var heads = 0
            while heads < streams, let frame = await client.next() {
                if frame.type == FrameClient.headers { heads += 1 }
            }
            // Each runs the tasks that are ready.
            for _ in 0..<20 {
                try await client.send(FrameClient.ping, 0, 0, [UInt8](repeating: 1, count: 8))
                _ = await client.next(FrameClient.ping)
            }
            #expect(reads.value == 16)
            try await client.send(FrameClient.windowUpdate, 0, 0, [0x40, 0, 0, 0])
            for stream in 0..<streams {
                try await client.send(FrameClient.windowUpdate, 0, 2 * stream + 1, [0, 0x10, 0, 0])
            }
            var (received, ended) = (0, 0)
            while ended < streams, let frame = await client.next() {
                guard frame.type == FrameClient.data else { continue }
                received += frame.payload.count
                if frame.flags & 1 != 0 { ended += 1 }
            }
            #expect(received == streams * parts * Self.part && reads.value == streams * parts)
            await client.raw.close()
        }
    }

    @Test("A body that fails midway ends the connection, so that the client sees that it is incomplete")
    func failure() async throws {
        struct Changed: Error {}
        let direct = Self.direct { offset in if offset > 1 << 20 { throw Changed() } }
        try await withRawClient(direct: direct) { (client, _) async throws in
            try await client.send("GET /file HTTP/1.1\r\nHost: h\r\n\r\n")
            while await client.receive() {}
            #expect(client.received.count > 1 << 20 && client.received.count < 2 << 20)
        }
    }

    @Test("A client that disconnects ends the reading")
    func disconnect() async throws {
        let (offsets, requests) = (AwaitableValue(0), AwaitableValue(0))
        var settings = HTTPServerSettings.patient
        settings.maximumConnections = 1
        try await withServer(settings: settings, direct: Self.direct { offset in offsets.update { $0 = offset } }) {
            port in
            let client = try await RawClient(port: port, receiveBuffer: 4096)
            try await client.setReading(false)
            try await client.send("GET /file HTTP/1.1\r\nHost: h\r\n\r\n")
            try await offsets.wait { $0 > 0 }
            await client.close()
            // The server takes another connection once it has seen the end of the first one.
            while requests.value == 0 {
                let other = try await RawClient(port: port)
                try await other.send("GET /b HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                while await other.receive() {}
                if other.text.contains("<GET /b>") { requests.update { $0 = 1 } }
                await other.close()
            }
            #expect(offsets.value < Self.size - Self.part)
        }
    }
}
