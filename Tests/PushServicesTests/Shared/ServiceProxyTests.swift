import AsyncHTTPClient
import Foundation
import NIOPosix
import TestSupport
import Testing

@testable import PushServices

@Suite("Proxies on the way out", .timeLimit(.minutes(20)))
struct ServiceProxyTests {
    private static let login = EgressProxy.Login(user: "ann", password: "pass:wörd")

    private func send(
        through proxy: EgressProxy, to url: String, count: Int = 1
    ) async throws -> [Result<Int, ServiceFailure>] {
        let client = try ServiceClient(service: "FCM", settings: .patient(), trustRoots: nil, proxy: proxy)
        var results: [Result<Int, ServiceFailure>] = []
        for _ in 0..<count {
            do throws(ServiceFailure) {
                results.append(.success(try await client.send(HTTPClientRequest(url: url)).status))
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
        let server = try LoopbackServer { _ in .status(200) }
        let proxy = try await TestProxy.start(kind, login: login)
        let results = try await send(
            through: proxy.address(login: login), to: "http://localhost:\(server.port)/x", count: 3)
        #expect(results == [.success(200), .success(200), .success(200)])
        // The proxy resolves the name, and one connection serves all.
        #expect(proxy.tunnels.value == ["localhost:\(server.port)"])
        #expect(server.requests.value.map(\.target) == ["/x", "/x", "/x"])
        await proxy.stop()
    }

    @Test("A login that the proxy refuses is said to be wrong", arguments: EgressProxy.Kind.allCases)
    func wrongLogin(kind: EgressProxy.Kind) async throws {
        let proxy = try await TestProxy.start(kind, login: Self.login)
        let wrong = proxy.address(login: EgressProxy.Login(user: "ann", password: "other"))
        let result = try await send(through: wrong, to: "http://localhost:1/x")
        guard case .failure(let failure) = result[0] else { return #expect(Bool(false), "it went through") }
        #expect(failure.reason.contains("login") || failure.reason.contains("user or the password"))
        #expect(failure.reason.contains("127.0.0.1:\(proxy.port)"))
        #expect(!failure.reason.contains("other"))
        #expect(proxy.tunnels.value.isEmpty)
        await proxy.stop()
    }

    @Test("A proxy that does not want to connect is said so", arguments: EgressProxy.Kind.allCases, [nil, login])
    func refused(kind: EgressProxy.Kind, login: EgressProxy.Login?) async throws {
        let proxy = try await TestProxy.start(kind, login: login, refuses: true)
        let result = try await send(through: proxy.address(login: login), to: "http://localhost:1/x")
        guard case .failure(let failure) = result[0] else { return #expect(Bool(false), "it went through") }
        #expect(failure.kind == .unreachable)
        #expect(failure.reason.contains("the \(kind.rawValue) proxy 127.0.0.1:\(proxy.port)"))
        await proxy.stop()
    }

    @Test("A proxy that is not there is said to be the trouble", arguments: EgressProxy.Kind.allCases, [nil, login])
    func absent(kind: EgressProxy.Kind, login: EgressProxy.Login?) async throws {
        let proxy = EgressProxy(kind, host: "127.0.0.1", port: closedPort, login: login)
        let result = try await send(through: proxy, to: "http://localhost:1/x")
        guard case .failure(let failure) = result[0] else { return #expect(Bool(false), "it went through") }
        #expect(failure.kind == .unreachable)
        #expect(failure.reason.contains("127.0.0.1:\(proxy.port)"))
    }

    @Test("Bytes that a slow reader has not taken when the far side closes come through a SOCKS proxy with a login")
    func closedAfterMuch() async throws {
        let body = (0..<1_000_000).map { UInt8($0 % 251) }
        let server = try LoopbackServer { _ in .close(body) }
        let proxy = try await TestProxy.start(.socks, login: Self.login)
        let relay = try SOCKSLoginRelay(
            to: proxy.address(login: Self.login), group: MultiThreadedEventLoopGroup.singleton)
        let client = try await RawClient(port: relay.port, receiveBuffer: 4 << 10)
        let secret = Data("\(SOCKSLoginRelay.user):\(relay.password)".utf8).base64EncodedString()
        try await client.send(
            "CONNECT 127.0.0.1:\(server.port) HTTP/1.1\r\nProxy-Authorization: Basic \(secret)\r\n\r\nplease\r\n\r\n")
        while await client.receive() {}
        #expect(client.received.suffix(body.count).elementsEqual(body), "\(client.received.count) bytes came")
        await client.close()
        await relay.close()
        await proxy.stop()
    }

    @Test("Much goes through a SOCKS proxy with a login unharmed")
    func volume() async throws {
        let body = String((0..<60_000).map { _ in Character(Unicode.Scalar(UInt8.random(in: 0x61...0x7A))) })
        let server = try LoopbackServer { _ in .status(200, body) }
        let proxy = try await TestProxy.start(.socks, login: Self.login)
        let client = try ServiceClient(
            service: "FCM", settings: .patient(), trustRoots: nil, proxy: proxy.address(login: Self.login))
        let url = "http://localhost:\(server.port)/"
        let unharmed = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 { group.addTask { try await client.send(HTTPClientRequest(url: url)).text == body } }
            return try await group.reduce(into: 0) { count, isUnharmed in count += isUnharmed ? 1 : 0 }
        }
        #expect(unharmed == 100)
        await client.close()
        await proxy.stop()
    }

    @Test("The way to a SOCKS proxy with a login is closed to others on the machine")
    func relayLogin() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let proxy = try await TestProxy.start(.socks, login: Self.login)
        let relay = try SOCKSLoginRelay(to: proxy.address(login: Self.login), group: HTTPClient.defaultEventLoopGroup)
        for login in [nil, EgressProxy.Login(user: SOCKSLoginRelay.user, password: "guess")] {
            let other = EgressProxy(.http, host: relay.host, port: relay.port, login: login)
            let result = try await send(through: other, to: "http://localhost:\(server.port)/")
            guard case .failure(let failure) = result[0] else { return #expect(Bool(false), "it went through") }
            #expect(failure.kind == .proxyLogin)
        }
        #expect(proxy.tunnels.value.isEmpty)
        await relay.close()
        await proxy.stop()
    }

    @Test("A login that SOCKS cannot carry is refused at once", arguments: ["", String(repeating: "x", count: 256)])
    func longLogin(password: String) {
        let proxy = EgressProxy(
            .socks, host: "proxy", port: 1080, login: EgressProxy.Login(user: "ann", password: password))
        let error = #expect(throws: CredentialError.self) {
            try ServiceClient(service: "FCM", settings: .patient(), trustRoots: nil, proxy: proxy)
        }
        #expect(error?.source == "the SOCKS proxy proxy:1080")
    }
}
