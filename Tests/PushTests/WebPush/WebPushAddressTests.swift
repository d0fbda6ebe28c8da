import Core
import Foundation
import HTTPTransfer
import NIOHTTP2
import PushModel
import Synchronization
import TestSupport
import Testing

@testable import Push

private let first: [UInt8] = [127, 0, 0, 1]
private let second: [UInt8] = [127, 0, 0, 2]

/// Lets the first address of this machine through, as if it were public, and no other.
private let onlyFirst: @Sendable ([UInt8]) -> PublicAddress? = { $0 == first ? PublicAddress(unchecked: $0) : nil }

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

@Suite("Where endpoints of pages may lead", .defaultTimeLimit)
struct WebPushAddressTests {
    @Test(
        "A name that leads to this machine or to a private network is not connected to",
        arguments: [
            [first], [[10, 0, 0, 1]], [Array(repeating: UInt8(0), count: 15) + [1]], [first, [192, 168, 0, 1]],
        ])
    func blocked(addresses: [[UInt8]]) async throws {
        try await Service.run { service in
            let fixture = try WebPushFixture(lookup: { _ in addresses })
            let ending = try await fixture.send(endpoint: service.endpoint()).ending
            #expect(ending.name == "refused", "\(ending)")
            #expect(ending.reasonText.hasPrefix("the page's push service is not spoken to: "))
            #expect(ending.reasonText.contains("push.example.com has only private or special addresses"))
            #expect(service.requests.value == 0)
            await fixture.transport.close()
        }
    }

    @Test("A service without HTTP/2 at an address of this machine is not connected to")
    func blockedHTTP1() async throws {
        let service = try LoopbackServer { _ in .status(201) }
        var transfers = TransferClient.Settings()
        transfers.allows = { AddressCheck().check($0) != nil }
        let client = TransferClient(transfers)
        for host in ["localhost", "127.0.0.1", "[::1]"] {
            let failure = await #expect(throws: TransferError.self) {
                try await client.send(TransferRequest(url: "http://\(host):\(service.port)/"))
            }
            #expect(failure?.kind == .addressRefused, "\(host)")
        }
        #expect(service.connections == 0)
        transfers.allows = { $0 == first }
        let other = TransferClient(transfers)
        #expect(try await other.send(TransferRequest(url: "http://127.0.0.1:\(service.port)/")).status == 201)
        client.close()
        other.close()
    }

    @Test("A name is looked up for a connection, which goes to the address that was checked")
    func checkedAddress() async throws {
        try await Service.run { allowed in
            try await Service.run(at: "127.0.0.2", port: allowed.server.port) { forbidden in
                let count = Mutex(0)
                let fixture = try WebPushFixture(
                    lookup: { _ in
                        count.withLock { count in
                            count += 1
                            return count == 1 ? [first] : [second]
                        }
                    }, check: onlyFirst)
                for _ in 1...3 { #expect(try await fixture.send(endpoint: allowed.endpoint()).ending == .delivered) }
                #expect(count.withLock { $0 } == 1)
                await allowed.server.closeConnections()
                try await fixture.connectionEnds()
                #expect(try await fixture.send(endpoint: allowed.endpoint()).ending.name == "refused")
                #expect(allowed.requests.value == 3 && forbidden.requests.value == 0)
                await fixture.transport.close()
            }
        }
    }

    @Test("Of several addresses those that may not be spoken to are passed over")
    func mixed() async throws {
        try await Service.run { allowed in
            try await Service.run(at: "127.0.0.2", port: allowed.server.port) { forbidden in
                let fixture = try WebPushFixture(lookup: { _ in [second, first] }, check: onlyFirst)
                #expect(try await fixture.send(endpoint: allowed.endpoint()).ending == .delivered)
                #expect(allowed.requests.value == 1 && forbidden.requests.value == 0)
                await fixture.transport.close()
            }
        }
    }

    @Test("When nobody listens at one address, the next is tried")
    func next() async throws {
        try await Service.run { service in
            let fixture = try WebPushFixture(lookup: { _ in [second, first] }) { PublicAddress(unchecked: $0) }
            for _ in 1...2 { #expect(try await fixture.send(endpoint: service.endpoint()).ending == .delivered) }
            await fixture.transport.close()
        }
    }

    @Test("A service that has moved is found at its new address")
    func moved() async throws {
        let place = Mutex(first)
        let fixture = try WebPushFixture(lookup: { _ in [place.withLock { $0 }] }) { PublicAddress(unchecked: $0) }
        try await Service.run { service in
            #expect(try await fixture.send(endpoint: service.endpoint()).ending == .delivered)
            await service.server.closeConnections()
            try await fixture.connectionEnds()
            place.withLock { $0 = second }
            try await Service.run(at: "127.0.0.2", port: service.server.port) { (moved) async throws in
                #expect(try await fixture.send(endpoint: moved.endpoint()).ending == .delivered)
                #expect(moved.requests.value == 1)
            }
        }
        await fixture.transport.close()
    }

    @Test("A connection to a checked address still asks for the certificate of the name")
    func name() async throws {
        try await Service.run { service in
            let fixture = try WebPushFixture(lookup: { _ in [first] }, check: onlyFirst)
            #expect(try await fixture.send(endpoint: service.endpoint("other.example.com")).ending.name == "retry")
            #expect(service.requests.value == 0)
            await fixture.transport.close()
        }
    }

    @Test("A name that cannot be looked up is tried again later")
    func lookup() async throws {
        let fixture = try WebPushFixture(lookup: { throw HostLookupError(host: $0, reason: "the system says so") })
        let ending = try await fixture.send().ending
        #expect(ending.name == "retry")
        #expect(ending.reasonText.contains("no address was found for push.example.com: the system says so"))
        await fixture.transport.close()
    }

    @Test("Any number of services can be named, and what is connected to too many of them is let go")
    func many() async throws {
        try await Service.run { service in
            let fixture = try WebPushFixture(hosts: 2, lookup: { _ in [first] }, check: onlyFirst)
            for number in 0..<5 {
                // The certificate is for another name, so nothing is sent.
                _ = try await fixture.send(endpoint: service.endpoint("p\(number).example.com"))
            }
            #expect(try await fixture.send(endpoint: service.endpoint()).ending == .delivered)
            await fixture.transport.close()
        }
    }
}

extension WebPushFixture {
    /// Returns once the client knows that its connection has ended.
    fileprivate func connectionEnds() async throws {
        try await log.lines.wait {
            $0.contains { "\($0.message)".hasPrefix("a connection to the push service has ended") }
        }
    }
}
