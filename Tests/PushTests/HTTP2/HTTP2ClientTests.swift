import Logging
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import TestSupport
import Testing

@testable import Push

@Suite("HTTP/2 client", .defaultTimeLimit)
struct HTTP2ClientTests {
    private static let request = HTTP2Request(
        headers: [":method": "POST", ":scheme": "https", ":authority": "localhost", ":path": "/"],
        body: ByteBuffer(string: "hello"))

    private func withClient(
        to server: TestHTTP2Server, settings: HTTP2ClientSettings = HTTP2ClientSettings(),
        _ test: (HTTP2Client, ManualTime, LogRecorder) async throws -> Void
    ) async throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.applicationProtocols = ["h2"]
        tls.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMBytes(Array(server.certificate.utf8)))]
        let (time, log) = (ManualTime(), LogRecorder())
        let client = HTTP2Client(
            name: "test",
            connector: HTTP2Connector(
                host: "localhost", port: server.port, proxy: nil, tls: try NIOSSLContext(configuration: tls),
                settings: settings),
            loop: MultiThreadedEventLoopGroup.singleton.next(), time: time, logger: log.logger)
        try await test(client, time, log)
        await client.close()
        await server.stop()
    }

    private func failure(_ result: Result<HTTP2Response, HTTP2RequestError>) -> HTTP2RequestError? {
        if case .failure(let failure) = result { failure } else { nil }
    }

    private func status(_ result: Result<HTTP2Response, HTTP2RequestError>) -> Int? { try? result.get().status }

    @Test("A response comes with its fields and its body, also after an interim response")
    func answer() async throws {
        let server = try await TestHTTP2Server.start { frame, connection in
            guard frame.endsRequest else { return }
            connection.write(.headers(.init(headers: [":status": "103"])), on: frame.streamID)
            connection.write(.headers(.init(headers: [":status": "410", "apns-id": "x"])), on: frame.streamID)
            connection.write(.data(.init(data: .byteBuffer(ByteBuffer(string: "one ")))), on: frame.streamID)
            connection.write(.data(.init(data: .byteBuffer(ByteBuffer(string: "two")))), on: frame.streamID)
            connection.write(.headers(.init(headers: ["trailer": "t"], endStream: true)), on: frame.streamID)
        }
        try await withClient(to: server) { (client, _, _) async throws in
            let response = try await client.send(Self.request).get()
            #expect(response.status == 410)
            #expect(response.headers.first(name: "apns-id") == "x")
            #expect(String(buffer: response.body) == "one two")
        }
    }

    @Test("A 2xx status counts even when the body is too long, reset or cut off")
    func taken() async throws {
        for end in 0..<3 {
            let server = try await TestHTTP2Server.start { frame, connection in
                guard frame.endsRequest else { return }
                connection.write(.headers(.init(headers: [":status": "201", "location": "/m"])), on: frame.streamID)
                switch end {
                case 0:
                    let piece = ByteBuffer(repeating: 0x61, count: 12 << 10)
                    for _ in 0..<3 { connection.write(.data(.init(data: .byteBuffer(piece))), on: frame.streamID) }
                case 1: connection.write(.rstStream(.internalError), on: frame.streamID)
                default: connection.close()
                }
            }
            try await withClient(to: server) { (client, _, _) async throws in
                let response = try await client.send(Self.request).get()
                #expect(response.status == 201 && response.headers.first(name: "location") == "/m")
                #expect(response.body.readableBytes == 0)
            }
        }
    }

    @Test("A stream that the service refuses was not processed and is retried automatically")
    func refusedStream() async throws {
        let refusals = AwaitableValue(0)
        let server = try await TestHTTP2Server.start { frame, connection in
            guard frame.endsRequest else { return }
            let isFirst = refusals.update { count in
                count += 1
                return count == 1
            }
            if isFirst {
                connection.write(.rstStream(.refusedStream), on: frame.streamID)
            } else {
                connection.answer(frame.streamID)
            }
        }
        try await withClient(to: server) { (client, _, _) async throws in
            #expect(status(await client.send(Self.request)) == 200)
        }
    }

    @Test("A stream that is refused again and again fails as surely not processed")
    func refusedForEver() async throws {
        let server = try await TestHTTP2Server.start { frame, connection in
            if frame.endsRequest { connection.write(.rstStream(.refusedStream), on: frame.streamID) }
        }
        try await withClient(to: server) { (client, _, _) async throws in
            let failure = try #require(failure(await client.send(Self.request)))
            #expect(!failure.mayHaveArrived)
        }
    }

    @Test("A stream that is reset may have been processed, and is not retried automatically")
    func reset() async throws {
        let requests = AwaitableValue(0)
        let server = try await TestHTTP2Server.start { frame, connection in
            guard frame.endsRequest else { return }
            requests.update { $0 += 1 }
            connection.write(.rstStream(.internalError), on: frame.streamID)
        }
        try await withClient(to: server) { (client, _, _) async throws in
            let failure = try #require(failure(await client.send(Self.request)))
            #expect(failure.kind == .reset)
            #expect(failure.mayHaveArrived)
            #expect(requests.value == 1)
        }
    }

    @Test("Requests that the service still processes after GOAWAY are awaited, and new ones go elsewhere")
    func goAway() async throws {
        let server = try await TestHTTP2Server.start { frame, connection in
            guard frame.endsRequest else { return }
            if connection.number == 1 {
                // The response on stream 1 comes when stream 3 has arrived, which is not processed.
                guard frame.streamID == 3 else { return }
                let reason = ByteBuffer(string: #"{"reason":"Shutdown"}"#)
                connection.write(.goAway(lastStreamID: 1, errorCode: .noError, opaqueData: reason), on: .rootStream)
                connection.answer(1, status: "201")
            } else {
                connection.answer(frame.streamID, status: "202")
            }
        }
        try await withClient(to: server) { (client, time, _) async throws in
            async let one = client.send(Self.request)
            async let other = client.send(Self.request)
            let statuses = await [status(one), status(other)]
            // It is chance whether the connection had responded before it ended, which decides whether there is a pause.
            if statuses.contains(nil) {
                time.advance(by: .seconds(1))
                #expect(status(await client.send(Self.request)) == 202)
                #expect(statuses.compactMap(\.self) == [201])
            } else {
                #expect(Set(statuses) == [201, 202])
            }
        }
    }

    @Test("A connection that breaks with its GOAWAY: unprocessed requests go elsewhere at once")
    func goAwayAndEnd() async throws {
        let server = try await TestHTTP2Server.start { frame, connection in
            guard frame.endsRequest else { return }
            guard connection.number == 1, frame.streamID == 3 else { return connection.answer(frame.streamID) }
            // For NIO it is an error of the connection that a stream is reset when all have ended.
            connection.write(together: [
                HTTP2Frame(
                    streamID: .rootStream, payload: .goAway(lastStreamID: 1, errorCode: .noError, opaqueData: nil)),
                HTTP2Frame(streamID: 3, payload: .rstStream(.refusedStream)),
            ])
        }
        try await withClient(to: server) { (client, _, _) async throws in
            #expect(try await client.send(Self.request).get().connection == 1)
            #expect(try await client.send(Self.request).get().connection == 2)
        }
    }

    @Test("GOAWAY while a request waits behind a full socket: it goes elsewhere and the others succeed")
    func goAwayBehindFullSocket() async throws {
        let (isFull, isQueued, isElsewhere) = (AwaitableValue(false), AwaitableValue(false), AwaitableValue(false))
        let server = try await TestHTTP2Server.start(
            settings: [HTTP2Setting(parameter: .initialWindowSize, value: Int(Int32.max))]
        ) { frame, connection in
            if connection.number == 1, frame.streamID == 1, frame.endsRequest {
                connection.write(.windowUpdate(windowSizeIncrement: 1 << 30), on: .rootStream)
            }
            if frame.endsRequest { return connection.answer(frame.streamID) }
            guard connection.number == 1, frame.streamID == 3, case .headers = frame.payload else { return }
            connection.setReading(false)
            isFull.update { $0 = true }
            connection.after {
                try await isQueued.wait { $0 }
            } do: {
                $0.write(.goAway(lastStreamID: 3, errorCode: .noError, opaqueData: nil), on: .rootStream)
            }
            connection.after {
                try await isElsewhere.wait { $0 }
            } do: {
                $0.setReading(true)
            }
        }
        try await withClient(to: server) { (client, _, _) async throws in
            #expect(try await client.send(Self.request).get().connection == 1)
            let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: 16 * 1024 * 1024)
            async let big = client.send(HTTP2Request(headers: Self.request.headers, body: body))
            try await isFull.wait { $0 }
            async let small = client.send(Self.request)
            try await waitUntil { await client.requestCount >= 2 }
            isQueued.update { $0 = true }
            #expect(try await small.get().connection == 2)
            isElsewhere.update { $0 = true }
            #expect(try await big.get().connection == 1)
        }
    }

    @Test("A limit that is lowered while requests are under way is kept")
    func changingLimit() async throws {
        let most = AwaitableValue(0)
        let seen = AwaitableValue(0)
        let held = AwaitableValue<[HTTP2StreamID]>([])
        let server = try await TestHTTP2Server.start(
            settings: [HTTP2Setting(parameter: .maxConcurrentStreams, value: 4)]
        ) { frame, connection in
            guard frame.endsRequest else { return }
            // The first four are held until all have arrived, then two at a time, since that is the limit then.
            let limit = seen.update { count in
                count += 1
                return count <= 4 ? 4 : 2
            }
            let waiting = held.update { streams in
                streams.append(frame.streamID)
                return streams
            }
            if limit == 2 { most.update { $0 = max($0, waiting.count) } }
            guard waiting.count == limit else { return }
            if limit == 4 {
                connection.write(
                    .settings(.settings([HTTP2Setting(parameter: .maxConcurrentStreams, value: 2)])), on: .rootStream)
            }
            held.update { $0 = [] }
            for stream in waiting { connection.answer(stream) }
        }
        var settings = HTTP2ClientSettings()
        settings.maximumConnections = 1
        try await withClient(to: server, settings: settings) { (client, _, _) async throws in
            let statuses = await withTaskGroup(of: Int?.self) { group in
                for _ in 0..<40 { group.addTask { status(await client.send(Self.request)) } }
                return await group.reduce(into: [Int?]()) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: 200, count: 40))
            #expect(most.value == 2)
        }
    }

    @Test("A window of a few bytes slows a request down and loses none of it")
    func flowControl() async throws {
        let received = AwaitableValue(ByteBuffer())
        let server = try await TestHTTP2Server.start(
            settings: [HTTP2Setting(parameter: .initialWindowSize, value: 10)]
        ) { frame, connection in
            guard case .data(let data) = frame.payload, case .byteBuffer(var bytes) = data.data else { return }
            let count = bytes.readableBytes
            received.update { _ = $0.writeBuffer(&bytes) }
            if data.endStream {
                connection.answer(frame.streamID)
            } else if count > 0 {
                connection.write(.windowUpdate(windowSizeIncrement: count), on: frame.streamID)
            }
        }
        let text = String(repeating: "0123456789", count: 400)
        try await withClient(to: server) { (client, _, _) async throws in
            let request = HTTP2Request(headers: Self.request.headers, body: ByteBuffer(string: text))
            #expect(status(await client.send(request)) == 200)
            #expect(String(buffer: received.value) == text)
        }
    }

    @Test("Many responses with bodies do not use up the connection's window")
    func inboundFlowControl() async throws {
        let server = try await TestHTTP2Server.start { frame, connection in
            guard frame.endsRequest else { return }
            connection.write(.headers(.init(headers: [":status": "400"])), on: frame.streamID)
            let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: 10_000)
            connection.write(.data(.init(data: .byteBuffer(body), endStream: true)), on: frame.streamID)
        }
        try await withClient(to: server) { (client, _, _) async throws in
            for _ in 0..<30 { #expect(try await client.send(Self.request).get().body.readableBytes == 10_000) }
        }
    }

    @Test("A response that is larger than any service sends ends its request alone")
    func largeAnswer() async throws {
        let server = try await TestHTTP2Server.start { frame, connection in
            guard frame.endsRequest else { return }
            guard frame.streamID == 1 else { return connection.answer(frame.streamID) }
            connection.write(.headers(.init(headers: [":status": "200"])), on: frame.streamID)
            for _ in 0..<3 {
                let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: 10_000)
                connection.write(.data(.init(data: .byteBuffer(body))), on: frame.streamID)
            }
        }
        try await withClient(to: server) { (client, _, _) async throws in
            #expect(try await client.send(Self.request).get().body.readableBytes == 0)
            #expect(try await client.send(Self.request).get().connection == 1)
        }
    }

    @Test("Header fields without end are refused")
    func largeHeaders() async throws {
        let server = try await TestHTTP2Server.start { frame, connection in
            guard frame.endsRequest else { return }
            var headers: HPACKHeaders = [":status": "200"]
            for number in 0..<16 { headers.add(name: "x-\(number)", value: String(repeating: "v", count: 1000)) }
            connection.write(.headers(.init(headers: headers, endStream: true)), on: frame.streamID)
        }
        try await withClient(to: server) { (client, _, _) async throws in
            #expect(failure(await client.send(Self.request)) != nil)
        }
    }

    @Test("A server that does not speak HTTP/2 is named as the trouble", arguments: [["http/1.1"], []])
    func otherProtocol(protocols: [String]) async throws {
        let server = try await TestHTTP2Server.start(protocols: protocols)
        try await withClient(to: server) { (client, _, _) async throws in
            let failure = try #require(failure(await client.send(Self.request)))
            #expect(failure.kind == .unreachable)
            #expect(!failure.mayHaveArrived)
            if protocols.isEmpty { #expect(failure.reason.contains("HTTP/2")) }
        }
    }

    @Test("A client that is closed has no connections left, and requests under way fail")
    func closing() async throws {
        let arrived = AwaitableValue(0)
        let server = try await TestHTTP2Server.start { frame, _ in
            if frame.endsRequest { arrived.update { $0 += 1 } }
        }
        try await withClient(to: server) { (client, _, _) async throws in
            let waiting = Task { await client.send(Self.request) }
            try await arrived.wait { $0 == 1 }
            await client.close()
            #expect(failure(await waiting.value)?.mayHaveArrived == true)
            #expect(failure(await client.send(Self.request))?.kind == .closed)
            #expect(await client.connectionCount == 0)
        }
    }
}
