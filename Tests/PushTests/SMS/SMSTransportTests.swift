import Core
import Logging
import PushModel
import PushSandbox
import TestSupport
import Testing

@testable import Push

@Suite("The transport of text messages", .defaultTimeLimit)
struct SMSTransportTests {
    private static let gateway = SMSGateway(
        id: "gate", hostname: "gate.example", programName: "send",
        parameters: [.init(name: "password", value: "s3cr3t")])

    private func transport(
        _ bench: ServiceBench, settings: ServiceClient.Settings = .patient()
    ) throws -> SMSTransport {
        try SMSTransport(
            [Self.gateway],
            TransportContext(
                endpoint: ServiceEndpoint("http://127.0.0.1:\(bench.sandbox.smsPort)"), time: bench.time,
                logger: bench.log.logger), settings: settings)
    }

    private func deliver(_ bench: ServiceBench, _ transport: SMSTransport) async throws -> MediatorOutcome {
        await bench.mediator(transport, gateways: [Self.gateway]).deliver(try ServiceSample.smsDelivery("Grüße & mehr"))
    }

    @Test("A message arrives with its number and the gateway's parameters, which are not recorded")
    func arrives() async throws {
        try await ServiceBench.run { bench in
            let transport = try transport(bench)
            let outcome = try await deliver(bench, transport)
            #expect(outcome.ending == .delivered)
            let arrival = try #require(bench.accepted(.sms).first)
            #expect(arrival.token == "+491701234567")
            #expect(String(decoding: arrival.body, as: UTF8.self) == "Grüße & mehr")
            #expect(arrival.path.hasSuffix("&password=s3cr3t"))
            #expect(arrival.header("Host") == "127.0.0.1:\(bench.sandbox.smsPort)")
            #expect(!("\(outcome)" + bench.logged).contains("s3cr3t"))
            await transport.close()
        }
    }

    @Test(
        "retries or refuses a message by the gateway's status, without secrets in the log",
        arguments: [
            (400, nil, "refused", nil), (401, nil, "retry", 5), (403, nil, "refused", nil), (408, nil, "retry", nil),
            (429, nil, "retry", 60), (429, 17, "retry", 17), (500, nil, "retry", nil), (503, 30, "retry", 30),
        ] as [(Int, Int?, String, Int?)])
    func answer(status: Int, retryAfter: Int?, ending: String, wait: Int?) async throws {
        let fault: @Sendable (SandboxRequest) -> SandboxFault? = { _ in
            .status(status, reason: "+491701234567 s3cr3t", retryAfter: retryAfter)
        }
        try await ServiceBench.run(fault: fault) { bench in
            let transport = try transport(bench)
            let outcome = try await deliver(bench, transport)
            #expect(outcome.ending.name == ending)
            #expect(outcome.ending.wait == wait.map { .seconds($0) })
            #expect(outcome.ending.reasonText.hasPrefix("the SMS gateway 'gate' returned status \(status), ERROR: … …"))
            #expect(!bench.logged.contains("1701234567"))
            await transport.close()
        }
    }

    @Test("A gateway that does not respond is retried")
    func silent() async throws {
        try await ServiceBench.run(fault: { _ in .never }) { bench in
            let transport = try transport(bench, settings: .patient(requestTimeout: .milliseconds(500)))
            let ending = try await deliver(bench, transport).ending
            #expect(ending == .retry(after: nil, reason: "the SMS gateway did not respond within 0.5 s"))
            await transport.close()
        }
    }

    @Test("A gateway that breaks off is retried")
    func broken() async throws {
        try await ServiceBench.run(fault: { $0.sequence == 1 ? .reset : nil }) { bench in
            let transport = try transport(bench)
            #expect(try await deliver(bench, transport).ending.name == "retry")
            let ending = try await deliver(bench, transport).ending
            #expect(ending == .delivered)
            await transport.close()
        }
    }

    @Test("Each gateway has a separate circuit breaker")
    func separate() async throws {
        let fault: @Sendable (SandboxRequest) -> SandboxFault? = { request in
            request.path.contains("s3cr3t") ? .status(401, reason: "wrong password") : nil
        }
        try await ServiceBench.run(fault: fault) { bench in
            let good = SMSGateway(id: "good", hostname: "good.example")
            let gateways = [Self.gateway, good]
            let transport = try SMSTransport(
                gateways,
                TransportContext(
                    endpoint: ServiceEndpoint("http://127.0.0.1:\(bench.sandbox.smsPort)"), time: bench.time,
                    logger: bench.log.logger), settings: .patient())
            let mediator = bench.mediator(transport, gateways: gateways)
            #expect(try await mediator.deliver(ServiceSample.smsDelivery()).ending.wait == .seconds(5))
            #expect(try await mediator.deliver(ServiceSample.smsDelivery()).ending.wait == .seconds(5))
            #expect(bench.count(.sms) == 1)
            #expect(try await mediator.deliver(ServiceSample.smsDelivery(gateway: "good")).ending == .delivered)
            let message = bench.log.messages(at: .error).first
            #expect(message?.hasPrefix("sending to the SMS gateway 'gate' is paused") == true)
            await transport.close()
        }
    }
}
