import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import ServiceLifecycle
import TestSupport
import Testing

@testable import HTTPServer

/// Slow clients get complete responses, however the connection closes after them.
@Suite("Responses are whole when the connection closes after them", .defaultTimeLimit)
struct CompleteAnswerTests {
    private static let size = 3_000_000

    /// The reason why the connection closes after a response.
    enum Ending: String, CaseIterable, Sendable {
        case close, http10, upgrade, clientHasClosed, cutOffTLS

        var request: String {
            switch self {
            case .close: "HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
            case .http10: "HTTP/1.0\r\n\r\n"
            case .upgrade: "HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
            case .clientHasClosed, .cutOffTLS: "HTTP/1.1\r\nHost: h\r\n\r\n"
            }
        }
    }

    private let certificate: ServerCertificate

    init() throws {
        let files = try TestCertificates()
        certificate = try ServerCertificate(
            certificateFile: files.path("a.pem"), keyFile: files.path("a.key"), logger: LogRecorder().logger)
    }

    /// Responds to `/direct/big/N` with N bytes.
    private static func direct(_ seen: Seen, gate: AwaitableValue<Bool> = AwaitableValue(true)) -> DirectAnswers {
        DirectAnswers { path in
            guard path.hasPrefix("/direct/big/") else { return nil }
            return { request in
                let body = bigBody(request.path.split(separator: "/").last.flatMap { Int($0) } ?? 0)
                seen.add("direct")
                try? await gate.wait { $0 }
                return Response(status: .ok, body: ByteBuffer(bytes: body))
            }
        }
    }

