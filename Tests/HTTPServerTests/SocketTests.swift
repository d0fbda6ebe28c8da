import Foundation
import HTTPTypes
import Logging
import NIOCore
import TestSupport
import Testing

@testable import HTTPServer

/// HTTP/1.1 on real sockets, with Hummingbird behind.
@Suite(.defaultTimeLimit) struct SocketTests {
    @Test("Raw and pipelined requests on one connection get responses in order") func pipeline() async throws {
        try await withRawClient { (client, _) async throws in
            try await client.send("GET /a?p=['é'] HTTP/1.1\r\nHost: h\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await client.read(until: "<GET /b>").contains("<GET /a?p=['%C3%A9']>"))
            try await client.send("GET /c HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await client.read(until: "<GET /c>").hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test("A request that comes byte by byte gets a response") func byteByByte() async throws {
        try await withRawClient { (client, _) async throws in
            for byte in Array("POST /size HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nabcd".utf8) {
                try await client.send([byte])
            }
            #expect(await client.read(until: "<4 bytes>").hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test(
        "The client reads the transport's refusal before the connection closes",
        arguments: [
            ("GET /" + String(repeating: "a", count: 20_000) + " HTTP/1.1\r\n\r\n", "414"),
            ("GET / HTTP/1.1\r\nHost: h\r\nX: " + String(repeating: "a", count: 70_000) + "\r\n\r\n", "431"),
            ("GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "X: a\r\n", count: 201) + "\r\n", "431"),
            ("GET / HTTP/1.1\r\nHost: h\r\nX: " + String(repeating: "a", count: 17_000) + "\r\n\r\n", "431"),
            (
                "POST /size HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: "
                    + String(repeating: "a", count: 17_000) + "\r\n\r\n", "431"
            ),
            ("GET / HTTP/2.0\r\n\r\n", "400"), ("nonsense\r\n\r\n", "400"),
        ]) func refusals(_ request: String, _ status: String) async throws
    {
        try await withRawClient { (client, _) async throws in
            try await client.send(request)
            #expect(await client.readToEnd().hasPrefix("HTTP/1.1 \(status) "))
        }
    }

    @Test("A single header of 8 KB passes") func largeHeader() async throws {
        try await withRawClient { (client, _) async throws in
            try await client.send("GET /a HTTP/1.1\r\nHost: h\r\nX: \(String(repeating: "a", count: 8192))\r\n\r\n")
            #expect(await client.read(until: "<GET /a>").hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test("A header that does not come is cut off") func slowHeader() async throws {
        var settings = HTTPServerSettings.patient
        settings.headerTime = .seconds(1)
        try await withServer(settings: settings) { port in
            // A client that is delayed for a second before it sends gets no response; then another one tries.
            var answer = ""
            while answer.isEmpty {
                try Task.checkCancellation()
                let client = try await RawClient(port: port)
                try? await client.send("GET / HTTP/1.1\r\n")
                answer = await client.readToEnd()
                await client.close()
            }
            #expect(answer.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
        }
    }

    @Test("The rest of an upload refused with 413 is not read; the client sees the response, then the end")
    func refusedUpload() async throws {
        try await withRawClient { (client, _) async throws in
            try await client.send("POST /size HTTP/1.1\r\nHost: h\r\nContent-Length: 100000000\r\n\r\n")
            // Sends until the server takes no more.
            let sender = Task { [channel = client.channel] in
                let piece = ByteBuffer(repeating: 0x61, count: 1 << 16)
                var sent = 0
                while sent < 100_000_000 {
                    do { try await channel.writeAndFlush(piece) } catch { break }
                    sent += piece.readableBytes
                }
                return sent
            }
            let answer = await client.readToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 413 "))
            #expect(answer.contains("Connection: close\r\n") && answer.contains("<too long>"))
            // 4 MB read, 256 KB thrown away, and the rest in the system's buffers.
            #expect(await sender.value < 40_000_000)
        }
    }

    @Test("An unread body does not become the next request") func ignoredBody() async throws {
        let seen = Seen()
        try await withRawClient(seen: seen) { (client, _) async throws in
            let body = "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"
            try await client.send(
                "POST /ignore HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                    + "GET /next HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            let answer = await client.readToEnd()
            #expect(answer.contains("<ignored>") && answer.contains("<GET /next>"))
        }
        #expect(seen.all == ["GET /next"])
    }

    @Test("A body that the client breaks off is none for the handler") func brokenBody() async throws {
        let seen = Seen()
        try await withRawClient(seen: seen) { (client, _) async throws in
            try await client.send("POST /size HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc")
            try await client.endSending()
            #expect(await client.readToEnd().hasPrefix("HTTP/1.1 400 "))
            try await waitUntil { !seen.all.isEmpty }
        }
        #expect(seen.all == ["POST HTTPParserError"])
    }

    @Test("A client that has closed its side still gets its response") func halfClosed() async throws {
        try await withServer { port in
            let client = try await RawClient(port: port)
            try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
            try await client.endSending()
            #expect(await client.readToEnd().contains("<GET /a>"))
        }
    }

    @Test("A client of HTTP/1.0 sees the end of the response at the connection's end") func http10() async throws {
        try await withRawClient { (client, _) async throws in
            try await client.send("GET /a HTTP/1.0\r\n\r\n")
            #expect(await client.readToEnd().contains("<GET /a>"))
        }
    }

    @Test("A client of HTTP/1.0 gets a body of unknown length without chunks") func streamToOldClient() async throws {
        try await withRawClient { (client, _) async throws in
            try await client.send("GET /stream/a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(await client.readToEnd().hasSuffix("\r\n\r\n<one><two>"))
        }
    }

    @Test("Connections beyond the limit are closed, and one that ends makes room") func connectionLimit() async throws {
        var settings = HTTPServerSettings.patient
        settings.maximumConnections = 2
        let log = LogRecorder(level: .info)
        try await withServer(settings: settings, logger: log.logger) { port in
            let first = try await RawClient(port: port)
            let second = try await RawClient(port: port)
            for client in [first, second] {
                try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
                _ = await client.read(until: "<GET /a>")
            }
            let third = try await RawClient(port: port)
            #expect(await third.readToEnd() == "")
            await third.close()
            try await first.send("GET /b HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            _ = await first.readToEnd()
            await first.close()
            // The server counts it out when it has seen the client's end.
            var answer = ""
            while answer.isEmpty {
                let fourth = try await RawClient(port: port)
                try? await fourth.send("GET /c HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                answer = await fourth.readToEnd()
                await fourth.close()
            }
            #expect(answer.contains("<GET /c>"))
            await second.close()
        }
        #expect(log.texts.first?.contains("the limit 'limits.connections' is reached") == true)
    }

    @Test("Clients that vanish at once do not end the server") func vanishing() async throws {
        try await withServer { port in
            for _ in 1...200 {
                let channel = try await RawClient(port: port).channel
                // Closes with a reset.
                try await (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
                try? await channel.close()
            }
            let client = try await RawClient(port: port)
            try await client.send("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            #expect(await client.readToEnd().contains("<GET /a>"))
            await client.close()
        }
    }

    @Test(
        "A target that is neither a path nor an HTTP URL is refused",
        arguments: ["x?u=http://localhost/a", "ftp://localhost/a", "?", "a", "localhost:80"])
    func otherTargets(_ target: String) async throws {
        try await withRawClient { (client, _) async throws in
            try await client.send("GET \(target) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            #expect(await client.readToEnd().hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test(
        "An absolute target and one without a path do no harm",
        arguments: ["http://h/a?b", "HTTP://h", "//a", "*"])
    func oddTargets(_ target: String) async throws {
        try await withRawClient { (client, _) async throws in
            try await client.send("GET \(target) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            #expect(await client.readToEnd().hasPrefix("HTTP/1.1 "))
        }
    }
}
