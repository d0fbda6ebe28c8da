import Core
import Foundation
import HTTPTransfer
import NIOHTTP2
import PushModel
import Synchronization
import TestSupport
import Testing

@testable import Push

/// Lets the first address of this machine through, as if it were public, and no other.
private let onlyFirst: @Sendable ([UInt8]) -> Bool = { $0 == [127, 0, 0, 1] }

/// A push service on this machine that speaks HTTP/2.
private struct Service {
    let server: TestHTTP2Server
    let requests: AwaitableValue<Int>

    static func run(
        at host: String = "127.0.0.1", port: Int = 0, _ body: (Service) async throws -> Void
    ) async throws {
        let requests = AwaitableValue(0)
        let server = try await TestHTTP2Server.start(
            at: host, port: port, identity: (WebPushServiceCertificate.certificate, WebPushServiceCertificate.key)
        ) { frame, connection in
            guard frame.endsRequest else { return }
            requests.update { $0 += 1 }
            connection.answer(frame.streamID, status: "201")
        }
        do {
            try await body(Service(server: server, requests: requests))
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }

    func endpoint(_ host: String = "push.example.com") -> String { "https://\(host):\(server.port)/" }
}

@Suite("Allowed endpoints of pages", .defaultTimeLimit)
struct WebPushAddressTests {
    @Test(
        "A name that leads to this machine or to a private network is not connected to",
        arguments: [["127.0.0.1"], ["10.0.0.1"], ["[::1]"], ["127.0.0.1", "192.168.0.1"]])
    func blocked(addresses: [String]) async throws {
        try await Service.run { service in
            let fixture = try WebPushFixture(to: addresses, port: service.server.port)
            let ending = try await fixture.send(endpoint: service.endpoint()).ending
            #expect(ending.name == "refused", "\(ending)")
            #expect(ending.reasonText.hasPrefix("the page's push service is not spoken to: "))
            #expect(ending.reasonText.contains("push.example.com: none of its addresses may be connected to"))
            #expect(service.requests.value == 0)
            await fixture.transport.close()
        }
    }

    @Test("A service without HTTP/2 at an address of this machine is not connected to")
    func blockedHTTP1() async throws {
        let service = try LoopbackServer { _ in .status(201) }
        var transfers = TransferClient.Settings()
        transfers.allows = PublicAddress.contains
        let client = TransferClient(transfers)
        for host in ["localhost", "127.0.0.1", "[::1]"] {
            let failure = await #expect(throws: TransferError.self) {
                try await client.send(TransferRequest(url: "http://\(host):\(service.port)/"))
            }
            #expect(failure?.kind == .addressRefused, "\(host)")
        }
        #expect(service.connections == 0)
        transfers.allows = onlyFirst
        let other = TransferClient(transfers)
        #expect(try await other.send(TransferRequest(url: "http://127.0.0.1:\(service.port)/")).status == 201)
        client.close()
        other.close()
    }

    @Test("Forbidden addresses among several are skipped")
    func mixed() async throws {
        try await Service.run { allowed in
            try await Service.run(at: "127.0.0.2", port: allowed.server.port) { forbidden in
                let fixture = try WebPushFixture(
                    to: ["127.0.0.2", "127.0.0.1"], port: allowed.server.port, allows: onlyFirst)
                #expect(try await fixture.send(endpoint: allowed.endpoint()).ending == .delivered)
                #expect(allowed.requests.value == 1 && forbidden.requests.value == 0)
                await fixture.transport.close()
            }
        }
    }

    @Test("The next address is tried if nobody listens at one")
    func next() async throws {
        try await Service.run { service in
            let fixture = try WebPushFixture(to: ["127.0.0.2", "127.0.0.1"], port: service.server.port) { _ in true }
            for _ in 1...2 { #expect(try await fixture.send(endpoint: service.endpoint()).ending == .delivered) }
            await fixture.transport.close()
        }
    }

    @Test("A connection to a checked address still requires the certificate of the name")
    func name() async throws {
        try await Service.run { service in
            let fixture = try WebPushFixture(to: ["127.0.0.1"], port: service.server.port, allows: onlyFirst)
            #expect(try await fixture.send(endpoint: service.endpoint("other.example.com")).ending.name == "retry")
            #expect(service.requests.value == 0)
            await fixture.transport.close()
        }
    }

    @Test("A name that cannot be looked up is tried again later")
    func lookup() async throws {
        let fixture = try WebPushFixture(to: ["127.0.0.1"], port: 1)
        let ending = try await fixture.send(endpoint: "https://no-such-name.example.invalid/").ending
        #expect(ending.name == "retry")
        #expect(ending.reasonText.contains("no-such-name.example.invalid"), "\(ending.reasonText)")
        await fixture.transport.close()
    }
}
