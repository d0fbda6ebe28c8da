import Core
import HTTPServer
import NIOHTTP1
import Testing

@testable import Installation

@Suite("Attacks on what is for back ends and for developers")
struct BackEndAttackTests {
    @Test(
        "Credentials that are not those of a back end are refused",
        arguments: WireProtocol.allCases)
    func wrong(version: WireProtocol) async throws {
        let cases: [String] = [
            "Bearer wrong", "Bearer ", "Bearer right-token-x", "bearer right-token", "right-token",
            // back:wrong, wrong:right-password, :, back
            "Basic YmFjazp3cm9uZw==", "Basic d3Jvbmc6cmlnaHQtcGFzc3dvcmQ=", "Basic Og==", "Basic YmFjaw==", "Basic x",
        ]
        try await RunningServer.attacked(over: version, change: Self.keys) { (server) async throws in
            for header in version.some(of: cases) {
                for target in ["/invoke?adapter=A&procedure=ofForms", "/adapters/A/ofForms"] {
                    let answer = try await server.sendRaw("POST", target, headers: ["Authorization: \(header)"])
                    #expect(answer.hasPrefix("HTTP/1.1 401"), "\(header)")
                }
            }
        }
    }

    @Test("A cookie beside wrong credentials makes a client, not a back end", arguments: WireProtocol.any)
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
        "The right credentials are accepted",
        arguments: WireProtocol.allCases)
    func right(version: WireProtocol) async throws {
        let cases: [String] = ["Bearer right-token", "Basic YmFjazpyaWdodC1wYXNzd29yZA=="]
        try await RunningServer.attacked(over: version, change: Self.keys) { (server) async throws in
            for header in version.some(of: cases) {
                for target in ["/invoke?adapter=A&procedure=echo", "/adapters/A/echo"] {
                    let answer = try await server.sendRaw("POST", target, headers: ["Authorization: \(header)"])
                    #expect(answer.hasPrefix("HTTP/1.1 200"), "\(header)")
                }
            }
        }
    }

    @Test(
        "A page of another site cannot call with a browser's automatic credentials",
        arguments: WireProtocol.allCases)
    func crossSite(version: WireProtocol) async throws {
        let cases: [String] = [
            "Origin: http://evil.example", "Referer: http://evil.example/page", "Origin: null",
            "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site",
        ]
        try await RunningServer.attacked(over: version, change: Self.keys) { (server) async throws in
            for mark in version.some(of: cases) {
                for target in ["/invoke?adapter=A&procedure=echo", "/adapters/A/echo"] {
                    let basic = "Authorization: Basic YmFjazpyaWdodC1wYXNzd29yZA=="
                    let answer = try await server.sendRaw("POST", target, headers: [basic, mark])
                    #expect(answer.hasPrefix("HTTP/1.1 403"), "\(answer)")
                }
            }
        }
    }

    @Test(
        "Empty keys are refused where no keys are set",
        arguments: WireProtocol.allCases)
    func empty(version: WireProtocol) async throws {
        let cases: [String] = ["Bearer ", "Bearer", "Basic Og=="]
        try await RunningServer.attacked(over: version) { (server) async throws in
            for header in version.some(of: cases) {
                let answer = try await server.sendRaw(
                    "POST", "/invoke?adapter=A&procedure=ofForms", headers: ["Authorization: \(header)"])
                #expect(!answer.contains("HTTP/1.1 200"), "\(header)")
            }
        }
    }

    @Test(
        "A name that ends the page's elements early stays escaped",
        arguments: WireProtocol.allCases)
    func page(version: WireProtocol) async throws {
        let cases: [String] = [
            "<script>alert(1)</script>", "\u{600}<script>alert(1)</script>", "</textarea><script>alert(1)</script>",
        ]
        try await RunningServer.attacked(over: version) { (server) async throws in
            for name in version.some(of: cases) {
                let text = PercentEncoding.encode(name)
                let key = "Authorization: Bearer \(try server.developmentKey)"
                for query in [
                    "adapter=\(text)&procedure=run", "adapter=A&procedure=echo&parameters=%5B%22\(text)%22%5D",
                ] {
                    let answer = try await server.sendRaw("GET", "/dev/invoke?\(query)", headers: [key])
                    #expect(answer.hasPrefix("HTTP/1.1 200"), "\(name)")
                    #expect(!answer.utf8Contains("<script>"), "\(name)")
                    #expect(!answer.utf8Contains("\u{600}</textarea>"), "\(name)")
                }
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
    /// Returns whether the bytes occur, even where a reader of whole characters would see others.
    fileprivate func utf8Contains(_ other: String) -> Bool { Array(utf8).firstRange(of: Array(other.utf8)) != nil }
}
