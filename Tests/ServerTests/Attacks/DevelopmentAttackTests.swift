import Foundation
import HTTPServer
import Logging
import NIOHTTP1
import TestSupport
import Testing

@testable import Installation

@Suite("Attacks on what is open in development mode")
struct DevelopmentAttackTests {
    /// The targets for programs on this machine.
    private static let targets = [
        ("GET", "/invoke?adapter=A&procedure=echo"), ("POST", "/invoke?adapter=A&procedure=echo"),
        ("GET", "/adapters/A/echo"), ("GET", "/dev/invoke?adapter=A&procedure=echo"),
        ("POST", "/authorization/v1/testtoken"),
    ]

    /// Header fields of pages in browsers.
    private static let marks = [
        "Origin: http://evil.example", "Origin: null", "Origin: http://localhost.evil.example",
        "Referer: http://evil.example/page", "Referer: http://evil@localhost/", "Referer: file:///tmp/page.html",
        "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site",
    ]

    /// Returns whether a response has content for developers.
    private static func isOpen(_ answer: String) -> Bool {
        answer.hasPrefix("HTTP/1.1 200") || answer.contains("Bearer ey") || answer.contains(#""got""#)
    }

    private static func open(_ settings: inout InstallationSettings) { settings.isDevelopmentOpen = true }

    @Test("opens no route on this machine without the key", arguments: WireProtocol.any)
    func withoutKey(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let key = try server.developmentKey
            let wrong = [
                [], ["Authorization: Bearer \(key)x"], ["Authorization: Bearer \(key.dropLast())"],
                ["Authorization: \(key)"], ["Authorization: Bearer "],
                ["Authorization: Bearer \(server.note.managementKey)"],
            ]
            for (method, target) in Self.targets {
                for headers in wrong {
                    let answer = try await server.sendRaw(method, target, headers: headers)
                    #expect(!Self.isOpen(answer), "\(method) \(target) \(headers)")
                }
            }
        }
    }

