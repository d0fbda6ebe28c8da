import Foundation
import TestSupport
import Testing
import WorklightProject

@testable import BackEndHTTP

@Suite struct BackEndRequestTests {
    private func received(_ request: BackEndRequest) async throws -> LoopbackServer.Request {
        let server = try LoopbackServer { _ in .ok("") }
        let outcome = try await TestBackEnd(port: server.port).send(request)
        #expect(outcome.status == 200, "\(outcome.message)")
        return try #require(server.requests.value.first)
    }

    @Test(
        "sends the path as written, and encodes characters that would break the request line",
        arguments: [
            ("/a|b[c]{d}%zz?q=\"<x>\"&r=a+b%20c", "/a|b[c]{d}%zz?q=\"<x>\"&r=a+b%20c"), ("a//b/../c", "/a//b/../c"),
            ("", "/"), ("/a b\r\nX: 1", "/a%20b%0D%0AX:%201"), ("/é", "/%C3%A9"), ("//x", "//x"), ("/a#b", "/a#b"),
        ])
    func path(_ path: String, _ target: String) async throws {
        #expect(try await received(BackEndRequest(method: "GET", path: path)).line == "GET \(target) HTTP/1.1")
    }

    @Test("Parameters of a GET go into the query as a form would put them") func query() async throws {
        let request = try BackEndRequest(method: "get", path: "/p", parameters: [("a b", "é&="), ("c", "*-._~\r\n")])
        #expect(try await received(request).line == "GET /p?a+b=%C3%A9%26%3D&c=*-._%7E%0D%0A HTTP/1.1")
    }

    @Test("Parameters follow an existing query") func longerQuery() async throws {
        let request = try BackEndRequest(method: "delete", path: "/p?x=1", parameters: [("y", "2")])
        #expect(try await received(request).line == "DELETE /p?x=1&y=2 HTTP/1.1")
    }

    @Test("Parameters of a POST without body are a form") func form() async throws {
        let request = try BackEndRequest(method: "post", path: "/p", parameters: [("a", "1 2")])
        let got = try await received(request)
        #expect(got.line == "POST /p HTTP/1.1")
        #expect(got.body == "a=1+2")
        #expect(got.header("Content-Type") == "application/x-www-form-urlencoded; charset=utf-8")
    }

    @Test("A body is sent in the charset of its type") func body() async throws {
        let body = BackEndRequest.Body(contentType: "text/plain; charset=iso-8859-1", content: "é€")
        let got = try await received(BackEndRequest(method: "put", path: "/", body: body))
        #expect(got.header("Content-Length") == "2")
        #expect(got.header("Content-Type") == "text/plain; charset=iso-8859-1")
    }

    @Test("Headers and cookies are sent, the transport's own are not") func headers() async throws {
        let request = try BackEndRequest(
            method: "get", path: "/",
            headers: [("X-A", "b"), ("Content-Length", "5"), ("Transfer-Encoding", "chunked")],
            cookies: [("a", "1"), ("b", "2")])
        let got = try await received(request)
        #expect(got.header("X-A") == "b")
        #expect(got.header("Cookie") == "a=1; b=2")
        #expect(got.header("Transfer-Encoding") == nil)
        #expect(got.header("Lamplighter-Request-Target") == nil)
    }

    @Test("A response to HEAD has no body") func head() async throws {
        let server = try LoopbackServer { _ in
            .keep(Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Type: application/json\r\n\r\n".utf8))
        }
        #expect(
            try await TestBackEnd(port: server.port).send(BackEndRequest(method: "head", path: "/")).content == .empty)
    }

    @Test("204 has no body") func noContent() async throws {
        let server = try LoopbackServer { _ in .keep(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)) }
        let outcome = try await TestBackEnd(port: server.port).get()
        #expect(outcome.content == .empty)
        #expect(outcome.status == 204)
    }

    @Test(
        "Cookies of a response that a script sends back arrive as pairs, without attributes",
        arguments: [
            ("a=1; Path=/; HttpOnly, b=2; Expires=Wed, 09 Jun 2027 10:18:14 GMT, c=3; Secure", "a=1; b=2; c=3"),
            ("JSESSIONID=0001:x; Path=/; Domain=example.com; Max-Age=5; SameSite=Lax", "JSESSIONID=0001:x"),
            ("x=1; y=2", "x=1; y=2"), ("x=1,z=3; y=", "x=1,z=3; y="),
        ])
    func sentBack(text: String, pairs: String) async throws {
        let server = try LoopbackServer { _ in .ok("x") }
        _ = try await TestBackEnd(port: server.port).send(
            BackEndRequest(method: "get", path: "/", headers: [("Cookie", text)]))
        #expect(server.requests.value.first?.headers("Cookie") == [pairs])
    }

    @Test("A header that comes twice is joined") func joined() async throws {
        let outcome = try await answer(
            Array("x".utf8), type: "text/plain", headers: "A: 1\r\na: 2\r\nSet-Cookie: b=1\r\nSet-Cookie: c=2\r\n")
        guard case .response(let response) = outcome else { throw BackEndRequestError("test", outcome.message) }
        #expect(response.head.headers.first { $0.name == "A" }?.value == "1, 2")
        #expect(response.head.headers.first { $0.name == "Set-Cookie" }?.value == "b=1, c=2")
        #expect(response.head.statusReason == "OK")
        #expect(response.totalTime >= response.head.responseTime)
    }

    @Test("An invalid request names its option") func refused() {
        let body = BackEndRequest.Body(contentType: "text/plain", content: "")
        func option(_ make: () throws -> BackEndRequest) -> String? {
            do { _ = try make() } catch { return (error as? BackEndRequestError)?.option }
            return nil
        }
        #expect(option { try BackEndRequest(method: "trace", path: "/") } == "method")
        #expect(option { try BackEndRequest(method: "get", path: "/", body: body) } == "body")
        #expect(option { try BackEndRequest(method: "get", path: "/", headers: [("a:", "b")]) } == "headers")
        #expect(
            option { try BackEndRequest(method: "get", path: "/", headers: [("a", "b\r\nc: d")]) } == "headers['a']")
        #expect(option { try BackEndRequest(method: "get", path: "/", cookies: [("a", "b\nc")]) } == "cookies['a']")
        #expect(option { try BackEndRequest(method: "get", path: "/", cookies: [("a", "b; c=d")]) } == "cookies['a']")
        #expect(
            option { try BackEndRequest(method: "post", path: "/", body: .init(contentType: "a\nb", content: "")) }
                == "body.contentType")
        #expect(
            option { try BackEndRequest(method: "get", path: "/", returnedContentEncoding: "klingon") }
                == "returnedContentEncoding")
        #expect(
            option { try BackEndRequest(method: "get", path: "/", socketTimeout: .zero) }
                == "socketTimeoutInMilliseconds")
    }
}
