import Core
import PushModel
import TestSupport
import Testing

@testable import Push

@Suite("Text messages on their way to the gateway", .defaultTimeLimit)
struct SMSProxyTests {
    private func send(
        _ gateway: SMSGateway, proxy: EgressProxy? = nil, text: String = "Grüße & mehr"
    ) async throws -> MediatorOutcome {
        let time = ManualTime()
        let transport = try SMSTransport(
            [gateway], TransportContext(proxy: proxy, time: time, logger: LogRecorder().logger), settings: .patient())
        let mediator = ServiceMediator(
            settings: PushServiceSettings(smsGateways: [gateway]), transports: [.init(service: .sms): transport],
            preview: nil, time: time)
        let outcome = await mediator.deliver(try ServiceSample.smsDelivery(text))
        await transport.close()
        return outcome
    }

    private func gateway(port: Int, host: String = "127.0.0.1") -> SMSGateway {
        SMSGateway(
            id: "gate", hostname: host, port: port, programName: "cgi/send",
            parameters: [
                .init(name: "user", value: "a&b"), .init(name: "hash", value: "%41b~%zz c", encode: false),
            ])
    }

    private static let target =
        "/cgi/send?to=%2B491701234567&text=Gr%C3%BC%C3%9Fe%20%26%20mehr&user=a%26b&hash=%41b~%zz%20c"

    @Test("The query arrives byte for byte, with the gateway's own parameters, which are not recorded")
    func direct() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let outcome = try await send(gateway(port: server.port))
        #expect(outcome.ending == .delivered)
        #expect(server.requests.value.map(\.target) == [Self.target])
        #expect(server.requests.value.first?.method == "GET")
        #expect(server.requests.value.first?.header("Host") == "127.0.0.1:\(server.port)")
        #expect(outcome.requests.map(\.url).allSatisfy { !$0.contains("a%26b") && $0.hasSuffix("mehr") })
    }

    @Test("An HTTP proxy receives the whole address and the login, and no tunnel is requested")
    func plainProxy() async throws {
        let proxy = try LoopbackServer { _ in .status(200) }
        let login = EgressProxy.Login(user: "ann", password: "secret")
        let outcome = try await send(
            gateway(port: 80, host: "gate.example"),
            proxy: EgressProxy(.http, host: "127.0.0.1", port: proxy.port, login: login))
        #expect(outcome.ending == .delivered)
        let request = try #require(proxy.requests.value.first)
        #expect(request.method == "GET")
        #expect(request.target == "http://gate.example" + Self.target)
        #expect(request.header("Host") == "gate.example")
        #expect(request.header("Proxy-Authorization") == "Basic YW5uOnNlY3JldA==")
    }

    @Test("A proxy that requires a login makes the messages wait")
    func proxyLogin() async throws {
        let proxy = try LoopbackServer { _ in .status(407) }
        let outcome = try await send(
            gateway(port: 80, host: "gate.example"), proxy: EgressProxy(.http, host: "127.0.0.1", port: proxy.port))
        guard case .retry(let wait, _) = outcome.ending else { return #expect(Bool(false), "\(outcome.ending)") }
        #expect(wait == .seconds(5))
    }

    @Test("A SOCKS proxy connects to the gateway", arguments: [nil, EgressProxy.Login(user: "ann", password: "x")])
    func socks(login: EgressProxy.Login?) async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let proxy = try await TestProxy.start(.socks, login: login)
        let outcome = try await send(gateway(port: server.port, host: "localhost"), proxy: proxy.address(login: login))
        #expect(outcome.ending == .delivered)
        #expect(proxy.tunnels.value == ["localhost:\(server.port)"])
        #expect(server.requests.value.map(\.target) == [Self.target])
        await proxy.stop()
    }

    @Test("An HTTP proxy opens a tunnel for a secure gateway")
    func secureProxy() async throws {
        let proxy = try await TestProxy.start(.http)
        // The gateway's port decides about TLS; here nobody speaks it, but the tunnel is asked for.
        let outcome = try await send(gateway(port: 443, host: "127.0.0.1"), proxy: proxy.address())
        guard case .retry = outcome.ending else { return #expect(Bool(false), "\(outcome.ending)") }
        #expect(proxy.tunnels.value == ["127.0.0.1:443"])
        await proxy.stop()
    }

    @Test("A redirect is not followed and says what to correct")
    func redirect() async throws {
        let server = try LoopbackServer { _ in .status(302, headers: ["Location": "/x?secret"]) }
        let outcome = try await send(gateway(port: server.port))
        guard case .refused(let reason) = outcome.ending else { return #expect(Bool(false), "\(outcome.ending)") }
        #expect(reason.contains("correct hostname, port and programName of the gateway 'gate'"))
        #expect(!reason.contains("secret"))
        #expect(server.requests.value.count == 1)
    }

    @Test("An invalid host name is refused before a request is sent", arguments: ["a b", "user@gate", ""])
    func badHost(host: String) async throws {
        let outcome = try await send(gateway(port: 80, host: host))
        #expect(
            outcome.ending
                == .refused(
                    reason:
                        "the SMS gateway 'gate' has no usable address; correct its hostname and port in SMSConfig.xml"))
    }
}