    @Test("opens everything to a caller with the data folder's key", arguments: WireProtocol.any)
    func withKey(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let key = "Authorization: Bearer \(try server.developmentKey)"
            for (method, target) in Self.targets {
                #expect(Self.isOpen(try await server.sendRaw(method, target, headers: [key])), "\(method) \(target)")
            }
            // It passes every test, as a back end's key does.
            let guarded = try await server.sendRaw("POST", "/invoke?adapter=A&procedure=ofNobody", headers: [key])
            #expect(guarded.contains(#""reached":true"#))
        }
    }

    @Test("names the missing key to a program on this machine")
    func hint() async throws {
        try await RunningServer.attacked { (server) async throws in
            for (method, target) in Self.targets {
                let answer = try await server.sendRaw(method, target)
                #expect(answer.hasPrefix("HTTP/1.1 401"), "\(target)")
                #expect(answer.contains("development-key") && answer.contains("development.open"))
                #expect(!answer.contains(try server.developmentKey))
            }
        }
    }

    @Test(
        "is closed to requests that a page of another site sent, even with the key or development.open",
        arguments: WireProtocol.any)
    func marked(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version, change: Self.open) { (server) async throws in
            let key = "Authorization: Bearer \(try server.developmentKey)"
            for (method, target) in Self.targets {
                #expect(Self.isOpen(try await server.sendRaw(method, target)), "\(target)")
            }
            for (index, mark) in Self.marks.enumerated() {
                // Each connection of HTTP/2 costs a handshake, and what is behind is the same.
                let (method, target) = Self.targets[index % Self.targets.count]
                for headers in version == .http1 ? [[mark], [mark, key]] : [[mark, key]] {
                    let answer = try await server.sendRaw(method, target, headers: headers)
                    #expect(!Self.isOpen(answer), "\(target) \(mark) \(headers.count)")
                }
            }
        }
    }

    /// Requests whose target is a whole URL, with the host of their header.
    private static let wholeURLs: [(origin: String, host: String, isOpen: Bool)] = [
        ("http://evil.example", "localhost", false), ("HTTP://evil.example:80", "127.0.0.1", false),
        ("https://evil.example", "localhost", false), ("ws://evil.example", "localhost", false),
        ("http://localhost@evil.example", "localhost", false), ("http://", "localhost", false),
        ("http://localhost,evil.example", "localhost", false), ("http://evil.example%2f@localhost", "localhost", false),
        ("http://localhost", "localhost", true), ("http://localhost:10080", "evil.example", true),
        ("HTTP://127.0.0.1", "evil.example", true),
    ]

    @Test("uses the host of a target that is a whole URL, and ignores the header", arguments: wholeURLs)
    func wholeURL(origin: String, host: String, isOpen: Bool) async throws {
        try await RunningServer.attacked(change: Self.open) { (server) async throws in
            for (method, target) in Self.targets {
                let answer = try await server.sendRaw(method, origin + target, host: host, headers: [])
                #expect(Self.isOpen(answer) == isOpen, "\(target)")
            }
        }
    }

    @Test("uses the authority over HTTP/2, where a path is never a whole URL")
    func wholeURLAsPath() async throws {
        try await RunningServer.attacked(over: .http2, change: Self.open) { (server) async throws in
            for (method, target) in Self.targets {
                for (origin, host) in [("http://evil.example", "localhost"), ("http://localhost", "evil.example")] {
                    let answer = try await server.sendRaw(method, origin + target, host: host, headers: [])
                    #expect(answer.hasPrefix("HTTP/1.1 400"), "\(target) \(origin)")
                }
            }
        }
    }

    @Test("is closed to a client elsewhere that a trusted proxy names, even with the key", arguments: WireProtocol.any)
    func trustedProxy(version: WireProtocol) async throws {
        let proxies = try TrustedProxies(["127.0.0.1"])
        try await RunningServer.attacked(over: version, change: { $0.trustedProxies = proxies }) {
            (server) async throws in
            let headers = ["X-Forwarded-For: 203.0.113.9", "Authorization: Bearer \(try server.developmentKey)"]
            for (method, target) in Self.targets {
                #expect(!Self.isOpen(try await server.sendRaw(method, target, headers: headers)), "\(target)")
            }
        }
    }

    @Test(
        "is closed under names that others can have, as with DNS rebinding",
        arguments: WireProtocol.allCases)
    func foreignName(version: WireProtocol) async throws {
        let cases: [String] = [
            "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.2.2", "192.168.1.1:10080",
            "0.0.0.0",
            "[::ffff:10.0.0.1]", "evil.localhost", "localhost:", "localhost:x", "localhost:123456", "127.1", "::1", "",
        ]
        try await RunningServer.attacked(over: version, change: Self.open) { (server) async throws in
            for host in version.some(of: cases) {
                for (method, target) in Self.targets {
                    let answer = try await server.sendRaw(method, target, host: host, headers: [])
                    #expect(!Self.isOpen(answer), "\(host) \(target)")
                }
            }
        }
    }

    @Test(
        "is open under this machine's own names, also to its own page",
        arguments: WireProtocol.allCases)
    func ownName(version: WireProtocol) async throws {
        let cases: [String] = ["localhost", "LOCALHOST", "127.0.0.1", "127.8.9.10", "[::1]"]
        try await RunningServer.attacked(over: version) { (server) async throws in
            for name in version.some(of: cases) {
                let key = "Authorization: Bearer \(try server.developmentKey)"
                for host in [name, "\(name):\(server.port)"] {
                    let page = [
                        "Origin: http://\(host)", "Referer: http://\(host)/page", "Sec-Fetch-Site: same-origin", key,
                    ]
                    for (method, target) in Self.targets {
                        let answer = try await server.sendRaw(method, target, host: host, headers: page)
                        #expect(Self.isOpen(answer), "\(target)")
                    }
                }
            }
        }
    }

    @Test("has a key that only its owner can read, that no other installation has, and that stays over restarts")
    func keyFile() async throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let keys = AwaitableValue<[String]>([])
        for folder in [folder, folder, other] {
            try await RunningServer.run(files: AttackedProject.files, in: folder) { (server) async throws in
                let file = server.installation.settings.dataFolder.appending(path: "development-key")
                let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
                keys.update { try? $0.append(server.developmentKey) }
            }
        }
        #expect(keys.value.count == 3 && keys.value[0] == keys.value[1] && keys.value[0] != keys.value[2])
        #expect(keys.value[0].wholeMatch(of: /[0-9a-f]{64}/) != nil)
    }

    @Test("makes no key in production, and takes none", arguments: WireProtocol.any)
    func production(version: WireProtocol) async throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "a", count: 64), to: ".lamplighter/development-key")
        try await RunningServer.run(
            files: AttackedProject.production, in: folder, over: version,
            change: {
                $0.mode = .production
                $0.isDevelopmentOpen = true
            }
        ) { (server) async throws in
            let key = "Authorization: Bearer \(String(repeating: "a", count: 64))"
            for (method, target) in Self.targets {
                for headers in [[], [key]] {
                    #expect(!Self.isOpen(try await server.sendRaw(method, target, headers: headers)), "\(target)")
                }
            }
        }
    }

    @Test("has no clients in production without applications", arguments: WireProtocol.any)
    func noClients(version: WireProtocol) async throws {
        try await RunningServer.run(
            files: AttackedProject.production, over: version, change: { $0.mode = .production }
        ) { (server) async throws in
            let client = WireClient(server, device: "phone-1")
            #expect(try await client.act("init").status == 404)
            #expect(try await client.call("echo").status == 404)
            let invoked = try await client.send(
                "/invoke", [("adapter", "A"), ("procedure", "echo"), ("parameters", "[]")])
            #expect(invoked.status == 403 && invoked.text.contains("only back ends may call"))
        }
    }

    @Test("refuses the key from a page of another site as such")
    func foreignPageWithKey() async throws {
        let folder = try TemporaryFolder()
        try await RunningServer.run(files: AttackedProject.files, in: folder) { (server) async throws in
            let file = folder.path(".lamplighter/development-key")
            let key = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
            let answer = try await server.sendRaw(
                "GET", "/invoke?adapter=A&procedure=echo&parameters=[]",
                headers: ["Authorization: Bearer \(key)", "Origin: https://example.com"])
            #expect(answer.contains("a page of another site sent this request"), "\(answer)")
        }
    }

    @Test("logs at the start who may call")
    func startLog() async throws {
        for (isOpen, mode) in [
            (false, InstallationSettings.Mode.development), (true, .development), (true, .production),
        ] {
            let log = LogRecorder()
            try await RunningServer.run(
                files: mode == .production ? AttackedProject.production : AttackedProject.files, log: log,
                change: {
                    $0.mode = mode
                    $0.isDevelopmentOpen = isOpen
                }
            ) { _ in }
            let said = log.messages(at: .notice).joined(separator: "\n")
            #expect(said.contains("no back end may call /invoke and /adapters"), "\(said)")
            let clients =
                mode == .production ? "there are no clients" : "every client may call procedures and subscribe"
            #expect(said.contains(clients), "\(said)")
            #expect(said.contains("development-key") == (mode == .development))
            let warned = log.messages(at: .warning).contains { $0.hasPrefix("development.open is set") }
            #expect(warned == (isOpen && mode == .development))
        }
    }
}
