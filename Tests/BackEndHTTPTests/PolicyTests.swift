import Foundation
import Synchronization
import TestSupport
import Testing
import WorklightProject

@testable import BackEndHTTP

@Suite struct PolicyTests {
    static func redirect(to location: String, status: String = "302 Found", headers: String = "")
        -> LoopbackServer.Reply
    {
        .keep(Array("HTTP/1.1 \(status)\r\nLocation: \(location)\r\n\(headers)Content-Length: 0\r\n\r\n".utf8))
    }

    @Test("A redirect after POST becomes GET", arguments: ["302 Found", "303 See Other"])
    func postBecomesGet(_ status: String) async throws {
        let server = try LoopbackServer {
            $0.line.hasPrefix("POST") ? Self.redirect(to: "next?a=b", status: status) : .ok("x")
        }
        let outcome = try await TestBackEnd(port: server.port).send(
            BackEndRequest(method: "post", path: "/a/b", parameters: [("c", "d")]))
        #expect(outcome.text == "x")
        #expect(server.requests.value.map(\.line) == ["POST /a/b HTTP/1.1", "GET /a/next?a=b HTTP/1.1"])
        #expect(server.requests.value.last?.header("Content-Type") == nil)
    }

    @Test("A 307 keeps method and body") func keepsPost() async throws {
        let server = try LoopbackServer { request in
            request.line.contains("/next") ? .ok("x") : Self.redirect(to: "/next", status: "307 Temporary Redirect")
        }
        _ = try await TestBackEnd(port: server.port).send(
            BackEndRequest(method: "post", path: "/", parameters: [("c", "d")]))
        #expect(server.requests.value.last?.line == "POST /next HTTP/1.1")
        #expect(server.requests.value.last?.body == "c=d")
    }

    @Test("A redirect in a circle ends as a failure") func circle() async throws {
        let server = try LoopbackServer { Self.redirect(to: $0.line.contains("/a") ? "/b" : "/a") }
        #expect(try await TestBackEnd(port: server.port).get("/a").message.contains("in a circle"))
    }

    @Test("More redirects than the policy allows are a failure") func tooMany() async throws {
        let server = try LoopbackServer { Self.redirect(to: ($0.line.split(separator: " ")[1]) + "x") }
        let message = try await TestBackEnd(port: server.port) { $0.maxRedirects = 3 }.get("/").message
        #expect(message.contains("more than 3 redirects"))
        #expect(server.requests.value.count == 4)
    }

    @Test("Another server gets no credentials and no cookies") func strangers() async throws {
        let stranger = try LoopbackServer { _ in .ok("x") }
        let server = try LoopbackServer { _ in Self.redirect(to: "http://localhost:\(stranger.port)/") }
        let backEnd = try TestBackEnd(port: server.port, redirectHosts: ["localhost"]) {
            $0.authentication = HTTPAuthentication(scheme: .basic, username: "u", password: "p")
        }
        let outcome = try await backEnd.send(
            BackEndRequest(method: "get", path: "/", headers: [("X-A", "1")], cookies: [("secret", "1")]))
        #expect(outcome.text == "x")
        #expect(server.requests.value.first?.header("Authorization") == "Basic dTpw")
        #expect(stranger.requests.value.first?.header("Authorization") == nil)
        #expect(stranger.requests.value.first?.header("Cookie") == nil)
        #expect(stranger.requests.value.first?.header("X-A") == "1")
    }

    @Test("A redirect to another host or port is not followed, and the failure names the setting")
    func elsewhere() async throws {
        let stranger = try LoopbackServer { _ in .ok("x") }
        for host in ["localhost", "127.0.0.1"] {
            let server = try LoopbackServer { _ in Self.redirect(to: "http://\(host):\(stranger.port)/") }
            let outcome = try await TestBackEnd(port: server.port, redirectHosts: ["localhost:1"]).get("/")
            #expect(outcome.message.contains("'\(host):\(stranger.port)' in the setting backEnds.redirectHosts"))
        }
        #expect(stranger.requests.value.isEmpty)
        let server = try LoopbackServer { _ in Self.redirect(to: "http://localhost:\(stranger.port)/") }
        let outcome = try await TestBackEnd(port: server.port, redirectHosts: ["localhost:\(stranger.port)"]).get("/")
        #expect(outcome.text == "x")
    }

