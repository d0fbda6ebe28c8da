import Foundation
import Logging
import PushSandbox
import TestSupport
import Testing

@testable import Push

@Suite("Connections through a proxy", .defaultTimeLimit)
struct EgressProxyTests {
    private let login = EgressProxy.Login(user: "ann", password: "pass word:1")

    private func withProxy(
        _ kind: EgressProxy.Kind, wants: EgressProxy.Login? = nil, refuses: Bool = false,
        login: EgressProxy.Login? = nil,
        settings: HTTP2ClientSettings = HTTP2ClientSettings(), _ test: (APNsFixture, TestProxy) async throws -> Void
    ) async throws {
        let proxy = try await TestProxy.start(kind, login: wants, refuses: refuses)
        try await withAPNs(settings: settings, proxy: proxy.address(login: login)) { (apns) async throws in
            try await test(apns, proxy)
        }
        await proxy.stop()
    }

    @Test("Messages go through the proxy, which receives the service's name", arguments: EgressProxy.Kind.allCases)
    func through(kind: EgressProxy.Kind) async throws {
        try await withProxy(kind) { (apns, proxy) async throws in
            #expect(try await apns.sendMany(0..<50).areDelivered)
            #expect(proxy.tunnels.value == ["localhost:\(apns.sandbox.apnsPort)"])
        }
    }

    @Test("sends the login to a proxy that requires one", arguments: EgressProxy.Kind.allCases)
    func withLogin(kind: EgressProxy.Kind) async throws {
        try await withProxy(kind, wants: login, login: login) { (apns, _) async throws in
            #expect(try await apns.send().isDelivered)
        }
    }

    @Test("A proxy that needs no login works with one", arguments: EgressProxy.Kind.allCases)
    func needlessLogin(kind: EgressProxy.Kind) async throws {
        try await withProxy(kind, login: login) { (apns, _) async throws in
            #expect(try await apns.send().isDelivered)
        }
    }

    @Test(
        "A wrong or a missing login is reported, without the password",
        arguments: EgressProxy.Kind.allCases, [true, false])
    func wrongLogin(kind: EgressProxy.Kind, isMissing: Bool) async throws {
        let wrong = EgressProxy.Login(user: "ann", password: "wrong-one")
        try await withProxy(kind, wants: login, login: isMissing ? nil : wrong) { (apns, proxy) async throws in
            let answer = try await apns.send()
            #expect(answer.isRetry)
            #expect(answer.reason?.contains("the proxy 127.0.0.1:\(proxy.port)") == true)
            #expect(answer.reason?.contains("password") == true || answer.reason?.contains("login") == true)
            #expect(answer.reason?.contains("wrong-one") == false)
            #expect(proxy.tunnels.value.isEmpty)
        }
    }

    @Test("A proxy that does not allow the connection is quoted", arguments: EgressProxy.Kind.allCases)
    func refused(kind: EgressProxy.Kind) async throws {
        try await withProxy(kind, refuses: true) { (apns, _) async throws in
            let answer = try await apns.send()
            #expect(answer.isRetry)
            #expect(answer.reason?.contains(kind == .http ? "403 Forbidden" : "its rules do not allow it") == true)
        }
    }

    @Test("A proxy that closes its connections costs one attempt")
    func cut() async throws {
        try await withProxy(.http) { (apns, proxy) async throws in
            #expect(try await apns.send(1).isDelivered)
            proxy.cut()
            // It is chance whether the client already knows.
            _ = try await apns.send(2)
            #expect(try await apns.send(3).isDelivered)
        }
    }

    @Test("A proxy that stays silent is abandoned in time")
    func silent() async throws {
        let listener = try Listener()
        let proxy = EgressProxy(.http, host: "127.0.0.1", port: listener.port)
        try await withAPNs(proxy: proxy) { (apns) async throws in
            async let answer = apns.send()
            try await apns.time.waitForSleepers(.seconds(10))
            apns.time.advance(by: .seconds(10))
            #expect(try await answer.isRetry)
        }
    }

    @Test("An idle connection gets a PING, and stays when the service replies")
    func ping() async throws {
        try await withAPNs { (apns) async throws in
            #expect(try await apns.send(1).isDelivered)
            for round in 1...3 {
                for _ in 0..<6 {
                    try await apns.time.waitForSleeper(.seconds(10))
                    apns.time.advance(by: .seconds(10))
                }
                try await apns.log.lines.wait { lines in
                    lines.count { $0.message.contains("acknowledged a PING") } == round
                }
            }
            #expect(try await apns.send(2).isDelivered)
            #expect(apns.sandbox.arrivals(of: .apns).map(\.connection) == [1, 1])
        }
    }

    @Test(
        "A dead connection ends ten seconds after the PING, and its requests are retried")
    func dead() async throws {
        var settings = HTTP2ClientSettings()
        settings.requestTimeout = .noLimit
        try await withProxy(.socks, settings: settings) { (apns, proxy) async throws in
            let first = try await apns.send(1)
            #expect(first.isDelivered)
            proxy.freeze()
            let lost = Task { try await apns.send(2) }
            // The request has that many bytes; the frames before it have fewer.
            try await proxy.waitForLoss(of: 100)
            for _ in 0..<7 {
                try await apns.time.waitForSleeper(.seconds(10))
                apns.time.advance(by: .seconds(10))
            }
            let answer = try await lost.value
            #expect(answer.isRetry)
            #expect(answer.reason?.contains("PING") == true)
        }
    }
}
