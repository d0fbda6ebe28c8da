import Core
import Logging
import PushModel
import PushSandbox
import TestSupport
import Testing

@testable import Push

@Suite("WNS's transport", .defaultTimeLimit)
struct WNSTransportTests {
    private static let everything: JSONValue = [
        "WNS": [
            "raw": ["payload": ["id": 7]], "badge": ["value": 3],
            "tile": ["visual": ["binding": ["template": "TileSquareText04", "text": [["content": "Grüße"]]]]],
            "toast": ["visual": ["binding": ["template": "ToastText01", "text": [["content": "Grüße"]]]]],
        ]
    ]
    private static let raw: JSONValue = ["WNS": ["raw": ["payload": ["id": 7]]]]

    private func deliver(
        _ bench: ServiceBench, _ transport: WNSTransport, _ options: JSONValue = raw, channel: String? = nil
    ) async -> MediatorOutcome {
        await bench.mediator(transport).deliver(
            ServiceSample.delivery(options, platform: .windows, token: channel))
    }

    /// Tries again as the outbox does: the next message may still catch the connection that is about to end.
    private func deliverAtLast(_ bench: ServiceBench, _ transport: WNSTransport) async -> MediatorOutcome.Ending {
        for _ in 0..<3 {
            let ending = await deliver(bench, transport).ending
            if ending.name != "retry" { return ending }
        }
        return await deliver(bench, transport).ending
    }

    @Test("Toast, tile, badge and raw arrive at the channel, with one access token")
    func arrives() async throws {
        try await ServiceBench.run { bench in
            let transport = try bench.wns()
            let outcome = await deliver(bench, transport, Self.everything)
            #expect(outcome.ending == .delivered)
            let arrivals = bench.accepted(.wns)
            #expect(arrivals.map { $0.header("X-WNS-Type") } == ["wns/toast", "wns/tile", "wns/badge", "wns/raw"])
            #expect(arrivals.map { String(decoding: $0.body, as: UTF8.self) } == outcome.requests.map(\.body))
            #expect(arrivals.allSatisfy { $0.path == "/?token=AwYAAACdefghijkl%2b" })
            #expect(outcome.serviceID == arrivals.last?.id)
            #expect(bench.count(.oauth) == 1)
            await transport.close()
        }
    }

    @Test(
        "retries or refuses a message by WNS's status",
        arguments: [
            (400, nil, "refused", nil), (403, nil, "refused", nil), (404, nil, "retry", 60), (405, nil, "refused", nil),
            (406, nil, "retry", 60), (406, 17, "retry", 17), (410, nil, "retry", 60), (413, nil, "refused", nil),
            (500, nil, "retry", nil), (503, 30, "retry", 30), (503, nil, "retry", nil),
        ] as [(Int, Int?, String, Int?)])
    func answer(status: Int, retryAfter: Int?, ending: String, wait: Int?) async throws {
        let fault: @Sendable (SandboxRequest) -> SandboxFault? = { request in
            request.service == .wns && request.sequence > 3
                ? .status(status, reason: "the reason", retryAfter: retryAfter) : nil
        }
        try await ServiceBench.run(fault: fault) { bench in
            let transport = try bench.wns()
            // Messages that are taken prove the credential.
            for number in 1...3 {
                let channel = "https://db5.notify.windows.com/?token=\(number)"
                #expect(await deliver(bench, transport, channel: channel).ending == .delivered)
            }
            let outcome = await deliver(bench, transport)
            #expect(outcome.ending.name == ending)
            #expect(outcome.ending.wait == wait.map { .seconds($0) })
            #expect(outcome.ending.reasonText.contains("the reason"))
            #expect(outcome.serviceID != nil)
            await transport.close()
        }
    }

    @Test("A sender that Microsoft blocks loses no device")
    func blocked() async throws {
        let fault: @Sendable (SandboxRequest) -> SandboxFault? = { request in
            request.service == .wns ? .status(410, reason: "Domain Blocked") : nil
        }
        try await ServiceBench.run(fault: fault) { bench in
            let transport = try bench.wns()
            #expect(await deliver(bench, transport).ending.wait == .seconds(5))
            #expect(bench.log.messages(at: .error).count == 1)
            await transport.close()
        }
    }

