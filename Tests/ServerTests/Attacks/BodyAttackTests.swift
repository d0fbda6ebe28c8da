import Core
import TestSupport
import Testing

@testable import Installation

@Suite("Attacks by bodies, and by requests that proxies read differently", .serialized)
struct BodyAttackTests {
    private static let large = String(repeating: "x", count: 100_000)

    @Test(
        "Bodies of requests without a login are kept up to a limit, logged-in users' are exempt",
        .defaultTimeLimit, arguments: WireProtocol.allCases)
    func budget(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version, change: { $0.mostBodyBytes = 64 << 10 }) {
            (server) async throws in
            let parameters = PercentEncoding.encode(#"["\#(Self.large)"]"#)
            let form = "adapter=A&procedure=echo&parameters="
            let refused = try await server.sendRaw("POST", "/invoke", body: form + parameters)
            #expect(refused.hasPrefix("HTTP/1.1 503"))
            #expect(refused.lowercased().contains("retry-after: 5\r\n"))
            #expect(refused.contains(#""errorCode":"UNEXPECTED_ERROR","errorMsg":"the server holds too many bodies"#))
            let key = "Authorization: Bearer \(try server.developmentKey)"
            let short = try await server.sendRaw("POST", "/invoke", headers: [key], body: form + "%5B%22short%22%5D")
            #expect(short.contains(#""got":["short"]"#))
            // A session alone, which anybody can have, changes nothing.
            let client = WireClient(server)
            try await client.act("init")
            #expect(try await client.call("echo", #"["\#(Self.large)"]"#).status == 503)
            try await client.call("ofForms")
            try await client.logIn("ann", "right-ann-secret")
            #expect(try await client.call("ofForms")["user"]?.string == "ann")
            #expect(try await client.call("echo", #"["\#(Self.large)"]"#).text.contains(Self.large))
        }
    }

    @Test("An unchecked login does not exempt a body from the limit", arguments: WireProtocol.allCases)
    func uncheckedLogin(version: WireProtocol) async throws {
        var files = AttackedProject.files
        files["server/conf/authenticationConfig.xml"] = files["server/conf/authenticationConfig.xml"]?.replacing(
            #"<realm name="Basic" loginModule="Users">"#, with: #"<realm name="Basic" loginModule="Believing">"#)
        try await RunningServer.run(files: files, over: version, change: { $0.mostBodyBytes = 64 << 10 }) {
            (server) async throws in
            let client = WireClient(server)
            // x:y
            client.headers = [("Authorization", "Basic eDp5")]
            #expect(try await client.call("ofBasic")["user"] == "x")
            #expect(try await client.call("echo", #"["\#(Self.large)"]"#).status == 503)
        }
    }

    @Test("A body that is too long is refused before it is sent, with an error that apps can read")
    func expected() async throws {
        try await RunningServer.attacked(change: { $0.longestRequest = 1 << 20 }) { (server) async throws in
            for (path, error) in [
                ("/invoke", #""errorMsg":"the request is longer than 1048576 bytes (limits.request)""#),
                (
                    "/apps/services/loguploader",
                    #""errorMsg":"the request is longer than 1048576 bytes (limits.request)""#
                ),
                ("/management/v1/messages", #""errors":["the request is longer than 1048576 bytes (limits.request)"]"#),
            ] {
                let answer = try await RawClient(port: server.port).exchange(
                    "POST \(path) HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1048577\r\n\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 413"))
                #expect(answer.contains(error), "\(answer)")
            }
        }
    }

    @Test(
        "The first of a parameter's values counts, in the query before the body",
        arguments: WireProtocol.allCases)
    func doubled(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let query = "/invoke?adapter=A&procedure=echo&parameters=%5B1%5D&parameters=%5B2%5D&procedure=kept"
            let key = "Authorization: Bearer \(try server.developmentKey)"
            #expect(try await server.sendRaw("GET", query, headers: [key]).contains(#""got":[1]"#))
            let answer = try await server.sendRaw(
                "POST", query, headers: [key], body: "adapter=B&parameters=%5B3%5D")
            #expect(answer.contains(#""got":[1]"#))
        }
    }

    @Test("Load balancers get the server's health by GET, HEAD and OPTIONS", arguments: WireProtocol.allCases)
    func health(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            for path in ["/health/live", "/health/ready"] {
                for method in ["GET", "HEAD", "OPTIONS"] {
                    let answer = try await server.sendRaw(method, path)
                    #expect(answer.hasPrefix("HTTP/1.1 200"), "\(method) \(path)")
                    #expect(answer.lowercased().contains("allow: get, head, options\r\n"))
                    #expect(answer.hasSuffix("\r\n\r\n") == (method == "HEAD"))
                }
                #expect(try await server.sendRaw("POST", path).hasPrefix("HTTP/1.1 404"))
            }
        }
    }
}
