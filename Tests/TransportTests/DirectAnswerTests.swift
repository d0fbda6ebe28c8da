import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import Transport

@Suite("Answers without Hummingbird")
struct DirectAnswerTests {
    /// Answers what begins with `/direct`, with the target and the body's length; all else is Hummingbird's.
    private static func direct(
        longestBody: Int = 1000, _ before: @escaping @Sendable (String) async -> Void = { _ in }
    ) -> DirectAnswers {
        DirectAnswers(longestBody: longestBody) {
            $0.uri.hasPrefix("/direct")
        } answer: { head, body, _ in
            await before(head.uri)
            let text = "<direct \(head.uri) \(body.readableBytes)>"
            let headers: HTTPHeaders = ["Content-Length": String(text.utf8.count)]
            return (HTTPResponseHead(version: .http1_1, status: .ok, headers: headers), ByteBuffer(string: text))
        }
    }

    @Test("Requests of both kinds that come at once are answered in their order")
    func order() async throws {
        try await withRawClient(direct: Self.direct()) { (client, _) async throws in
            try await client.send(
                "GET /direct/1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n"
                    + "POST /direct/3 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
                    + "POST /size HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nabcde"
                    + "GET /direct/5 HTTP/1.1\r\nHost: h\r\n\r\n")
            let text = await client.read(until: "<direct /direct/5 0>")
            let answers = text.matches(of: /<[^>]*>/).map { String($0.0) }
            #expect(
                answers == [
                    "<direct /direct/1 0>", "<GET /2>", "<direct /direct/3 3>", "<5 bytes>", "<direct /direct/5 0>",
                ])
        }
    }

    @Test("A slow answer holds up what follows on its connection, and nothing on others")
    func slow() async throws {
        let gate = Watched(false)
        let direct = Self.direct { uri in
            if uri.hasSuffix("slow") { try? await gate.wait { $0 } }
        }
        try await withServer(direct: direct) { port in
            let slow = try await RawClient(port: port)
            try await slow.send("GET /direct/slow HTTP/1.1\r\nHost: h\r\n\r\nGET /after HTTP/1.1\r\nHost: h\r\n\r\n")
            let other = try await RawClient(port: port)
            try await other.send("GET /direct/quick HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await other.read(until: "<direct /direct/quick 0>").hasPrefix("HTTP/1.1 200 OK\r\n"))
            gate.update { $0 = true }
            let text = await slow.read(until: "<GET /after>")
            #expect(text.contains("<direct /direct/slow 0>"))
            await slow.close()
            await other.close()
        }
    }

    @Test(
        "A body that is too long, or of no known length, is Hummingbird's",
        arguments: [
            "Content-Length: 1001\r\n\r\n" + String(repeating: "x", count: 1001),
            "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        ])
    func passedOn(rest: String) async throws {
        try await withRawClient(direct: Self.direct()) { (client, _) async throws in
            try await client.send(
                "POST /direct HTTP/1.1\r\nHost: h\r\n\(rest)GET /direct/2 HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await client.read(until: "<direct /direct/2 0>").hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        }
    }

    @Test("A body that comes byte by byte arrives whole")
    func pieces() async throws {
        try await withRawClient(direct: Self.direct()) { (client, _) async throws in
            for byte in Array("POST /direct HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nabcd".utf8) {
                try await client.send([byte])
            }
            #expect(await client.read(until: "<direct /direct 4>").hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test("A client that goes away while its answer is made harms nobody")
    func gone() async throws {
        let (gate, begun) = (Watched(false), Watched(false))
        let direct = Self.direct { uri in
            guard uri.hasSuffix("slow") else { return }
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
            #expect(await other.read(until: "<direct /direct/2 0>").hasPrefix("HTTP/1.1 200 OK\r\n"))
            await other.close()
        }
    }

    @Test("Connection: close closes after the answer")
    func close() async throws {
        try await withRawClient(direct: Self.direct()) { (client, _) async throws in
            try await client.send("GET /direct HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            #expect(await client.readToEnd().hasSuffix("<direct /direct 0>"))
        }
    }
}