    /// Sends a request, does not read until the server has made the response, and then reads to the end.
    private func answer(
        _ path: String, _ ending: Ending, port: Int, isSecure: Bool, receiveBuffer: Int, seen: Seen
    ) async throws -> [UInt8] {
        let client = try await RawClient(
            port: port, protocols: isSecure ? ["http/1.1"] : nil, receiveBuffer: receiveBuffer)
        if isSecure { try await shakeHands(client) }
        try await client.setReading(false)
        let before = seen.all.count
        try await client.send("GET \(path) \(ending.request)")
        switch ending {
        case .clientHasClosed: try await client.endSending()
        case .cutOffTLS:
            // Below TLS: no goodbye.
            let channel = client.channel
            try await channel.eventLoop.submit {
                try channel.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self)
                    .close(mode: .output, promise: nil)
            }.get()
        case .close, .http10, .upgrade: break
        }
        try await waitUntil { seen.all.count != before }
        try await client.setReading(true)
        while await client.receive() {}
        let answer = client.received
        await client.close()
        return answer
    }

    /// Completes the TLS handshake and reads the first response: before, the client must read.
    private func shakeHands(_ client: RawClient) async throws {
        try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(await client.read(until: "<GET /a>").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    private func check(_ answer: [UInt8], size: Int, _ name: String) {
        #expect(String(decoding: answer.prefix(15), as: UTF8.self) == "HTTP/1.1 200 OK", "\(name)")
        #expect(isBigBody(answer.suffix(size), size), "\(name): \(answer.count) bytes of \(size) came")
    }

    @Test(
        "a large response arrives complete, however the connection ends",
        arguments: Ending.allCases.filter { $0 != .cutOffTLS }, ["/direct/big/", "/big/"])
    func plain(_ ending: Ending, _ path: String) async throws {
        let seen = Seen()
        try await withServer(direct: Self.direct(seen), seen: seen) { port in
            let answer = try await answer(
                "\(path)\(Self.size)", ending, port: port, isSecure: false, receiveBuffer: 64 << 10, seen: seen)
            check(answer, size: Self.size, "\(ending), \(path)")
        }
    }

    @Test(
        "a large response over TLS arrives complete, however the connection ends",
        arguments: Ending.allCases, ["/direct/big/", "/big/"])
    func tls(_ ending: Ending, _ path: String) async throws {
        let seen = Seen()
        try await withServer(certificate: certificate, direct: Self.direct(seen), seen: seen) { port in
            let answer = try await answer(
                "\(path)\(Self.size)", ending, port: port, isSecure: true, receiveBuffer: 64 << 10, seen: seen)
            check(answer, size: Self.size, "\(ending), \(path)")
        }
    }

    @Test("a small response arrives complete at a client with a receive buffer of 4 KB", arguments: [true, false])
    func smallBuffer(isSecure: Bool) async throws {
        let (seen, size) = (Seen(), 150_000)
        try await withServer(certificate: isSecure ? certificate : nil, direct: Self.direct(seen), seen: seen) { port in
            for path in ["/direct/big/", "/big/"] {
                let answer = try await answer(
                    "\(path)\(size)", .close, port: port, isSecure: isSecure, receiveBuffer: 4 << 10, seen: seen)
                check(answer, size: size, path)
            }
        }
    }

    @Test("a response of a stopping server arrives complete", arguments: ["/direct/big/", "/big/"], [true, false])
    func stopping(_ path: String, isSecure: Bool) async throws {
        let (seen, gate) = (Seen(), AwaitableValue(false))
        try await withStoppableServer(
            certificate: isSecure ? certificate : nil, direct: Self.direct(seen, gate: gate), seen: seen
        ) { port, stop in
            let client = try await RawClient(
                port: port, protocols: isSecure ? ["http/1.1"] : nil, receiveBuffer: 64 << 10)
            if isSecure { try await shakeHands(client) }
            try await client.setReading(false)
            let before = seen.all.count
            try await client.send("GET \(path)\(Self.size) HTTP/1.1\r\nHost: h\r\n\r\n")
            try await waitUntil { seen.all.count != before }
            await stop()
            gate.update { $0 = true }
            try await client.setReading(true)
            while await client.receive() {}
            check(client.received, size: Self.size, path)
            await client.close()
        }
    }

    @Test("Both responses to a client that has closed its side after two requests")
    func pipelinedAndClosed() async throws {
        let seen = Seen()
        try await withServer(direct: Self.direct(seen), seen: seen) { port in
            for (first, second) in [
                ("/direct/big/9", "/b"), ("/direct/big/9", "/direct/big/8"), ("/a", "/direct/big/8"),
            ] {
                let client = try await RawClient(port: port)
                try await client.send(
                    "GET \(first) HTTP/1.1\r\nHost: h\r\n\r\nGET \(second) HTTP/1.1\r\nHost: h\r\n\r\n")
                try await client.endSending()
                let text = await client.readToEnd()
                #expect(text.ranges(of: "HTTP/1.1 200 OK\r\n").count == 2, "\(first), \(second): \(text)")
                await client.close()
            }
        }
    }

    // MARK: HTTP/2

    private static let wideWindow = FrameClient.setting(FrameClient.initialWindow, 1 << 24)

    /// Reads up to the connection's end and acknowledges pings meanwhile.
    ///
    /// - Returns: the data of stream 1, and whether its end came.
    private func readStream(_ client: FrameClient) async throws -> (body: [UInt8], isWhole: Bool) {
        var (body, isWhole): ([UInt8], Bool) = ([], false)
        while let frame = await client.next() {
            switch frame.type {
            case FrameClient.data where frame.stream == 1:
                body += frame.payload
                isWhole = frame.flags & 1 != 0
            case FrameClient.ping where frame.flags & 1 == 0:
                // The server may have closed by now.
                try? await client.send(FrameClient.ping, 1, 0, frame.payload)
            default: break
            }
        }
        return (body, isWhole)
    }

    @Test("HTTP/2: the response of a server that is stopping", arguments: [64 << 10, 4 << 10])
    func stoppingHTTP2(receiveBuffer: Int) async throws {
        let (seen, size) = (Seen(), receiveBuffer == 4 << 10 ? 150_000 : Self.size)
        try await withStoppableServer(certificate: certificate, seen: seen) { port, stop in
            let client = try await FrameClient(port: port, settings: Self.wideWindow, receiveBuffer: receiveBuffer)
            try await client.send(FrameClient.windowUpdate, 0, 0, [0, 0xFF, 0, 0])
            _ = await client.next(FrameClient.settings)
            try await client.raw.setReading(false)
            try await client.get("/big/\(size)", stream: 1)
            try await waitUntil { !seen.all.isEmpty }
            await stop()
            try await client.raw.setReading(true)
            let (body, isWhole) = try await readStream(client)
            #expect(isWhole && isBigBody(body, size), "\(body.count) bytes came")
            await client.raw.close()
        }
    }

    @Test("HTTP/2: a response that a stopping server cuts off is logged")
    func cutHTTP2() async throws {
        var settings = HTTPServerSettings.patient
        settings.goAwayGracePeriod = .seconds(1)
        let (seen, log) = (Seen(), LogRecorder())
        try await withStoppableServer(
            settings: settings, certificate: certificate, logger: log.logger, seen: seen
        ) { port, stop in
            // Its window holds 64 KB of the response.
            let client = try await FrameClient(port: port)
            _ = await client.next(FrameClient.settings)
            try await client.get("/big/200000", stream: 1)
            try await waitUntil { !seen.all.isEmpty }
            await stop()
            let (body, isWhole) = try await readStream(client)
            #expect(!isWhole && body.count < 200_000)
            await client.raw.close()
        }
        #expect(log.messages(at: .warning).contains { $0.hasPrefix("cut off 1 response to 127.0.0.1: ") })
    }

    @Test("HTTP/2: the responses to a client that has closed its side", arguments: [false, true])
    func closedHTTP2(cutsTLS: Bool) async throws {
        let (seen, size) = (Seen(), 60_000)
        try await withServer(certificate: certificate, seen: seen) { port in
            let client = try await FrameClient(port: port, receiveBuffer: 4 << 10)
            _ = await client.next(FrameClient.settings)
            try await client.get("/big/\(size)", stream: 1)
            if cutsTLS {
                let channel = client.raw.channel
                try await channel.eventLoop.submit {
                    try channel.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self)
                        .close(mode: .output, promise: nil)
                }.get()
            } else {
                try await client.raw.endSending()
            }
            var (body, isWhole): ([UInt8], Bool) = ([], false)
            while !isWhole, let frame = await client.next() {
                guard frame.type == FrameClient.data else { continue }
                body += frame.payload
                isWhole = frame.flags & 1 != 0
            }
            #expect(isWhole && isBigBody(body, size), "\(body.count) bytes came")
            await client.raw.close()
        }
    }
}
