import Foundation
import HTTPTransfer
import TestSupport
import Testing

@testable import Push

@Suite("Proxies on the way out", .defaultTimeLimit)
struct ServiceProxyTests {
    private static let login = EgressProxy.Login(user: "ann", password: "pass:wörd")

    private func send(
        through proxy: EgressProxy, to url: String, http2: Bool = true, count: Int = 1
    ) async throws -> [Result<Int, ServiceRequestError>] {
        var settings = ServiceClient.Settings.patient()
        settings.offersHTTP2 = http2
        let client = try ServiceClient.plain(
            settings, trustRoots: WebPushServiceCertificate.certificate, proxy: proxy)
        var results: [Result<Int, ServiceRequestError>] = []
        for _ in 0..<count {
            do throws(ServiceRequestError) {
                results.append(.success(try await client.send(TransferRequest(url: url)).status))
            } catch {
                results.append(.failure(error))
            }
        }
        await client.close()
        return results
    }

    @Test(
        "A request goes through, with a login and without", arguments: EgressProxy.Kind.allCases, [nil, login])
    func through(kind: EgressProxy.Kind, login: EgressProxy.Login?) async throws {
        let proxy = try await TestProxy.start(kind, login: login)
        try await LocalPushService.run({ _ in .status(200) }) { server in
            let results = try await send(
                through: proxy.address(login: login), to: "https://localhost:\(server.port)/x", http2: false, count: 3)
            #expect(results == [.success(200), .success(200), .success(200)])
            // The proxy resolves the name, and one connection serves all.
            #expect(proxy.tunnels.value == ["localhost:\(server.port)"])
            #expect(server.requests.value.map(\.target) == ["/x", "/x", "/x"])
        }
        await proxy.stop()
    }

    @Test(
        "A login that the proxy refuses is reported as wrong", arguments: EgressProxy.Kind.allCases, [true, false])
    func wrongLogin(kind: EgressProxy.Kind, http2: Bool) async throws {
        let proxy = try await TestProxy.start(kind, login: Self.login)
        let wrong = proxy.address(login: EgressProxy.Login(user: "ann", password: "other"))
        let result = try await send(through: wrong, to: "https://localhost:1/x", http2: http2)
        guard case .failure(let failure) = result[0] else { return #expect(Bool(false), "it went through") }
        #expect(failure.kind == .proxyLogin)
        #expect(failure.reason.contains("login") || failure.reason.contains("user or the password"))
        #expect(failure.reason.contains("127.0.0.1:\(proxy.port)"))
        #expect(!failure.reason.contains("other"))
        #expect(proxy.tunnels.value.isEmpty)
        await proxy.stop()
    }

    @Test(
        "A proxy that refuses to connect is named as the reason", arguments: EgressProxy.Kind.allCases, [true, false])
    func refused(kind: EgressProxy.Kind, http2: Bool) async throws {
        let proxy = try await TestProxy.start(kind, login: Self.login, refuses: true)
        let result = try await send(
            through: proxy.address(login: Self.login), to: "https://localhost:1/x", http2: http2)
        guard case .failure(let failure) = result[0] else { return #expect(Bool(false), "it went through") }
        #expect(failure.kind == .unreachable)
        #expect(failure.reason.contains("the \(kind.rawValue) proxy 127.0.0.1:\(proxy.port)"), "\(failure.reason)")
        await proxy.stop()
    }

    @Test(
        "An unreachable proxy is named as the reason", arguments: EgressProxy.Kind.allCases, [true, false])
    func absent(kind: EgressProxy.Kind, http2: Bool) async throws {
        let proxy = EgressProxy(kind, host: "127.0.0.1", port: closedPort, login: Self.login)
        let result = try await send(through: proxy, to: "https://localhost:1/x", http2: http2)
        guard case .failure(let failure) = result[0] else { return #expect(Bool(false), "it went through") }
        #expect(failure.kind == .unreachable)
        #expect(failure.reason.contains("127.0.0.1:\(proxy.port)"))
    }

    @Test("Many bodies pass a SOCKS proxy with a login unharmed")
    func volume() async throws {
        let body = String((0..<40_000).map { _ in Character(Unicode.Scalar(UInt8.random(in: 0x61...0x7A))) })
        let server = try LoopbackServer { _ in .status(200, body) }
        let proxy = try await TestProxy.start(.socks, login: Self.login)
        let client = try ServiceClient.plain(proxy: proxy.address(login: Self.login))
        let url = "http://localhost:\(server.port)/"
        let unharmed = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 { group.addTask { try await client.send(TransferRequest(url: url)).text == body } }
            return try await group.reduce(into: 0) { count, isUnharmed in count += isUnharmed ? 1 : 0 }
        }
        #expect(unharmed == 100)
        await client.close()
        await proxy.stop()
    }

    @Test("A login that SOCKS cannot carry is refused at once", arguments: ["", String(repeating: "x", count: 256)])
    func longLogin(password: String) {
        let proxy = EgressProxy(
            .socks, host: "proxy", port: 1080, login: EgressProxy.Login(user: "ann", password: password))
        let error = #expect(throws: CredentialError.self) {
            try ServiceClient.plain(proxy: proxy)
        }
        #expect(error?.source == "the SOCKS proxy proxy:1080")
    }
}