    @Test("A cookie is sent back, for its jar only") func cookies() async throws {
        let server = try LoopbackServer { _ in .ok("x", headers: "Set-Cookie: sid=1; Path=/\r\n") }
        let backEnd = try TestBackEnd(port: server.port)
        _ = try await backEnd.get()
        _ = try await backEnd.get()
        _ = try await backEnd.get(jar: CookieJar())
        #expect(server.requests.value.map { $0.header("Cookie") } == [nil, "sid=1", nil])
    }

    @Test("IGNORE_COOKIES keeps none") func ignoredCookies() async throws {
        let server = try LoopbackServer { _ in .ok("x", headers: "Set-Cookie: sid=1\r\n") }
        let backEnd = try TestBackEnd(port: server.port) { $0.cookiePolicy = .ignore }
        _ = try await backEnd.get()
        _ = try await backEnd.get()
        #expect(server.requests.value.last?.header("Cookie") == nil)
    }

    /// The second message of NTLM, with a challenge of eight bytes and no information about the target.
    private static let ntlmChallenge: String = {
        var message = Array("NTLMSSP\0".utf8) + [2, 0, 0, 0] + [0, 0, 0, 0, 48, 0, 0, 0] + [0x05, 0x82, 0x08, 0x00]
        message += Array("12345678".utf8) + [UInt8](repeating: 0, count: 8) + [0, 0, 0, 0, 48, 0, 0, 0]
        return Data(message).base64EncodedString()
    }()

    @Test("NTLM goes through its three messages on one connection, and the body is sent with the last one")
    func ntlm() async throws {
        let server = try LoopbackServer { request in
            let text = request.header("Authorization")?.split(separator: " ").last.map(String.init) ?? ""
            let message = Data(base64Encoded: text).map { Array($0) } ?? []
            switch message.count > 8 ? message[8] : 0 {
            case 3: return .ok("x")
            case 1:
                return .ok("", status: "401 Unauthorized", headers: "WWW-Authenticate: NTLM \(Self.ntlmChallenge)\r\n")
            default: return .ok("", status: "401 Unauthorized", headers: "WWW-Authenticate: NTLM\r\n")
            }
        }
        let backEnd = try TestBackEnd(port: server.port) {
            $0.authentication = HTTPAuthentication(scheme: .ntlm, username: "u", password: "p")
        }
        let body = BackEndRequest.Body(contentType: "text/plain", content: "b")
        let outcome = try await backEnd.send(BackEndRequest(method: "post", path: "/", body: body))
        #expect(outcome.text == "x", "\(outcome.message)")
        #expect(server.requests.value.map(\.body).filter { !$0.isEmpty } == ["b"])
        #expect(server.connections == 1)
    }

    @Test("A digest challenge is met, and its nonce used again") func digest() async throws {
        let server = try LoopbackServer { request in
            if request.header("Authorization")?.hasPrefix("Digest ") == true { return .ok("x") }
            return .ok(
                "", status: "401 Unauthorized",
                headers:
                    "WWW-Authenticate: Basic realm=\"x\", Digest realm=\"r\", nonce=\"n\", qop=\"auth,auth-int\"\r\n")
        }
        let backEnd = try TestBackEnd(port: server.port) {
            $0.authentication = HTTPAuthentication(scheme: .digest, username: "u", password: "p")
        }
        #expect(try await backEnd.get().text == "x")
        #expect(try await backEnd.get("/2").text == "x")
        #expect(server.requests.value.count == 3)
        #expect(server.requests.value.last?.header("Authorization")?.contains("nc=00000002") == true)
    }

    @Test("A stale nonce is replaced") func stale() async throws {
        let server = try LoopbackServer { request in
            if request.header("Authorization")?.contains("nonce=\"new\"") == true { return .ok("x") }
            let isFirst = request.header("Authorization") == nil
            let challenge = isFirst ? "nonce=\"old\"" : "nonce=\"new\", stale=true"
            return .ok(
                "", status: "401 Unauthorized",
                headers: "WWW-Authenticate: Digest realm=\"r\", qop=\"auth\", \(challenge)\r\n")
        }
        let backEnd = try TestBackEnd(port: server.port) {
            $0.authentication = HTTPAuthentication(scheme: .digest, username: "u", password: "p")
        }
        #expect(try await backEnd.get().text == "x")
    }

