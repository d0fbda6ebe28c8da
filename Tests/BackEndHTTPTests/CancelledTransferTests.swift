import Core
import Foundation
import Synchronization
import TestSupport
import Testing
import WorklightProject

@testable import BackEndHTTP

@Suite("Abandoned calls", .defaultTimeLimit)
struct CancelledTransferTests {
    /// Says so from the fourth time it is asked on.
    private final class Patience: Sendable {
        private let looks = Mutex(0)

        var isOver: Bool {
            looks.withLock { looks in
                looks += 1
                return looks > 3
            }
        }
    }

    private func backEnd(_ server: LoopbackServer) throws -> TestBackEnd {
        try TestBackEnd(port: server.port) { policy in
            policy.socketTimeout = Duration.noLimitMilliseconds
            policy.maxConcurrentConnections = 1
        }
    }

    @Test(
        "A cancelled call does not wait for a silent or stopped back end",
        arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"])
    func silence(answer: String) async throws {
        let server = try LoopbackServer { _ in .keep(Array(answer.utf8)) }
        let patience = Patience()
        let outcome = try await backEnd(server).send(
            BackEndRequest(method: "get", path: "/"), deadline: .noLimit, isGivenUp: { patience.isOver })
        #expect(outcome.message.contains("the call was cancelled"), "\(outcome.message)")
    }

    @Test("A cancelled wait for a connection ends, and the others keep their turns")
    func slots() async throws {
        let slots = ConnectionSlotPool(count: 1, idleTimeout: .noLimit)
        let end = ContinuousClock.now + .noLimit
        let first = try #require(try await slots.take(for: nil, until: end, .onThread))
        let patience = Patience()
        #expect(try await slots.take(for: nil, until: end, unless: { patience.isOver }, .onThread) == nil)
        slots.give(first, for: nil, isKept: true)
        #expect(try await slots.take(for: nil, until: .now + .milliseconds(1), .onThread) === first)
    }
}
