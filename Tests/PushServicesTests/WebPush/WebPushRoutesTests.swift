import Delivery
import Foundation
import PushModel
import Synchronization
import TestSupport
import Testing

@testable import PushServices

private let first: [UInt8] = [127, 0, 0, 1]
private let second: [UInt8] = [127, 0, 0, 2]

/// Lets the first address of this machine through, as if it were public, and no other.
private let onlyFirst: @Sendable ([UInt8]) -> PublicAddress? = { $0 == first ? PublicAddress(unchecked: $0) : nil }

@Suite("Where endpoints of pages may lead")
struct WebPushRoutesTests {
    @Test(
        "A name that leads to this machine or to a private network is not connected to",
        arguments: [
            [first], [[10, 0, 0, 1]], [Array(repeating: UInt8(0), count: 15) + [1]], [first, [192, 168, 0, 1]],
        ])
    func blocked(addresses: [[UInt8]]) async throws {
        try await LocalPushService.run { service in
            let fixture = try WebPushFixture(lookup: { _ in addresses })
            let ending = try await fixture.send(endpoint: "https://push.example.com:\(service.port)/").ending
            let reason = "the page's push service is not spoken to: push.example.com leads to an address"
            #expect(ending.name == "refused" && ending.reasonText.hasPrefix(reason))
            #expect(service.requests.value.isEmpty)
            await fixture.transport.close()
        }
    }

    @Test("A name is looked up once, and what it leads to a moment later does not matter")
    func rebinding() async throws {
        try await LocalPushService.run { allowed in
            try await LocalPushService.run(at: "127.0.0.2", port: allowed.port) { forbidden in
                let count = Mutex(0)
                let fixture = try WebPushFixture(
                    lookup: { _ in
                        count.withLock { count in
                            count += 1
                            return count == 1 ? [first] : [second]
                        }
                    }, check: onlyFirst)
                let endpoint = "https://push.example.com:\(allowed.port)/"
                for _ in 1...3 { #expect(try await fixture.send(endpoint: endpoint).ending == .delivered) }
                #expect(count.withLock { $0 } == 1)
                // When the name is looked up again, the new address is checked again.
                fixture.time.advance(by: WebPushRoutes.life)
                #expect(try await fixture.send(endpoint: endpoint).ending.name == "refused")
                #expect(allowed.requests.value.count == 3 && forbidden.requests.value.isEmpty)
                await fixture.transport.close()
            }
        }
    }

    @Test("Of several addresses those that may not be spoken to are passed over")
    func mixed() async throws {
        try await LocalPushService.run { allowed in
            try await LocalPushService.run(at: "127.0.0.2", port: allowed.port) { forbidden in
                let fixture = try WebPushFixture(lookup: { _ in [second, first] }, check: onlyFirst)
                #expect(
                    try await fixture.send(endpoint: "https://push.example.com:\(allowed.port)/").ending == .delivered)
                #expect(allowed.requests.value.count == 1 && forbidden.requests.value.isEmpty)
                await fixture.transport.close()
            }
        }
    }

    @Test("When nobody listens at one address, the next is tried")
    func next() async throws {
        try await LocalPushService.run { service in
            let fixture = try WebPushFixture(lookup: { _ in [second, first] }) { PublicAddress(unchecked: $0) }
            for _ in 1...2 {
                #expect(
                    try await fixture.send(endpoint: "https://push.example.com:\(service.port)/").ending == .delivered)
            }
            await fixture.transport.close()
        }
    }

    @Test("A service that has moved is found at its new address")
    func moved() async throws {
        let place = Mutex(first)
        let fixture = try WebPushFixture(lookup: { _ in [place.withLock { $0 }] }) { PublicAddress(unchecked: $0) }
        let port = try await LocalPushService.run { (service) async throws in
            #expect(try await fixture.send(endpoint: "https://push.example.com:\(service.port)/").ending == .delivered)
            return service.port
        }
        try await LocalPushService.run(at: "127.0.0.2", port: port) { (service) async throws in
            place.withLock { $0 = second }
            fixture.time.advance(by: WebPushRoutes.life)
            #expect(try await fixture.send(endpoint: "https://push.example.com:\(port)/").ending == .delivered)
            #expect(service.requests.value.count == 1)
        }
        await fixture.transport.close()
    }

    @Test("A connection to a checked address still asks for the certificate of the name")
    func name() async throws {
        try await LocalPushService.run { service in
            let fixture = try WebPushFixture(lookup: { _ in [first] }, check: onlyFirst)
            let endpoint = "https://other.example.com:\(service.port)/"
            #expect(try await fixture.send(endpoint: endpoint).ending.name == "retry")
            #expect(service.requests.value.isEmpty)
            await fixture.transport.close()
        }
    }

    @Test("A name that cannot be looked up is tried again later")
    func lookup() async throws {
        let fixture = try WebPushFixture(lookup: { throw HostLookupError(host: $0, reason: "the system says so") })
        #expect(
            try await fixture.send().ending
                == .retry(
                    after: nil,
                    reason: "the push service push.example.com cannot be reached: no address was found for "
                        + "push.example.com: the system says so"))
        await fixture.transport.close()
    }

    @Test("Any number of services can be named, and what is connected to too many of them is let go")
    func many() async throws {
        try await LocalPushService.run { service in
            let fixture = try WebPushFixture(most: 2, lookup: { _ in [first] }, check: onlyFirst)
            for number in 0..<5 {
                // The certificate is for another name, so nothing is sent.
                _ = try await fixture.send(endpoint: "https://p\(number).example.com:\(service.port)/")
            }
            #expect(
                try await fixture.send(endpoint: "https://push.example.com:\(service.port)/").ending == .delivered)
            await fixture.transport.close()
        }
    }
}
