import Gateway
import NIOHTTP1
import Testing
import Transport

@Suite("Attacks on what is for back ends and for developers")
struct BackEndAttacks {
    /// As with a proxy before the server, on the same machine or not.
    private static let marks = [
        "X-Forwarded-For: 127.0.0.1", "X-Forwarded-For: 203.0.113.9", "Forwarded: for=127.0.0.1", "Via: 1.1 proxy",
        "X-Real-IP: 127.0.0.1", "X-Forwarded-Proto: https", "x-forwarded-host: localhost",
    ]

    @Test("What is for this machine only is not for who comes through a proxy", arguments: WireProtocol.cases(marks))
    func proxied(mark: String, version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            for (method, target) in [
                ("GET", "/dev/invoke?adapter=A&procedure=echo"), ("POST", "/authorization/v1/testtoken"),
            ] {
                let answer = try await server.sendRaw(method, target, headers: [mark])
                #expect(answer.hasPrefix("HTTP/1.1 404"))
                #expect(!answer.contains("Bearer ey") && !answer.contains("isSuccessful\": true"))
            }
            let invoke = try await server.sendRaw("GET", "/invoke?adapter=A&procedure=echo", headers: [mark])
            #expect(invoke.hasPrefix("HTTP/1.1 401"))
            let adapter = try await server.sendRaw("GET", "/adapters/A/echo", headers: [mark])
            #expect(adapter.hasPrefix("HTTP/1.1 401"))
        }
    }

    @Test(
        "Another machine is no developer's, whatever a trusted proxy's client says of itself",
        arguments: WireProtocol.allCases)
    func trusted(version: WireProtocol) async throws {
        let proxies = try TrustedProxies(["127.0.0.1"])
        try await RunningServer.attacked(over: version, change: { $0.trustedProxies = proxies }) {
            (server) async throws in
            let answer = try await server.sendRaw(
                "GET", "/dev/invoke?adapter=A&procedure=echo", headers: ["X-Forwarded-For: 127.0.0.1"])
            #expect(answer.hasPrefix("HTTP/1.1 404"))
        }
    }

    @Test("A page from somewhere else, open in a developer's browser, calls nothing", arguments: WireProtocol.allCases)
    func foreignPage(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            for mark in ["Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site"] {
                for target in [
                    "/invoke?adapter=A&procedure=echo", "/dev/invoke?adapter=A&procedure=echo", "/adapters/A/echo",
                ] {
                    let answer = try await server.sendRaw("POST", target, headers: [mark])
                    #expect(!answer.hasPrefix("HTTP/1.1 200"), "\(mark) \(target)")
                }
            }
        }
    }

    @Test("A page whose server's name was made to lead to this machine (DNS rebinding) calls nothing")
    func rebinding() async throws {
        try await RunningServer.attacked { (server) async throws in
            for host in [
                "evil.example", "evil.example:\(server.port)", "localhost.evil.example", "127.0.0.1.evil.example",
            ] {
                for target in ["/invoke?adapter=A&procedure=echo", "/dev/invoke?adapter=A&procedure=echo"] {
                    let answer = try await RawConnection(to: server).exchange(
                        "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
                    ).answer
                    #expect(!answer.hasPrefix("HTTP/1.1 200"), "\(host) \(target)")
                }
            }
        }
    }

    @Test(
        "A developer is let in by this machine's own names", arguments: ["localhost", "127.0.0.1", "[::1]", "10.0.2.2"])
    func ownNames(host: String) async throws {
        try await RunningServer.attacked { (server) async throws in
            let answer = try await RawConnection(to: server).exchange(
                """
                GET /invoke?adapter=A&procedure=echo HTTP/1.1\r
                Host: \(host):\(server.port)\r
                Origin: http://\(host):\(server.port)\r
                Sec-Fetch-Site: same-origin\r
                Connection: close\r
                \r

                """
            ).answer
            #expect(answer.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test(
        "Credentials that are not those of a back end are refused",
        arguments: WireProtocol.cases([
            "Bearer wrong", "Bearer ", "Bearer right-token-x", "bearer right-token", "right-token",
            // back:wrong, wrong:right-password, :, back
            "Basic YmFjazp3cm9uZw==", "Basic d3Jvbmc6cmlnaHQtcGFzc3dvcmQ=", "Basic Og==", "Basic YmFjaw==", "Basic x",
        ]))
    func wrong(header: String, version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version, change: Self.keys) { (server) async throws in
            for target in ["/invoke?adapter=A&procedure=ofForms", "/adapters/A/ofForms"] {
                let answer = try await server.sendRaw("POST", target, headers: ["Authorization: \(header)"])
                #expect(answer.hasPrefix("HTTP/1.1 401"))
            }
        }
    }

    @Test("A cookie beside wrong credentials makes a client, not a back end", arguments: WireProtocol.allCases)
    func withCookie(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version, change: Self.keys) { (server) async throws in
            let answer = try await server.sendRaw(
                "POST", "/invoke?adapter=A&procedure=ofForms",
                headers: ["Authorization: Bearer wrong", "Cookie: JSESSIONID=x"])
            #expect(answer.hasPrefix("HTTP/1.1 401"))
            #expect(answer.contains("WL-Composite-Challenge"))
        }
    }

    @Test(
        "The right credentials are let in",
        arguments: WireProtocol.cases(["Bearer right-token", "Basic YmFjazpyaWdodC1wYXNzd29yZA=="]))
    func right(header: String, version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version, change: Self.keys) { (server) async throws in
            for target in ["/invoke?adapter=A&procedure=echo", "/adapters/A/echo"] {
                let answer = try await server.sendRaw("POST", target, headers: ["Authorization: \(header)"])
                #expect(answer.hasPrefix("HTTP/1.1 200"))
            }
        }
    }

    @Test(
        "Where no keys are set, empty ones open nothing",
        arguments: WireProtocol.cases(["Bearer ", "Bearer", "Basic Og=="]))
    func empty(header: String, version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let answer = try await server.sendRaw(
                "POST", "/invoke?adapter=A&procedure=ofForms", headers: ["Authorization: \(header)"])
            #expect(!answer.contains("HTTP/1.1 200"))
        }
    }

    @Test(
        "A name that ends the page's elements early stays text",
        arguments: WireProtocol.cases([
            "<script>alert(1)</script>", "\u{600}<script>alert(1)</script>", "</textarea><script>alert(1)</script>",
        ]))
    func page(name: String, version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let text = WireClient.encoded(name)
            for query in ["adapter=\(text)&procedure=run", "adapter=A&procedure=echo&parameters=%5B%22\(text)%22%5D"] {
                let answer = try await server.sendRaw("GET", "/dev/invoke?\(query)")
                #expect(answer.hasPrefix("HTTP/1.1 200"))
                #expect(!answer.utf8Contains("<script>"))
                #expect(!answer.utf8Contains("\u{600}</textarea>"))
            }
        }
    }

    private static func keys(_ settings: inout InstallationSettings) {
        settings.backEnds.token = "right-token"
        settings.backEnds.user = "back"
        settings.backEnds.password = "right-password"
    }
}

extension String {
    /// Whether the bytes are there, even where a reader of whole characters would see others.
    fileprivate func utf8Contains(_ other: String) -> Bool { Array(utf8).firstRange(of: Array(other.utf8)) != nil }
}
