import Dispatch
import Foundation
import Logging
import NIOCore
import NIOPosix
import TestSupport
import Testing
import WorklightProject

@testable import BackEndHTTP

@Suite struct KeptConnectionTests {
    /// A back end that closes the connection on its second request without an answer.
    private func closingServer() throws -> LoopbackServer {
        try LoopbackServer { $0.number == 1 ? .close([]) : .ok("ok") }
    }

    @Test(
        "An idempotent request is sent again when the kept connection closes without an answer",
        arguments: ["get", "head", "options", "put", "delete"])
    func idempotent(method: String) async throws {
        let server = try closingServer()
        let backEnd = try TestBackEnd(port: server.port)
        _ = try await backEnd.get()
        let body = method == "put" ? BackEndRequest.Body(contentType: "text/plain", content: "b") : nil
        let outcome = try await backEnd.send(BackEndRequest(method: method, path: "/second", body: body))
        #expect(outcome.status == 200, "\(outcome.message)")
        #expect(server.requests.value.map(\.line).filter { $0.contains("/second") }.count == 2)
        #expect(server.requests.value.last?.body == (body?.content ?? ""))
        #expect(server.connections == 2)
    }

    @Test(
        "POST and PATCH are not sent again when the back end may have worked on them",
        arguments: ["post", "patch"])
    func notIdempotent(method: String) async throws {
        let server = try closingServer()
        let backEnd = try TestBackEnd(port: server.port)
        _ = try await backEnd.get()
        let message = try await backEnd.send(BackEndRequest(method: method, path: "/second")).message
        #expect(message.contains("closed the connection without an answer"))
        #expect(server.requests.value.count == 2)
    }

    @Test("A POST with an Idempotency-Key is sent again, with the same key") func idempotencyKey() async throws {
        let server = try closingServer()
        let backEnd = try TestBackEnd(port: server.port)
        _ = try await backEnd.get()
        let request = try BackEndRequest(method: "post", path: "/", headers: [("idempotency-key", "k1")])
        #expect(await backEnd.send(request).text == "ok")
        #expect(server.requests.value.dropFirst().map { $0.header("Idempotency-Key") } == ["k1", "k1"])
    }

    @Test("A new connection that closes without an answer is a failure at once", arguments: ["get", "post"])
    func newConnection(method: String) async throws {
        let server = try LoopbackServer { _ in .close([]) }
        let backEnd = try TestBackEnd(port: server.port)
        let message = try await backEnd.send(BackEndRequest(method: method, path: "/")).message
        #expect(message.contains("closed the connection without an answer"))
        #expect(server.requests.value.count == 1)
    }

    @Test("A request is not sent again once the answer has begun") func begun() async throws {
        let server = try LoopbackServer {
            $0.number == 1 ? .close(Array("HTTP/1.1 200".utf8)) : .ok("ok")
        }
        let backEnd = try TestBackEnd(port: server.port)
        _ = try await backEnd.get()
        #expect(try await backEnd.get().message.hasPrefix("Http request failed: "))
        #expect(server.requests.value.count == 2)
    }

    @Test(
        "A request of any method is sent on a new connection when the kept one is closed already",
        arguments: ["post", "get"])
    func alreadyClosed(method: String) async throws {
        let server = try LoopbackServer { _ in .ok("ok") }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let backEnd = try TestBackEnd(port: server.port, group: group)
        let body = method == "post" ? BackEndRequest.Body(contentType: "text/plain", content: "b") : nil
        let request = try BackEndRequest(method: method, path: "/", body: body)
        #expect(await backEnd.send(request).text == "ok")
        // The back end closes while the client's event loop is busy, which so finds out only when it sends.
        let mayGoOn = DispatchSemaphore(value: 0)
        group.next().execute { mayGoOn.wait() }
        await server.closeConnections()
        let outcome = await backEnd.send(
            request,
            isGivenUp: {
                // Asked first when the request waits for the event loop.
                mayGoOn.signal()
                return false
            })
        #expect(outcome.text == "ok", "\(outcome.message)")
        #expect(server.requests.value.count == 2)
        #expect(server.connections == 2)
        backEnd.backEnd.close()
        try await group.shutdownGracefully()
    }

    @Test("Bodies go over a kept connection whose event loop is not that of the request") func otherLoop() async throws
    {
        let server = try LoopbackServer { _ in .ok("ok") }
        // AsyncHTTPClient gives each request the next loop, and uses the connection that is there.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let backEnd = try TestBackEnd(port: server.port, group: group)
        let body = BackEndRequest.Body(contentType: "text/plain", content: "b")
        for _ in 0..<6 {
            #expect(try await backEnd.send(BackEndRequest(method: "post", path: "/", body: body)).text == "ok")
        }
        #expect(server.connections == 1)
        backEnd.backEnd.close()
        try await group.shutdownGracefully()
    }

    @Test("A back end that closes after each answer without a word fails no GET") func silentlyClosing() async throws {
        let server = try LoopbackServer { _ in .close(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)) }
        let backEnd = try TestBackEnd(port: server.port)
        for _ in 0..<50 { #expect(try await backEnd.get().text == "ok") }
    }

    @Test("A connection is not kept longer than the idle timeout") func idleTimeout() async throws {
        let server = try LoopbackServer { _ in .ok("ok") }
        var policy = HTTPConnectionPolicy()
        policy.domain = "127.0.0.1"
        policy.port = server.port
        let backEnd = try HTTPBackEnd(
            policy: policy, eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: Logger(label: "test"),
            idleTimeout: .milliseconds(1))
        let request = try BackEndRequest(method: "get", path: "/")
        await Task.detached { _ = backEnd.send(request, cookies: CookieJar(), deadline: .seconds(120)) }.value
        await server.waitUntilClosed()
        backEnd.close()
    }
}
