import Foundation
import HTTPTransfer
import NIOSSL
import TestSupport
import Testing

@Suite("HTTP transfers", .defaultTimeLimit)
struct TransferClientTests {
    private func makeClient(_ settings: TransferClient.Settings = .init()) -> TransferClient {
        var settings = settings
        // A limit that only a fault reaches.
        settings.connectTimeout = .noLimit
        return TransferClient(settings)
    }

    private func withClient<Result>(
        _ settings: TransferClient.Settings = .init(), _ body: (TransferClient) async throws -> Result
    ) async throws -> Result {
        let client = makeClient(settings)
        defer { client.close() }
        return try await body(client)
    }

    private func failure(_ request: TransferRequest) async throws -> TransferError.Kind? {
        try await withClient { (client) async throws in
            await #expect(throws: TransferError.self) { try await client.send(request) }?.kind
        }
    }

    @Test("A request arrives byte for byte, and its response comes whole")
    func exchange() async throws {
        let server = try LoopbackServer { _ in .status(201, headers: ["X-A": " one "], "grün") }
        let url = "http://127.0.0.1:\(server.port)/a/../b?q=%41~ü#part"
        let answer = try await withClient {
            try await $0.send(TransferRequest("PUT", url: url, headers: [("X-Empty", "")], body: Array("body".utf8)))
        }
        #expect(answer.status == 201 && answer.text == "grün" && answer.head.first("x-a") == "one")
        let request = try #require(server.requests.value.first)
        #expect(request.line == "PUT /a/../b?q=%41~ü HTTP/1.1" && request.body == "body")
        #expect(request.headers("X-Empty") == [""] && request.headers("Content-Length") == ["4"])
        for name in ["Accept", "Expect", "User-Agent", "Content-Type"] { #expect(request.header(name) == nil) }
    }

    @Test("Transfers at once share kept connections, no more than are allowed for a host")
    func connections() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        var settings = TransferClient.Settings()
        settings.connections = 3
        try await withClient(settings) { client in
            let url = "http://127.0.0.1:\(server.port)/"
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 { group.addTask { try await client.send(TransferRequest(url: url)).status } }
                for try await status in group { #expect(status == 200) }
            }
        }
        #expect(server.connections <= 3)
    }

    @Test("A POST on a kept connection that the server has closed is not sent twice", arguments: ["", "body"])
    func once(body: String) async throws {
        // Takes each second request and closes the connection without a response.
        let server = try LoopbackServer { $0.number % 2 == 0 ? .status(200) : .close([]) }
        try await withClient { (client) async throws in
            let request = TransferRequest("POST", url: "http://127.0.0.1:\(server.port)/", body: Array(body.utf8))
            #expect(try await client.send(request).status == 200)
            let failure = await #expect(throws: TransferError.self) { try await client.send(request) }
            #expect(failure?.kind == .connectionClosed(hasHead: false))
        }
        #expect(server.requests.value.count == 2)
    }

