import Core
import Foundation
import Synchronization
import TestSupport
import Testing
import WorklightProject

@testable import BackEndHTTP

@Suite("Calls that are given up", .defaultTimeLimit)
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
            policy.socketTimeout = 3_600_000
            policy.maxConcurrentConnections = 1
        }
    }

    @Test(
        "A back end that says nothing, or stops in the middle, is not waited for",
        arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"])
    func silence(answer: String) async throws {
        let server = try LoopbackServer { _ in .keep(Array(answer.utf8)) }
        let patience = Patience()
        let outcome = try await backEnd(server).send(
            BackEndRequest(method: "get", path: "/"), deadline: .seconds(3600), isGivenUp: { patience.isOver })
        #expect(outcome.message.contains("it was given up"), "\(outcome.message)")
    }

    @Test("Whoever waits for a connection is let go, and the others keep their turns")
    func slots() async throws {
        let slots = ConnectionSlotPool(count: 1, idleTimeout: .seconds(3600))
        let end = ContinuousClock.now + .seconds(3600)
        let first = try #require(try slots.take(until: end))
        let patience = Patience()
        let isIn = await ThreadPool(name: "script", threads: 1).run {
            (try? slots.take(until: end, unless: { patience.isOver })) != nil
        }
        #expect(!isIn)
        slots.give(first, isKept: true)
        #expect(try slots.take(until: .now + .milliseconds(1)) === first)
    }
}
