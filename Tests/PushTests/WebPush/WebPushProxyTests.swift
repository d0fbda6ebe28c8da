import TestSupport
import Testing

@testable import Push

@Suite("Web Push through a proxy", .defaultTimeLimit)
struct WebPushProxyTests {
    private static let login = EgressProxy.Login(user: "ann", password: "pass:wörd")

    @Test("A message goes through, with a login and without", arguments: EgressProxy.Kind.allCases, [nil, login])
    func through(kind: EgressProxy.Kind, login: EgressProxy.Login?) async throws {
        let proxy = try await TestProxy.start(kind, login: login)
        try await LocalPushService.run { service in
            let fixture = try WebPushFixture(at: service, proxy: proxy.address(login: login))
            #expect(try await fixture.send().ending == .delivered)
            // The service does not offer HTTP/2, which the first connection finds out.
            #expect(Set(proxy.tunnels.value) == ["localhost:\(service.port)"])
            await fixture.transport.close()
        }
        await proxy.stop()
    }

    @Test(
        "A login that the proxy refuses is reported as wrong, and no message arrives",
        arguments: EgressProxy.Kind.allCases)
    func wrongLogin(kind: EgressProxy.Kind) async throws {
        let proxy = try await TestProxy.start(kind, login: Self.login)
        try await LocalPushService.run { service in
            let wrong = proxy.address(login: EgressProxy.Login(user: "ann", password: "other"))
            let fixture = try WebPushFixture(at: service, proxy: wrong)
            let answer = try await fixture.send()
            #expect(answer.isRetry)
            let reason = answer.reason ?? ""
            #expect(reason.contains("login") || reason.contains("user or the password"))
            #expect(reason.contains("127.0.0.1:\(proxy.port)") && !reason.contains("other"))
            #expect(service.requests.value.isEmpty)
            await fixture.transport.close()
        }
        await proxy.stop()
    }

    @Test("A login that SOCKS cannot carry is refused at once")
    func longLogin() throws {
        let proxy = EgressProxy(.socks, host: "proxy", port: 1080, login: EgressProxy.Login(user: "ann", password: ""))
        let error = #expect(throws: WebPushCredentialError.self) {
            try WebPushFixture(proxy: proxy, WebPushFixture.settings())
        }
        #expect(error?.source == "the SOCKS proxy proxy:1080")
    }
}
