import Core
import HTTPTransfer
import NIOCore
import NIOHTTP1
import PushSandbox
import TestSupport
import Testing

@testable import Push

@Suite("The HTTP client of a transport", .defaultTimeLimit)
struct ServiceClientTests {
    private func withClient<Result>(
        _ settings: ServiceClient.Settings = .patient(), proxy: EgressProxy? = nil,
        body: (ServiceClient) async throws -> Result
    ) async throws -> Result {
        let client = try ServiceClient.plain(settings, proxy: proxy)
        do {
            let result = try await body(client)
            await client.close()
            return result
        } catch {
            await client.close()
            throw error
        }
    }

    private func failure(
        of url: String, _ settings: ServiceClient.Settings = .patient(), proxy: EgressProxy? = nil
    ) async throws -> ServiceRequestError? {
        try await withClient(settings, proxy: proxy) { (client) async throws in
            await #expect(throws: ServiceRequestError.self) { _ = try await client.send(TransferRequest(url: url)) }
        }
    }

    /// Starts a server that closes the connection within the body of its response.
    private func brokenOff(_ status: String) throws -> LoopbackServer {
        try LoopbackServer { _ in .close(Array("HTTP/1.1 \(status)\r\nContent-Length: 100\r\n\r\nhalf".utf8)) }
    }

    @Test("A response comes whole, with its status and headers")
    func answer() async throws {
        let server = try LoopbackServer { _ in
            .status(418, headers: ["X-WNS-Status": "dropped"], "short and stout")
        }
        let answer = try await withClient {
            try await $0.send(TransferRequest(url: "http://127.0.0.1:\(server.port)/"))
        }
        #expect(answer.status == 418)
        #expect(answer.headers.first(name: "x-wns-status") == "dropped")
        #expect(answer.text == "short and stout")
    }

    @Test("returns only the status of a response that is too long")
    func longAnswer() async throws {
        let server = try LoopbackServer { _ in .status(200, String(repeating: "x", count: 65537)) }
        let answer = try await withClient {
            try await $0.send(TransferRequest(url: "http://127.0.0.1:\(server.port)/"))
        }
        #expect(answer.status == 200)
        #expect(answer.body.readableBytes == 0)
    }

    @Test("A message that was taken stays taken when the connection ends before the body does")
    func brokenSuccess() async throws {
        let server = try brokenOff("200 OK")
        let answer = try await withClient {
            try await $0.send(TransferRequest(url: "http://127.0.0.1:\(server.port)/"))
        }
        #expect(answer.status == 200)
    }

    @Test("An error whose body breaks off is not a response")
    func brokenFailure() async throws {
        let server = try brokenOff("400 Bad Request")
        #expect(try await failure(of: "http://127.0.0.1:\(server.port)/")?.kind == .unreachable)
    }

    @Test("A host that does not offer HTTP/2 gets HTTP/1.1, from the first request on")
    func http1() async throws {
        try await LocalPushService.run({ _ in .status(200) }) { server in
            let client = try ServiceClient.plain(trustRoots: WebPushServiceCertificate.certificate)
            let url = "https://localhost:\(server.port)/"
            for _ in 1...3 { #expect(try await client.send(TransferRequest(url: url)).status == 200) }
            #expect(server.connections == 1)
            await client.close()
        }
    }

    @Test("Requests at once share one connection of HTTP/2")
    func http2() async throws {
        try await ServiceBench.run { bench in
            let client = try ServiceClient.plain(trustRoots: bench.sandbox.rootCertificate)
            let url = "https://localhost:\(bench.sandbox.httpPort)/v1/projects/sandbox/messages:send"
            await withTaskGroup(of: Void.self) { group in
                let request = TransferRequest("POST", url: url, body: Array("{}".utf8))
                for _ in 1...50 { group.addTask { _ = try? await client.send(request) } }
            }
            let arrivals = bench.sandbox.arrivals(of: .fcm)
            #expect(arrivals.count == 50 && Set(arrivals.map(\.connection)) == [1])
            await client.close()
        }
    }

    @Test("Redirects are not followed")
    func redirect() async throws {
        let server = try LoopbackServer { _ in .status(302, headers: ["Location": "/elsewhere"]) }
        let answer = try await withClient {
            try await $0.send(TransferRequest(url: "http://127.0.0.1:\(server.port)/"))
        }
        #expect(answer.status == 302)
        #expect(server.requests.value.count == 1)
    }

    @Test("A service that does not respond in time fails as timed out")
    func timeout() async throws {
        let server = try LoopbackServer { _ in .nothing }
        let failure = try await failure(
            of: "http://127.0.0.1:\(server.port)/", .patient(requestTimeout: .milliseconds(200)))
        #expect(failure?.kind == .timedOut)
    }

    @Test("A service that is not running cannot be reached, at once")
    func unreachable() async throws {
        let failure = try await failure(of: "http://127.0.0.1:\(closedPort)/")
        #expect(failure?.kind == .unreachable)
        #expect(failure?.reason.hasPrefix("FCM cannot be reached: ") == true)
    }

    @Test("A sender who loses interest is let go at once")
    func cancelled() async throws {
        let server = try LoopbackServer { _ in .nothing }
        try await withClient { (client) async throws in
            let sending = Task { try await client.send(TransferRequest(url: "http://127.0.0.1:\(server.port)/")) }
            try await server.requests.wait { $0.count == 1 }
            sending.cancel()
            let failure = await #expect(throws: ServiceRequestError.self) { _ = try await sending.value }
            #expect(failure?.kind == .cancelled)
        }
    }

    @Test("A service that does not use TLS is reported as such")
    func noTLS() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let failure = try await failure(of: "https://127.0.0.1:\(server.port)/")
        #expect(failure?.kind == .unreachable)
        #expect(failure?.reason.contains("TLS") == true)
    }
}