    @Test("A wrong password ends with the 401") func wrongPassword() async throws {
        let server = try LoopbackServer { _ in
            .ok("no", status: "401 Unauthorized", headers: "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\"\r\n")
        }
        let backEnd = try TestBackEnd(port: server.port) {
            $0.authentication = HTTPAuthentication(scheme: .digest, username: "u", password: "p")
        }
        #expect(try await backEnd.get().status == 401)
        #expect(server.requests.value.count == 2)
    }

    @Test("A proxy forwards http and gets its own credentials") func proxy() async throws {
        let proxy = try LoopbackServer { _ in .ok("through") }
        let backEnd = try TestBackEnd(port: 81) {
            $0.domain = "back.example"
            $0.proxy = HTTPProxy(
                host: "127.0.0.1", port: proxy.port,
                authentication: HTTPAuthentication(scheme: .basic, username: "u", password: "p"))
        }
        #expect(try await backEnd.get("/a|b").text == "through")
        let request = try #require(proxy.requests.value.first)
        #expect(request.line == "GET http://back.example:81/a|b HTTP/1.1")
        #expect(request.header("Host") == "back.example:81")
        #expect(request.header("Proxy-Authorization") == "Basic dTpw")
    }

    @Test("A proxy with digest authentication gets a digest")
    func proxyDigest() async throws {
        let proxy = try LoopbackServer { request in
            guard request.header("Proxy-Authorization")?.hasPrefix("Digest ") != true else { return .ok("through") }
            return .ok(
                "", status: "407 Proxy Authentication Required",
                headers: "Proxy-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\"\r\n")
        }
        let backEnd = try TestBackEnd(port: 81) {
            $0.domain = "back.example"
            $0.proxy = HTTPProxy(
                host: "127.0.0.1", port: proxy.port,
                authentication: HTTPAuthentication(scheme: .digest, username: "u", password: "p"))
        }
        let outcome = try await backEnd.get()
        #expect(outcome.text == "through", "\(outcome.message)")
    }

    @Test("The environment names no proxy for back ends", arguments: ["http_proxy", "all_proxy"])
    func environment(variable: String) async throws {
        setenv(variable, "http://127.0.0.1:1", 1)
        defer { unsetenv(variable) }
        let server = try LoopbackServer { _ in .ok("x") }
        #expect(try await TestBackEnd(port: server.port).get().text == "x")
    }

    @Test("The environment does not lead past the adapter's proxy") func noProxy() async throws {
        setenv("no_proxy", "*", 1)
        defer { unsetenv("no_proxy") }
        let proxy = try LoopbackServer { _ in .ok("through") }
        let backEnd = try TestBackEnd(port: 81) {
            $0.domain = "back.example"
            $0.proxy = HTTPProxy(host: "127.0.0.1", port: proxy.port)
        }
        #expect(try await backEnd.get().text == "through")
    }

    @Test("64 calls share 4 connections") func limit() async throws {
        let server = try LoopbackServer { .ok(String($0.line.split(separator: " ")[1])) }
        let backEnd = try TestBackEnd(port: server.port) { $0.maxConcurrentConnections = 4 }
        let right = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<64 { group.addTask { try await backEnd.get("/\(index)").text == "/\(index)" } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(right == 64)
        #expect(server.connections <= 4)
    }

    @Test("A wait for a free connection ends without one at the deadline") func noPlace() async throws {
        let slots = ConnectionSlotPool(count: 1, idleTimeout: .noLimit)
        let slot = try #require(try await slots.take(for: nil, until: .now + .seconds(1), .onThread))
        #expect(try await slots.take(for: nil, until: .now + .milliseconds(20), .onThread) == nil)
        slots.give(slot, for: nil, isKept: false)
        #expect(try await slots.take(for: nil, until: .now + .milliseconds(20), .onThread) != nil)
    }
}