    @Test("A response that is too large, too slow or not HTTP has its own error")
    func badAnswers() async throws {
        let server = try LoopbackServer { request in
            switch request.target {
            case "/large": .status(200, String(repeating: "x", count: 1001))
            case "/quick": .status(200)
            case "/silent": .nothing
            case "/half": .close(Array("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf".utf8))
            default: .close(Array("SSH-2.0-OpenSSH_9.6\r\n\r\n".utf8))
            }
        }
        let url = "http://127.0.0.1:\(server.port)"
        #expect(try await failure(TransferRequest(url: url + "/large", maximumSize: 1000)) == .tooLarge)
        try await withClient { (client) async throws in
            // The connection is kept: a client that is held up might have none in time.
            #expect(try await client.send(TransferRequest(url: url + "/quick")).status == 200)
            let failure = await #expect(throws: TransferError.self) {
                try await client.send(TransferRequest(url: url + "/silent", timeout: .milliseconds(200)))
            }
            #expect(failure?.kind == .timedOut)
        }
        #expect(try await failure(TransferRequest(url: url + "/half")) == .connectionClosed(hasHead: true))
        #expect(try await failure(TransferRequest(url: url + "/ssh")) == .notHTTP)
        #expect(try await failure(TransferRequest(url: "http://127.0.0.1:\(closedPort)/")) == .notConnected)
        #expect(try await failure(TransferRequest(url: "http://nobody.invalid/")) == .hostNotFound)
    }

    @Test("A certificate is taken from the authorities that are named, and for its own name")
    func certificates() async throws {
        let files = try TestCertificates()
        let tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(files.path("localhost.pem")).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: files.path("localhost.key"), format: .pem)))
        let server = try LoopbackServer(tls: tls) { _ in .status(200) }
        let pem = try String(contentsOfFile: files.path("localhost.pem"), encoding: .utf8)
        func result(_ trust: TransferClient.Trust, _ host: String = "localhost") async throws -> TransferError.Kind? {
            var settings = TransferClient.Settings()
            settings.trust = trust
            return try await withClient(settings) { (client) async throws in
                do throws(TransferError) {
                    _ = try await client.send(TransferRequest(url: "https://\(host):\(server.port)/"))
                    return nil
                } catch {
                    return error.kind
                }
            }
        }
        #expect(try await result(.system) == .untrustedCertificate)
        #expect(try await result(.systemAnd(pem: pem)) == nil)
        #expect(try await result(.only(pem: pem)) == nil)
        #expect(try await result(.only(pem: pem), "127.0.0.1") == .certificateName)
        #expect(try await result(.everybody, "127.0.0.1") == nil)
    }

    @Test("A header with a line break is refused before anything is sent", arguments: ["a\r\nX-Injected: b", "a\0b"])
    func brokenHeader(value: String) async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let request = TransferRequest(url: "http://127.0.0.1:\(server.port)/", headers: [("X-Bad", value)])
        #expect(try await failure(request) == .badRequest)
        #expect(server.connections == 0)
    }

    @Test(
        "A transfer ends when header fields, one folded field or trailers exceed 256 KB",
        arguments: [0, 1, 2])
    func endlessFields(kind: Int) async throws {
        let chunk = Array(repeating: Array((kind == 1 ? " \n" : "a: b\r\n").utf8), count: 10_000).flatMap(\.self)
        let heads = [
            "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nX: y\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n",
        ]
        let server = try LoopbackServer { _ in .flood(head: Array(heads[kind].utf8), chunk: chunk) }
        #expect(try await failure(TransferRequest(url: "http://127.0.0.1:\(server.port)/")) == .notHTTP)
    }

    @Test("A blank or line break in the method or URL is refused", arguments: ["/a b", "/a\r\nX: y", "/\u{7F}"])
    func brokenTarget(target: String) async throws {
        #expect(try await failure(TransferRequest(url: "http://127.0.0.1:1" + target)) == .badRequest)
        #expect(try await failure(TransferRequest("GET\r\n", url: "http://127.0.0.1:1/")) == .badRequest)
    }

    @Test("Closing the client ends what is under way, and later requests at once")
    func closing() async throws {
        let server = try LoopbackServer { _ in .nothing }
        let client = makeClient()
        let request = TransferRequest(url: "http://127.0.0.1:\(server.port)/")
        let sending = Task { try await client.send(request) }
        try await server.requests.wait { $0.count == 1 }
        client.close()
        for task in [sending, Task { try await client.send(request) }] {
            let failure = await #expect(throws: TransferError.self) { try await task.value }
            #expect(failure?.kind == .cancelled)
        }
        await server.waitUntilClosed()
    }

    @Test("A sender that is cancelled returns at once, and its connection ends")
    func cancelled() async throws {
        let server = try LoopbackServer { _ in .nothing }
        try await withClient { (client) async throws in
            let sending = Task { try await client.send(TransferRequest(url: "http://127.0.0.1:\(server.port)/")) }
            try await server.requests.wait { $0.count == 1 }
            sending.cancel()
            let failure = await #expect(throws: TransferError.self) { try await sending.value }
            #expect(failure?.kind == .cancelled)
            await server.waitUntilClosed()
        }
    }

    @Test("Idle connections are closed after a while, and the next request gets a new one")
    func idle() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        var settings = TransferClient.Settings()
        settings.idleTimeout = .milliseconds(50)
        try await withClient(settings) { (client) async throws in
            let request = TransferRequest(url: "http://127.0.0.1:\(server.port)/")
            for count in 1...3 {
                #expect(try await client.send(request).status == 200)
                await server.waitUntilClosed()
                #expect(server.connections == count)
            }
        }
    }

    @Test("The parts of a response come as they arrive")
    func parts() async throws {
        let server = try LoopbackServer { _ in
            .flood(head: Array("HTTP/1.1 200 OK\r\nX-A: b\r\n\r\n".utf8), chunk: Array(repeating: 0x61, count: 1 << 20))
        }
        try await withClient { (client) async throws in
            let (bytes, heads) = (AwaitableValue(0), AwaitableValue<Set<String?>>([]))
            let sending = Task {
                try await client.send(TransferRequest(url: "http://127.0.0.1:\(server.port)/", maximumSize: .max)) {
                    head, part in
                    heads.update { _ = $0.insert(head.first("X-A")) }
                    bytes.update { $0 += part.count }
                }
            }
            try await bytes.wait { $0 > 10_000_000 }
            #expect(heads.value == ["b"])
            sending.cancel()
            _ = await sending.result
        }
    }
}
