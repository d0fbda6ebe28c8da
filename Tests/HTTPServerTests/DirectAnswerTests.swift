import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Responses without Hummingbird")
struct DirectAnswerTests {
    /// Responds to a path that begins with `/direct`, with the target and the body's length; all else is Hummingbird's.
    private static func direct(_ before: @escaping @Sendable (Substring) async -> Void = { _ in }) -> DirectAnswers {
        DirectAnswers { path in
            guard path.hasPrefix("/direct") else { return nil }
            return { request in
                await before(request.path)
                let text = "<direct \(request.method) \(request.path) \(request.body.readableBytes)>"
                return Response(status: .ok, body: ByteBuffer(string: text))
            }
        }
    }

    @Test("Requests of both kinds that come at once get their responses in order")
    func order() async throws {
        try await withRawClient(direct: Self.direct()) { (client, _) async throws in
            try await client.send(
                "GET /direct/1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n"
                    + "POST /direct/3 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
                    + "POST /size HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nabcde"
                    + "GET /direct/5 HTTP/1.1\r\nHost: h\r\n\r\n")
            let text = await client.read(until: "<direct GET /direct/5 0>")
            let answers = text.matches(of: /<[^>]*>/).map { String($0.0) }
            #expect(
                answers == [
                    "<direct GET /direct/1 0>", "<GET /2>", "<direct POST /direct/3 3>", "<5 bytes>",
                    "<direct GET /direct/5 0>",
                ])
        }
    }

    @Test("A slow response delays later ones on its connection, and none on others")
    func slow() async throws {
        let gate = AwaitableValue(false)
        let direct = Self.direct { path in
            if path.hasSuffix("slow") { try? await gate.wait { $0 } }
        }
        try await withServer(direct: direct) { port in
            let slow = try await RawClient(port: port)
            try await slow.send("GET /direct/slow HTTP/1.1\r\nHost: h\r\n\r\nGET /after HTTP/1.1\r\nHost: h\r\n\r\n")
            let other = try await RawClient(port: port)
            try await other.send("GET /direct/quick HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await other.read(until: "<direct GET /direct/quick 0>").hasPrefix("HTTP/1.1 200 OK\r\n"))
            gate.update { $0 = true }
            let text = await slow.read(until: "<GET /after>")
            #expect(text.contains("<direct GET /direct/slow 0>"))
            await slow.close()
            await other.close()
        }
    }

    @Test("A body of unknown length arrives whole")
    func chunks() async throws {
        try await withRawClient(direct: Self.direct()) { (client, _) async throws in
            try await client.send(
                "POST /direct HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
            )
            #expect(await client.read(until: "<direct POST /direct 5>").hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test(
        "A body that is too long gets 413, whether its length was known or not",
        arguments: [
            "Content-Length: 1001\r\n\r\n" + String(repeating: "x", count: 1001),
            "Transfer-Encoding: chunked\r\n\r\n3e9\r\n" + String(repeating: "x", count: 1001) + "\r\n0\r\n\r\n",
        ])
    func tooLong(rest: String) async throws {
        let bodies = RequestBodyRules(longestBody: 1000) { _, _ in
            .known
        } refusal: { _, _, message in
            ([:], ByteBuffer(string: message))
        }
        try await withServer(direct: Self.direct(), bodies: bodies) { port in
            let client = try await RawClient(port: port)
            try await client.send("POST /direct HTTP/1.1\r\nHost: h\r\n\(rest)")
            let text = await client.readToEnd()
            #expect(text.hasPrefix("HTTP/1.1 413 ") && text.contains("longer than 1000 bytes"))
            await client.close()
        }
    }

    @Test("A broken body gets 400, and reaches no handler")
    func broken() async throws {
        let seen = AwaitableValue(0)
        try await withRawClient(direct: Self.direct { _ in seen.update { $0 += 1 } }) { (client, _) async throws in
            try await client.send(
                "POST /direct HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n")
            #expect(await client.readToEnd().hasPrefix("HTTP/1.1 400 "))
        }
        #expect(seen.value == 0)
    }

    @Test("The response to HEAD has the length of its body and no body")
    func head() async throws {
        try await withRawClient(direct: Self.direct()) { (client, _) async throws in
            try await client.send(
                "HEAD /direct HTTP/1.1\r\nHost: h\r\n\r\nGET /direct/2 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
            )
            let text = await client.readToEnd()
            #expect(text.contains("Content-Length: 23\r\n\r\nHTTP/1.1 200 OK\r\n"))
            #expect(text.hasSuffix("<direct GET /direct/2 0>"))
        }
    }

    @Test("A body that comes byte by byte arrives whole")
    func pieces() async throws {
        try await withRawClient(direct: Self.direct()) { (client, _) async throws in
            for byte in Array("POST /direct HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nabcd".utf8) {
                try await client.send([byte])
            }
            #expect(await client.read(until: "<direct POST /direct 4>").hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test("A client that disconnects before its response harms no other")
    func gone() async throws {
        let (gate, begun) = (AwaitableValue(false), AwaitableValue(false))
        let direct = Self.direct { path in
            guard path.hasSuffix("slow") else { return }
            begun.update { $0 = true }
            try? await gate.wait { $0 }
        }
        try await withServer(direct: direct) { port in
            let client = try await RawClient(port: port)
            try await client.send("GET /direct/slow HTTP/1.1\r\nHost: h\r\n\r\n")
            try? await begun.wait { $0 }
            await client.close()
            gate.update { $0 = true }
            let other = try await RawClient(port: port)
            try await other.send("GET /direct/2 HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await other.read(until: "<direct GET /direct/2 0>").hasPrefix("HTTP/1.1 200 OK\r\n"))
            await other.close()
        }
    }

    @Test("A client that reads no responses gets no more of them, and all once it reads")
    func unread() async throws {
        let count = 2000
        let (body, answered) = (ByteBuffer(bytes: bigBody(20_000)), AwaitableValue(0))
        let direct = DirectAnswers { _ in
            { _ in
                answered.update { $0 += 1 }
                return Response(status: .ok, body: body)
            }
        }
        try await withServer(direct: direct) { port in
            let client = try await RawClient(port: port, receiveBuffer: 4096)
            try await client.setReading(false)
            let request = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
            let last = "GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
            let sent = client.channel.eventLoop.makePromise(of: Void.self)
            client.channel.writeAndFlush(
                ByteBuffer(string: String(repeating: request, count: count - 1) + last), promise: sent)
            // The server responds to the others meanwhile, and this one's responses stop.
            for _ in 0..<50 {
                let other = try await RawClient(port: port)
                try await other.send("GET /b HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                while await other.receive() {}
                await other.close()
            }
            #expect(answered.value < count)
            try await client.setReading(true)
            while await client.receive() {}
            try await sent.futureResult.get()
            #expect(answered.value == count + 50 && client.received.count > count * 20_000)
            await client.close()
        }
    }

    @Test("Requests that a disconnected client has sent ahead get no response", .defaultTimeLimit)
    func goneAhead() async throws {
        let (gate, answered) = (AwaitableValue(false), AwaitableValue(0))
        let direct = Self.direct { path in
            answered.update { $0 += 1 }
            if path.hasSuffix("slow") { try? await gate.wait { $0 } }
        }
        var settings = HTTPServerSettings.patient
        settings.maximumConnections = 1
        try await withServer(settings: settings, direct: direct) { port in
            let client = try await RawClient(port: port)
            let ahead = String(repeating: "GET /direct/2 HTTP/1.1\r\nHost: h\r\n\r\n", count: 20)
            try await client.send("GET /direct/slow HTTP/1.1\r\nHost: h\r\n\r\n" + ahead)
            try await answered.wait { $0 == 1 }
            // It resets the connection.
            let options = try #require(client.channel as? any SocketOptionProvider)
            try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
            await client.close()
            // The server takes another connection once it has seen the end of the first one.
            var other = try await RawClient(port: port)
            while true {
                try Task.checkCancellation()
                try? await other.send("GET /direct/3 HTTP/1.1\r\nHost: h\r\n\r\n")
                if await !other.read(until: "<direct GET /direct/3 0>").isEmpty { break }
                await other.close()
                other = try await RawClient(port: port)
            }
            gate.update { $0 = true }
            try await other.send("GET /direct/4 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            _ = await other.readToEnd()
            #expect(answered.value == 3)
            await other.close()
        }
    }

    @Test("Connection: close closes after the response")
    func close() async throws {
        try await withRawClient(direct: Self.direct()) { (client, _) async throws in
            try await client.send("GET /direct HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            #expect(await client.readToEnd().hasSuffix("<direct GET /direct 0>"))
        }
    }
}