    @Test("An access token that is refused is replaced once and the message sent again")
    func renewed() async throws {
        try await ServiceBench.run(fault: { $0.service == .wns && $0.sequence == 1 ? .expiredToken : nil }) { bench in
            let transport = try bench.wns()
            #expect(await deliver(bench, transport).ending == .delivered)
            #expect(bench.count(.oauth) == 2)
            #expect(bench.count(.wns) == 2)
            await transport.close()
        }
    }

    @Test("A channel of another app holds all back until the credential has proved itself, and then only itself")
    func mismatch() async throws {
        let fault: @Sendable (SandboxRequest) -> SandboxFault? = { request in
            request.service == .wns && request.path.contains("other") ? .status(403, reason: "not yours") : nil
        }
        let other = "https://db5.notify.windows.com/?token=other"
        try await ServiceBench.run(fault: fault) { bench in
            let transport = try bench.wns()
            #expect(await deliver(bench, transport, channel: other).ending.wait == .seconds(5))
            #expect(await deliver(bench, transport).ending.name == "retry")
            bench.time.advance(by: .seconds(5))
            #expect(await deliver(bench, transport).ending == .delivered)
            #expect(await deliver(bench, transport, channel: other).ending.name == "refused")
            #expect(await deliver(bench, transport).ending == .delivered)
            await transport.close()
        }
    }

    @Test(
        "A channel outside Microsoft's hosts sees neither the message nor an access token",
        arguments: [
            "https://notify.windows.com.example/?token=x", "https://127.0.0.1/?token=x",
            "http://db5.notify.windows.com/?t",
            "https://ann@db5.notify.windows.com/?t", "https://example/.notify.windows.com/", "file:///etc/passwd", "",
            "https://evil.example%00.notify.windows.com/?t", "https://evil.example%2F.notify.windows.com/?t",
            "https://evilnotify.windows.com/", "https://db5.notify.windows.com\r\n/?t",
        ])
    func foreignChannel(channel: String) async throws {
        try await ServiceBench.run { bench in
            let transport = try bench.wns()
            let outcome = await deliver(bench, transport, channel: channel)
            #expect(outcome.ending.name == "refused")
            #expect(outcome.ending.reasonText.hasPrefix("nothing is sent to this channel: "))
            #expect(bench.count(.oauth) == 0)
            #expect(bench.count(.wns) == 0)
            await transport.close()
        }
    }

    @Test("A wrong secret holds all back, with an alarm that does not show it")
    func wrongSecret() async throws {
        try await ServiceBench.run { bench in
            let transport = try bench.wns(secret: "s3cr3t/+&= wrong")
            let outcome = await deliver(bench, transport)
            #expect(outcome.ending.wait == .seconds(5))
            #expect(outcome.ending.reasonText.contains("invalid_client"))
            #expect(bench.count(.wns) == 0)
            #expect(bench.log.messages(at: .error).count == 1)
            #expect(!(bench.logged + outcome.ending.reasonText).contains("s3cr3t"))
            await transport.close()
        }
    }

    @Test(
        "Microsoft is reached through a proxy", arguments: EgressProxy.Kind.allCases,
        [nil, EgressProxy.Login(user: "ann", password: "secret")])
    func proxy(kind: EgressProxy.Kind, login: EgressProxy.Login?) async throws {
        try await ServiceBench.run { bench in
            let proxy = try await TestProxy.start(kind, login: login)
            let transport = try bench.wns(proxy: proxy.address(login: login))
            #expect(await deliver(bench, transport).ending == .delivered)
            #expect(proxy.tunnels.value == ["localhost:\(bench.sandbox.httpPort)"])
            await transport.close()
            await proxy.stop()
        }
    }

    @Test("A connection that breaks loses no message", arguments: [SandboxFault.reset, .closeConnection])
    func broken(fault: SandboxFault) async throws {
        try await ServiceBench.run(fault: { $0.service == .wns && $0.sequence == 1 ? fault : nil }) { bench in
            let transport = try bench.wns()
            #expect(await deliver(bench, transport).ending.name == "retry")
            #expect(await deliverAtLast(bench, transport) == .delivered)
            await transport.close()
        }
    }
}
