import Foundation
import TestSupport
import Testing
import WorklightProject

@testable import BackEndHTTP

@Suite struct KeptConnectionTests {
    /// Starts a back end that closes the connection on its second request without a response.
    private func closingServer() throws -> LoopbackServer {
        try LoopbackServer { $0.number == 1 ? .close([]) : .ok("ok") }
    }

    @Test(
        "An idempotent request is sent again when the kept connection closes without a response",
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
        #expect(message.contains("closed the connection without a response"))
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

    @Test("A new connection that closes without a response is a failure at once", arguments: ["get", "post"])
    func newConnection(method: String) async throws {
        let server = try LoopbackServer { _ in .close([]) }
        let backEnd = try TestBackEnd(port: server.port)
        let message = try await backEnd.send(BackEndRequest(method: method, path: "/")).message
        #expect(message.contains("closed the connection without a response"))
        #expect(server.requests.value.count == 1)
    }

    @Test("A POST is not sent again once the response has begun") func begun() async throws {
        let server = try LoopbackServer {
            $0.number == 1 ? .close(Array("HTTP/1.1 200".utf8)) : .ok("ok")
        }
        let backEnd = try TestBackEnd(port: server.port)
        _ = try await backEnd.get()
        let body = BackEndRequest.Body(contentType: "text/plain", content: "b")
        let message = try await backEnd.send(BackEndRequest(method: "post", path: "/", body: body)).message
        #expect(message.hasPrefix("Http request failed: "))
        #expect(server.requests.value.count == 2)
    }

    @Test(
        "A request of any method is sent on a new connection when the kept one is closed already",
        arguments: ["post", "get"])
    func alreadyClosed(method: String) async throws {
        let server = try LoopbackServer { _ in .ok("ok") }
        let backEnd = try TestBackEnd(port: server.port)
        let body = method == "post" ? BackEndRequest.Body(contentType: "text/plain", content: "b") : nil
        let request = try BackEndRequest(method: method, path: "/", body: body)
        #expect(await backEnd.send(request).text == "ok")
        await server.closeConnections()
        let outcome = await backEnd.send(request)
        #expect(outcome.text == "ok", "\(outcome.message)")
        #expect(server.requests.value.count == 2)
        #expect(server.connections == 2)
    }

    @Test("A POST without a body has a new connection") func postWithoutBody() async throws {
        let server = try LoopbackServer { _ in .ok("ok") }
        let backEnd = try TestBackEnd(port: server.port)
        for _ in 0..<3 { _ = try await backEnd.send(BackEndRequest(method: "post", path: "/")) }
        #expect(server.connections == 3)
    }

    @Test("A back end that closes silently after each response fails no GET") func silentlyClosing() async throws {
        let server = try LoopbackServer { _ in .close(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)) }
        let backEnd = try TestBackEnd(port: server.port)
        for _ in 0..<50 { #expect(try await backEnd.get().text == "ok") }
    }

    @Test("A back end that closes kept connections at random fails no GET and gets no POST twice")
    func randomlyClosing() async throws {
        let server = try LoopbackServer { _ in
            let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
            return Int.random(in: 0..<10) == 0 ? .close(answer) : .keep(answer)
        }
        let backEnd = try TestBackEnd(port: server.port) { $0.maxConcurrentConnections = 4 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for number in 0..<2500 {
                        let outcome = try await backEnd.get()
                        #expect(outcome.text == "ok", "\(outcome.message)")
                        guard number.isMultiple(of: 10) else { continue }
                        let body = BackEndRequest.Body(contentType: "text/plain", content: "\(worker) \(number)")
                        _ = try await backEnd.send(BackEndRequest(method: "post", path: "/", body: body))
                    }
                }
            }
            try await group.waitForAll()
        }
        let posts = server.requests.value.filter { $0.method == "POST" }.map(\.body)
        #expect(posts.count == Set(posts).count)
        #expect(posts.count > 500)
    }

    @Test("Connections that no call has taken for the idle timeout are closed when another call ends")
    func idleTimeout() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            guard request.target == "/held" else { return .ok("ok") }
            return .later {
                try? await gate.pass()
                return .ok("held")
            }
        }
        let backEnd = try TestBackEnd(port: server.port, idleTimeout: .zero)
        async let held = backEnd.get("/held")
        try await gate.arrivals(1)
        #expect(try await backEnd.get().text == "ok")
        gate.open()
        #expect(try await held.text == "held")
        #expect(server.connections == 2)
        #expect(backEnd.backEnd.slots.idleCount == 1)
    }

    @Test(
        "One user's call leaves no data for the next one over the same connection",
        arguments: ["get", "post", "put"])
    func nothingStays(method: String) async throws {
        let server = try LoopbackServer { _ in .ok("ok") }
        let backEnd = try TestBackEnd(port: server.port)
        let (ann, bob) = (CookieJar(), CookieJar())
        let body = method == "get" ? nil : BackEndRequest.Body(contentType: "text/plain", content: "ann's")
        let full = try BackEndRequest(
            method: method, path: "/a?secret=ann", headers: [("Authorization", "Basic YW5u"), ("X-User", "ann")],
            cookies: [("session", "ann")], body: body)
        // Again and again, so that the last ones find everything of their kind set.
        for _ in 0..<3 { #expect(await backEnd.send(full, jar: ann).text == "ok") }
        #expect(try await backEnd.send(BackEndRequest(method: method, path: "/b"), jar: bob).text == "ok")
        #expect(try await backEnd.get("/c", jar: bob).text == "ok")
        // A POST without a body never takes a kept connection, and one with a body none that was last used a second ago.
        #expect((method == "post" ? 2...4 : 1...1).contains(server.connections))
        for bare in server.requests.value.suffix(2) {
            #expect(!bare.line.contains("ann"))
            for name in ["Authorization", "X-User", "Cookie"] { #expect(bare.header(name) == nil) }
            #expect(bare.body.isEmpty)
        }
        #expect(server.requests.value.prefix(3).allSatisfy { $0.body == (body?.content ?? "") })
    }
}
