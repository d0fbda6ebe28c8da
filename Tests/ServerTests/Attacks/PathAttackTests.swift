import Core
import TestSupport
import Testing

@Suite("Attacks by paths and methods")
struct PathAttackTests {
    private static let tricks = [
        "..", ".", "%2e%2e", "%2E.", "%2f", "%5c", "\\", "%00", "%0a", "%252e%252e", "%", "%zz", "%c0%ae%c0%ae", "%ff",
        "",
    ]

    @Test("A path with a trick in any of its segments is not found", arguments: WireProtocol.allCases)
    func segments(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            for trick in version.some(of: Self.tricks) {
                let paths = [
                    ["apps", "services", "api", "App", "desktopbrowser", "init"], ["apps", "services", "reach"],
                    ["invoke"],
                    ["dev", "invoke"], ["adapters", "A", "echo"], ["authorization", "v1", "token"],
                ]
                for path in paths {
                    for index in path.indices {
                        var replaced = path
                        replaced[index] = trick
                        var inserted = path
                        inserted.insert(trick, at: index)
                        for segments in [replaced, inserted] {
                            let target = "/" + segments.joined(separator: "/") + "?adapter=A&procedure=echo"
                            let answer = try await server.sendRaw("GET", target)
                            let status = answer.dropFirst(9).prefix(3)
                            // The server may also refuse the target as invalid, or report an unknown name.
                            // The top has its own page, which calls nothing.
                            let isRefused =
                                ["404", "400", "401"].contains(status) || answer.contains("there is no ")
                                || answer.contains(#"{"name":"Lamplighter""#)
                            #expect(isRefused, "\(target): \(answer)")
                            #expect(!answer.contains("root:") && !answer.contains("WL-Instance-Id"), "\(trick)")
                        }
                    }
                }
            }
        }
    }

    @Test(
        "A guarded procedure is not reached by another spelling of its path",
        arguments: WireProtocol.allCases)
    func spellings(version: WireProtocol) async throws {
        let cases: [String] = [
            "/adapters/A/ofForms;x=1", "/adapters;x/A;y/ofForms", "/adapters/A/%6ffForms", "/adapters/%41/of%46orms",
            "/adapters//A/ofForms", "/adapters/A/ofForms/", "/adapters/A/echo%2f..%2fofForms", "//adapters/A/ofForms",
            "/adapters/A/echo/../ofForms", "/Adapters/A/ofForms", "/adapters/A/ofForms%20",
            "/adapters/A/ofForms?x=/echo",
        ]
        try await RunningServer.attacked(over: version) { (server) async throws in
            for path in version.some(of: cases) {
                let answer = try await server.sendRaw("GET", path)
                let isRefused = ["401", "404"].contains(answer.dropFirst(9).prefix(3))
                #expect(isRefused || answer.contains("there is no "), "\(answer)")
                #expect(!answer.contains(#""user""#), "\(path)")
            }
        }
    }

    @Test("The management interface is not reached by another spelling of its path", arguments: WireProtocol.allCases)
    func management(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            for path in [
                "/management/v1/subscriptions", "/management//v1/subscriptions", "//management/v1/subscriptions",
                "/management/v1/subscriptions/", "/apps/../management/v1/subscriptions",
                "/management/v1/%73ubscriptions", "/management/v1/subscriptions;x", "/MANAGEMENT/v1/subscriptions",
            ] {
                let answer = try await server.sendRaw("GET", path)
                #expect(["401", "404"].contains(answer.dropFirst(9).prefix(3)), "\(path)")
            }
        }
    }

    @Test("A path of ten thousand segments is refused, and the server stays up")
    func long() async throws {
        try await RunningServer.attacked { (server) async throws in
            let target = String(repeating: "/a", count: 7_500)
            #expect(try await server.sendRaw("GET", target).hasPrefix("HTTP/1.1 404"))
            let longer = String(repeating: "/a", count: 10_000)
            #expect(try await server.sendRaw("GET", longer).hasPrefix("HTTP/1.1 414"))
            #expect(try await server.sendRaw("GET", "/apps/services/reach").hasSuffix("OK"))
        }
    }

    @Test(
        "Unexpected methods have no effect",
        arguments: ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "FOO"])
    func methods(method: String) async throws {
        try await RunningServer.attacked { (server) async throws in
            let mark = "secret-of-a-header"
            for target in [
                "/invoke?adapter=A&procedure=echo", "/adapters/A/echo", "/dev/invoke?adapter=A&procedure=echo",
                "/apps/services/api/App/desktopbrowser/init", "/apps/services/reach", "/authorization/v1/token",
            ] {
                let answer = try await server.sendRaw(method, target, headers: ["X-Mark: \(mark)"])
                // The parser itself refuses a method that nobody has heard of.
                #expect(answer.hasPrefix(method == "FOO" ? "HTTP/1.1 400" : "HTTP/1.1 405"), "\(target)")
                #expect(!answer.contains(mark))
                #expect(!answer.contains(#""got""#))
                #expect(!answer.lowercased().contains("access-control-allow"))
            }
        }
    }

    @Test(
        "HEAD gets no body, so that nothing is taken for the next response",
        arguments: WireProtocol.allCases)
    func head(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            for target in ["/invoke?adapter=A&procedure=echo", "/apps/services/reach", "/nothing", "/health/live"] {
                let answer = try await server.sendRaw("HEAD", target)
                #expect(answer.hasSuffix("\r\n\r\n"), "\(target)")
            }
        }
    }

    @Test("CONNECT makes no proxy of the server")
    func connect() async throws {
        try await RunningServer.attacked { (server) async throws in
            let answer = try await RawClient(port: server.port).exchange(
                "CONNECT 127.0.0.1:\(server.port) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n\r\n"
            )
            #expect(!answer.hasPrefix("HTTP/1.1 2"))
        }
    }

    @Test("The proxy of old clients does not fetch", arguments: WireProtocol.allCases)
    func proxy(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let url = PercentEncoding.encode(server.url + "/health/live")
            let answer = try await server.sendRaw("GET", "/apps/services/api/App/desktopbrowser/proxy?url=\(url)")
            #expect(answer.hasPrefix("HTTP/1.1 404"))
            #expect(!answer.contains("live"))
        }
    }
}
