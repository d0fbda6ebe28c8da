import Core
import Foundation
import Logging
import PushModel
import PushSandbox
import TestSupport
import Testing

@testable import Push

@Suite("FCM's transport", .defaultTimeLimit)
struct FCMTransportTests {
    private static let options: JSONValue = ["GCM": ["alert": "Grüße", "sound": "ping.mp3", "payload": ["id": 7]]]

    private func deliver(
        _ bench: ServiceBench, _ transport: FCMTransport, token: String? = nil
    ) async -> MediatorOutcome {
        await bench.mediator(transport).deliver(ServiceSample.delivery(Self.options, token: token))
    }

    /// Tries again as the outbox does: the next message may still catch the connection that is about to end.
    private func deliverAtLast(_ bench: ServiceBench, _ transport: FCMTransport) async -> MediatorOutcome.Ending {
        for _ in 0..<3 {
            let ending = await deliver(bench, transport).ending
            if ending.name != "retry" { return ending }
        }
        return await deliver(bench, transport).ending
    }

    @Test("A notification arrives as the original sent it, and FCM's name of it is kept")
    func arrives() async throws {
        try await ServiceBench.run { bench in
            let transport = try bench.fcm()
            let outcome = await deliver(bench, transport)
            #expect(outcome.ending == .delivered)
            let arrival = try #require(bench.accepted(.fcm).first)
            #expect(outcome.serviceID == arrival.id)
            #expect(arrival.path == "/v1/projects/sandbox/messages:send")
            #expect(arrival.token == ServiceSample.fcmToken)
            #expect(String(decoding: arrival.body, as: UTF8.self) == outcome.requests.first?.body)
            let data = try JSONValue(parsing: arrival.body)["message"]?["data"]
            #expect(
                data == ["alert": "Grüße", "sound": "ping.mp3", "payload": #"{"alias":"myNews","id":7}"#])
            await transport.close()
        }
    }

    @Test("Many at once share one connection and one access token")
    func many() async throws {
        try await ServiceBench.run { bench in
            let transport = try bench.fcm()
            let delivered = await withTaskGroup(of: Bool.self) { group in
                // As many as the sandbox takes on one connection.
                for number in 0..<100 {
                    group.addTask { await deliver(bench, transport, token: "token-\(number)").ending == .delivered }
                }
                return await group.reduce(into: 0) { count, isDelivered in count += isDelivered ? 1 : 0 }
            }
            #expect(delivered == 100)
            #expect(bench.accepted(.fcm).count == 100)
            #expect(Set(bench.sandbox.arrivals(of: .fcm).map(\.connection)).count == 1)
            #expect(bench.count(.oauth) == 1)
            await transport.close()
        }
    }

    @Test(
        "retries or refuses a message by FCM's error code",
        arguments: [
            (404, "UNREGISTERED", nil, "retry", 60), (400, "INVALID_ARGUMENT", nil, "refused", nil),
            (403, "SENDER_ID_MISMATCH", nil, "refused", nil), (429, "QUOTA_EXCEEDED", 17, "retry", 17),
            (429, "QUOTA_EXCEEDED", nil, "retry", 60), (503, "UNAVAILABLE", 30, "retry", 30),
            (503, "UNAVAILABLE", nil, "retry", nil), (500, "INTERNAL", nil, "retry", nil),
            (401, "THIRD_PARTY_AUTH_ERROR", nil, "refused", nil), (400, "UNSPECIFIED_ERROR", nil, "refused", nil),
        ] as [(Int, String, Int?, String, Int?)])
    func code(status: Int, code: String, retryAfter: Int?, ending: String, wait: Int?) async throws {
        let fault: @Sendable (SandboxRequest) -> SandboxFault? = { request in
            request.service == .fcm && request.sequence > 3
                ? .status(status, reason: code, retryAfter: retryAfter) : nil
        }
        try await ServiceBench.run(fault: fault) { bench in
            let transport = try bench.fcm()
            // Messages that are taken prove the credential, and that the project is the apps'.
            for number in 1...3 {
                #expect(await deliver(bench, transport, token: "token-\(number)").ending == .delivered)
            }
            let outcome = await deliver(bench, transport)
            #expect(outcome.ending.name == ending)
            #expect(outcome.ending.wait == wait.map { .seconds($0) })
            #expect(outcome.ending.reasonText.contains(code))
            #expect(bench.count(.oauth) == 1)
            await transport.close()
        }
    }

    @Test("A token that FCM finds malformed is lost")
    func malformedToken() async throws {
        try await ServiceBench.run { bench in
            let transport = try bench.fcm()
            #expect(await deliver(bench, transport, token: "to ken").ending.wait == .seconds(60))
            #expect(await deliver(bench, transport).ending == .delivered)
            bench.time.advance(by: .seconds(60))
            #expect(await deliver(bench, transport, token: "to ken").ending.name == "gone")
            await transport.close()
        }
    }

    @Test("An access token that is refused is replaced once and the message sent again")
    func renewed() async throws {
        let fault: @Sendable (SandboxRequest) -> SandboxFault? = { request in
            request.service == .fcm && request.sequence == 1 ? .expiredToken : nil
        }
        try await ServiceBench.run(fault: fault) { bench in
            let transport = try bench.fcm()
            #expect(await deliver(bench, transport).ending == .delivered)
            #expect(bench.count(.oauth) == 2)
            let authorizations = bench.sandbox.arrivals(of: .fcm).map { $0.header("authorization") }
            try #require(authorizations.count == 2)
            #expect(authorizations[0] != authorizations[1])
            await transport.close()
        }
    }

    @Test("A refusal of the fresh token makes all messages wait, with an alarm")
    func refusedTwice() async throws {
        let fault: @Sendable (SandboxRequest) -> SandboxFault? = { $0.service == .fcm ? .expiredToken : nil }
        try await ServiceBench.run(fault: fault) { bench in
            let transport = try bench.fcm()
            #expect(await deliver(bench, transport).ending.wait == .seconds(5))
            #expect(await deliver(bench, transport).ending.wait == .seconds(5))
            #expect(bench.count(.fcm) == 2)
            #expect(bench.log.messages(at: .error).count == 1)
            await transport.close()
        }
    }

    @Test("A service account that Google does not take holds all back, without a message lost or sent")
    func unknownAccount() async throws {
        try await ServiceBench.run { bench in
            let transport = try bench.fcm(try FCMSample.credential())
            let outcome = await deliver(bench, transport)
            #expect(outcome.ending.wait == .seconds(5))
            #expect(outcome.ending.reasonText.contains("invalid_grant: Invalid JWT Signature."))
            #expect(outcome.ending.reasonText.contains("push@news-1234.iam.gserviceaccount.com"))
            #expect(bench.count(.fcm) == 0)
            #expect(bench.log.messages(at: .error).count == 1)
            await transport.close()
        }
    }

    @Test("A token endpoint that is down is retried later")
    func tokenEndpointDown() async throws {
        let fault: @Sendable (SandboxRequest) -> SandboxFault? = { request in
            request.service == .oauth && request.sequence == 1
                ? .status(503, reason: "backend_error", retryAfter: 3) : nil
        }
        try await ServiceBench.run(fault: fault) { bench in
            let transport = try bench.fcm()
            #expect(await deliver(bench, transport).ending.wait == .seconds(3))
            #expect(await deliver(bench, transport).ending == .delivered)
            await transport.close()
        }
    }

    @Test("The access token is renewed before it ends, and no message waits for it")
    func renewal() async throws {
        try await ServiceBench.run { bench in
            let transport = try bench.fcm()
            #expect(await deliver(bench, transport).ending == .delivered)
            bench.time.advance(by: .seconds(3400))
            #expect(await deliver(bench, transport).ending == .delivered)
            try await bench.log.lines.wait { lines in
                lines.contains { "\($0.message)".hasSuffix("access token 2 was granted") }
            }
            bench.time.advance(by: .seconds(300))
            #expect(await deliver(bench, transport).ending == .delivered)
            #expect(bench.count(.oauth) == 2)
            #expect(bench.accepted(.fcm).count == 3)
            await transport.close()
        }
    }

    @Test("pauses a service after five failures in a row")
    func down() async throws {
        let fault: @Sendable (SandboxRequest) -> SandboxFault? = { request in
            request.service == .fcm && request.sequence <= 5 ? .status(503, reason: "UNAVAILABLE") : nil
        }
        try await ServiceBench.run(fault: fault) { bench in
            let transport = try bench.fcm()
            for _ in 0..<8 { #expect(await deliver(bench, transport).ending.name == "retry") }
            #expect(bench.count(.fcm) == 5)
            bench.time.advance(by: .seconds(5))
            #expect(await deliver(bench, transport).ending == .delivered)
            #expect(await deliver(bench, transport).ending == .delivered)
            await transport.close()
        }
    }

    @Test("A request without FCM's response in time is retried after at least ten seconds")
    func timedOut() async throws {
        let fault: @Sendable (SandboxRequest) -> SandboxFault? = { $0.service == .fcm ? .never : nil }
        try await ServiceBench.run(fault: fault) { bench in
            let transport = try bench.fcm(settings: .patient(requestTimeout: .seconds(3)))
            #expect(await deliver(bench, transport).ending.wait == .seconds(10))
            await transport.close()
        }
    }

    @Test(
        "A connection that breaks loses no message, and the next one gets a new connection",
        arguments: [SandboxFault.reset, .closeConnection, .resetAfterAccepting])
    func broken(fault: SandboxFault) async throws {
        try await ServiceBench.run(fault: { $0.service == .fcm && $0.sequence == 1 ? fault : nil }) { bench in
            let transport = try bench.fcm()
            #expect(await deliver(bench, transport).ending.name == "retry")
            #expect(await deliverAtLast(bench, transport) == .delivered)
            await transport.close()
        }
    }

    @Test("A cancelled sender returns at once, and does not count against the service")
    func cancelled() async throws {
        try await ServiceBench.run(fault: { $0.service == .fcm ? .never : nil }) { bench in
            let transport = try bench.fcm()
            for number in 1...6 {
                let sending = Task { await deliver(bench, transport) }
                _ = await bench.sandbox.waitForArrivals(number, of: .fcm)
                sending.cancel()
                #expect(await sending.value.ending.name == "retry")
            }
            #expect(bench.log.messages(at: .error).isEmpty)
            await transport.close()
        }
    }

    @Test("An untrusted certificate is named as the reason")
    func untrusted() async throws {
        try await ServiceBench.run { bench in
            let other = try await PushSandbox.start(logger: Logger(label: "other"))
            let transport = try bench.fcm(trustRoots: other.rootCertificate)
            let outcome = await deliver(bench, transport)
            #expect(outcome.ending.name == "retry")
            #expect(outcome.ending.reasonText.contains("TLS"))
            #expect(outcome.ending.reasonText.contains("trusted certificates"))
            #expect(bench.count(.oauth) == 0)
            await transport.close()
            await other.stop()
        }
    }

    @Test(
        "Both Google's hosts are reached through a proxy, with a login and without",
        arguments: EgressProxy.Kind.allCases,
        [nil, EgressProxy.Login(user: "ann", password: "secret")])
    func proxy(kind: EgressProxy.Kind, login: EgressProxy.Login?) async throws {
        try await ServiceBench.run { bench in
            let proxy = try await TestProxy.start(kind, login: login)
            let transport = try bench.fcm(proxy: proxy.address(login: login))
            #expect(await deliver(bench, transport).ending == .delivered)
            #expect(proxy.tunnels.value == ["localhost:\(bench.sandbox.httpPort)"])
            await transport.close()
            await proxy.stop()
        }
    }

    @Test("No access token and no key is ever logged or recorded")
    func secrets() async throws {
        let fault: @Sendable (SandboxRequest) -> SandboxFault? = { request in
            request.service == .fcm && request.sequence > 1
                ? [.expiredToken, .status(404, reason: "UNREGISTERED"), .reset][request.sequence % 3] : nil
        }
        try await ServiceBench.run(fault: fault) { bench in
            let transport = try bench.fcm()
            var said = ""
            for _ in 0..<8 { said += "\(await deliver(bench, transport))" }
            said += bench.logged
            #expect(!said.contains("ya29."))
            #expect(!said.contains("PRIVATE KEY"))
            #expect(!said.contains("assertion"))
            #expect(!said.lowercased().contains("bearer"))
            await transport.close()
        }
    }

    @Test("A closed transport sends nothing, and no call hangs")
    func closed() async throws {
        try await ServiceBench.run { bench in
            let transport = try bench.fcm()
            #expect(await deliver(bench, transport).ending == .delivered)
            await transport.close()
            #expect(await deliver(bench, transport).ending.name == "retry")
            #expect(bench.count(.fcm) == 1)
        }
    }
}
