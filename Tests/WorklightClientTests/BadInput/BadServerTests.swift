import Foundation
import TestSupport
import Testing
import WorklightClient

@Suite("Servers that are away, wrong or broken", .defaultTimeLimit)
struct BadServerTests {
    private static let connected = LoopbackServer.Reply.json(#"{"userInfo":{}}"#)

    @Test("fails at once with UNRESPONSIVE_HOST if no server runs")
    func away() async throws {
        let settings = WorklightSettings(
            host: "127.0.0.1", port: closedPort, applicationID: "A", requestTimeout: .noLimit)
        let failure = try await SDKTestClient(settings).failure { $0.wlConnect(with: $1) }
        #expect(failure.errorCode == WLErrorCodeUnresponsiveHost)
        #expect(failure.errorMsg.contains("cannot be reached"))
        #expect(failure.status == nil)
    }

    @Test("fails with UNRESPONSIVE_HOST for an unknown host name")
    func noName() async throws {
        let settings = WorklightSettings(host: "nobody.invalid", port: 80, applicationID: "A")
        let failure = try await SDKTestClient(settings).failure { $0.wlConnect(with: $1) }
        #expect(failure.errorCode == WLErrorCodeUnresponsiveHost)
    }

    @Test("fails with REQUEST_TIMEOUT if the server does not respond")
    func silent() async throws {
        let server = try LoopbackServer { $0.number == 0 ? Self.connected : .nothing }
        let client = try server.client()
        try await client.connect()
        let failure = try await client.invoke("p", options: ["timeout": 150]).failure()
        #expect(failure.errorCode == WLErrorCodeRequestTimeout)
    }

    @Test("fails with REQUEST_TIMEOUT if only the head arrives in time")
    func slowBody() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n/*-secure-\n{"
        let server = try LoopbackServer { $0.number == 0 ? Self.connected : .keep(Array(head.utf8)) }
        let client = try server.client()
        try await client.connect()
        let failure = try await client.invoke("p", options: ["timeout": 150]).failure()
        #expect(failure.errorCode == WLErrorCodeRequestTimeout)
    }

    @Test("fails with UNRESPONSIVE_HOST if the connection breaks within the response")
    func broken() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n/*-secure-\n{"
        let server = try LoopbackServer { $0.number == 0 ? Self.connected : .close(Array(head.utf8)) }
        let client = try server.client()
        try await client.connect()
        let failure = try await client.invoke("p").failure()
        #expect(failure.errorCode == WLErrorCodeUnresponsiveHost)
    }

    @Test("HTML instead of JSON fails the connect, and the error says so")
    func html() async throws {
        let server = try LoopbackServer { _ in .html("<h1>It works!</h1>") }
        let failure = try await server.client().failure { $0.wlConnect(with: $1) }
        #expect(failure.errorCode == WLErrorCodeUnexpectedError)
        #expect(failure.errorMsg.contains("text/html"))
        #expect(failure.responseText == "<h1>It works!</h1>")
    }

    @Test("HTML instead of a procedure's result: PROCEDURE_ERROR, as the original has it")
    func htmlForProcedure() async throws {
        let server = try LoopbackServer { $0.number == 0 ? Self.connected : .html("<h1>It works!</h1>") }
        let client = try server.client()
        try await client.connect()
        let failure = try await client.invoke("p").failure()
        #expect(failure.errorCode == WLErrorCodeProcedureError)
        #expect(failure.errorMsg.contains("not a JSON object"))
    }

    @Test(
        "A truncated wrapper is not a success",
        arguments: [
            "/*-secure-\n{\"isSuccessful\":true,\"a\":{\"b\":1", "/*-secure-\n", "", "*/", "}{",
            "/*-secure-\n{\"isSuccessful\":tr}*/",
        ])
    func truncated(body: String) async throws {
        let server = try LoopbackServer {
            $0.number == 0 ? Self.connected : .http(200, "application/json", body)
        }
        let client = try server.client()
        try await client.connect()
        let failure = try await client.invoke("p").failure()
        #expect(failure.errorCode == WLErrorCodeProcedureError)
        #expect(failure.invocationResult == nil)
        #expect(failure.responseText == body)
    }

    @Test("Arrays and bare values at the top are not a response", arguments: ["[1]", "7", "null"])
    func noObject(body: String) async throws {
        let server = try LoopbackServer { _ in .json(body) }
        let failure = try await server.client().failure { $0.wlConnect(with: $1) }
        #expect(failure.errorCode == WLErrorCodeUnexpectedError)
    }

    @Test("A redirect is not followed: UNEXPECTED_ERROR, with its target", arguments: [301, 302, 307])
    func redirect(status: Int) async throws {
        let target = try LoopbackServer { _ in Self.connected }
        let server = try LoopbackServer { _ in
            .http(status, "text/html", "moved", ["Location: http://127.0.0.1:\(target.port)/wl/"])
        }
        let failure = try await server.client().failure { $0.wlConnect(with: $1) }
        #expect(failure.errorCode == WLErrorCodeUnexpectedError)
        #expect(failure.errorMsg.contains("redirects to http://127.0.0.1:\(target.port)/wl/"))
        #expect(target.requests.value.isEmpty)
    }

    @Test("A response that is not HTTP fails")
    func noHTTP() async throws {
        let server = try LoopbackServer { _ in .close(Array("220 mail.example.com ESMTP\r\n".utf8)) }
        let failure = try await server.client().failure { $0.wlConnect(with: $1) }
        #expect(failure.status == nil)
    }

    @Test("A challenge without challenges fails", arguments: ["{}", #"{"challenges":7}"#, "<html>"])
    func emptyChallenge(body: String) async throws {
        let server = try LoopbackServer { _ in
            .json(body, status: 401, headers: ["WWW-Authenticate: WL-Composite-Challenge"])
        }
        let failure = try await server.client().failure { $0.wlConnect(with: $1) }
        #expect(failure.errorMsg.contains("without its object 'challenges'"))
        #expect(failure.status == "401")
    }

    @Test("401 of another kind is a failure like any other")
    func otherChallenge() async throws {
        let server = try LoopbackServer { _ in
            .json(#"{"errorMsg":"log in first"}"#, status: 401, headers: ["WWW-Authenticate: Basic realm=\"x\""])
        }
        let failure = try await server.client().failure { $0.wlConnect(with: $1) }
        #expect(failure.errorMsg.contains("log in first"))
        #expect(server.requests.value.count == 1)
    }

    @Test("A call that is cancelled ends, and leaves the client usable")
    func cancelled() async throws {
        let server = try LoopbackServer { request in
            switch request.number {
            case 0: Self.connected
            case 1: .nothing
            default: .json(#"{"isSuccessful":true}"#)
            }
        }
        let client = try server.client().client
        try await client.connect()
        let call = Task { try await client.invoke("a", "p", timeout: nil) }
        try await server.requests.wait { $0.count == 2 }
        call.cancel()
        await #expect(throws: WLError.self) { try await call.value }
        #expect(try await client.invoke("a", "p").status == 200)
    }
}
