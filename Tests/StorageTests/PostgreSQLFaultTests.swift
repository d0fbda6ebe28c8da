import Core
import Databases
import Foundation
import PushModel
import TestSupport
import Testing

@testable import Storage

@Suite("A store in PostgreSQL when something fails", .onOwnThreads, .defaultTimeLimit)
struct PostgreSQLFaultTests {
    /// A store that reaches its database through a relay.
    private struct Relayed {
        let name: String
        let relay: Relay
        let store: SQLStore
        /// The same database, reached without the relay.
        let other: SQLStore

        init() throws {
            name = try StoreEngine.newPostgreSQLDatabase()
            relay = try Relay(to: try PostgreSQLServer.shared().port)
            store = try Self.store(name, port: relay.port)
            other = try Self.store(name)
        }

        static func store(_ name: String, port: Int? = nil) throws -> SQLStore {
            try SQLStore(
                PostgreSQLSessions(patientlyWith: try PostgreSQLServer.connection(to: name, port: port)),
                clockOfBoth: ManualTime())
        }

        /// Makes a store that reaches the database through the relay too, with a timeout of a second.
        func impatientStore() throws -> SQLStore {
            let sessions = PostgreSQLSessions(
                try PostgreSQLServer.connection(to: name, port: relay.port), name: "PostgreSQL", limit: 4,
                connectTime: .seconds(1), statementTime: .seconds(1))
            return try PostgreSQLFaultTests.untilInTime { () throws(StoreError) in
                try SQLStore(sessions, clockOfBoth: ManualTime())
            }
        }
    }

    /// Tries again when a limit of a second is too short for a busy machine.
    private static func untilInTime<Value>(_ body: () throws(StoreError) -> Value) throws -> Value {
        while true {
            do throws(StoreError) {
                return try body()
            } catch {
                try Task.checkCancellation()
            }
        }
    }

    @Test("A crash of the database loses nothing accepted, and leases hold after it")
    func restart() throws {
        let server = try PostgreSQLServer.start(keepsCommits: true)
        let store = try Relayed.store("postgres", port: server.port)
        try store.outbox.enqueue((0..<9).map { _ in delivery() })
        let claimed = try store.claimAtNoon(4)
        try store.outbox.flush()
        // PostgreSQL ends all sessions when one of its processes is killed, and recovers from its log.
        let process = try store.database.read { try $0.first(Int.self, "SELECT pg_backend_pid()") } ?? 0
        #expect(kill(pid_t(process), SIGKILL) == 0)
        var failures: [StoreError.Code] = []
        while true {
            do throws(StoreError) {
                _ = try store.outbox.record(claimed.map { .of($0, .delivered) }, worker: "worker")
                break
            } catch {
                failures.append(error.code)
            }
        }
        #expect(Set(failures).isSubset(of: [.cannotOpen]))
        #expect(try store.outbox.counts() == [.delivered: 4, .queued: 5])
        #expect(try store.claimAtNoon().count == 5)
    }

    @Test("A connection lost before COMMIT arrives enqueues nothing") func requestLost() throws {
        let relayed = try Relayed()
        relayed.relay.set(.losesRequest("COMMIT"))
        #expect(code { () throws(StoreError) in try relayed.store.outbox.enqueue([delivery()]) } == .cannotOpen)
        #expect(try relayed.store.all().isEmpty)
    }

    @Test("Repeating an attempt's report changes nothing when COMMIT's response was lost") func answerLost()
        throws
    {
        let relayed = try Relayed()
        try relayed.store.outbox.enqueue([delivery(to: subscription()), delivery(to: subscription())])
        let reports = try relayed.store.claimAtNoon().map { DeliveryReport.of($0, .delivered) }
        relayed.relay.set(.losesAnswer("COMMIT"))
        #expect(
            code { () throws(StoreError) in _ = try relayed.store.outbox.record(reports, worker: "worker") }
                == .cannotOpen)
        try relayed.store.outbox.record(reports, worker: "worker")
        #expect(try relayed.other.outbox.counts() == [.delivered: 1, .queued: 1])
        #expect(try relayed.other.claimAtNoon().count == 1)
    }

    @Test("A claim whose COMMIT got no response is released and taken again by the next claim")
    func claimLost() throws {
        let relayed = try Relayed()
        try relayed.store.outbox.enqueue([delivery()])
        relayed.relay.set(.losesAnswer("COMMIT"))
        #expect(code { () throws(StoreError) in _ = try relayed.store.claimAtNoon() } == .cannotOpen)
        while try relayed.other.outbox.counts()[.sending] == nil {}
        #expect(try relayed.other.claimAtNoon().isEmpty)
        #expect(try relayed.store.claimAtNoon().map(\.attempts) == [2])
        #expect(try relayed.other.outbox.counts() == [.sending: 1])
    }

    @Test("A flush fails when the database has lost what it had accepted before") func lostCommit() throws {
        let relayed = try Relayed()
        try relayed.store.outbox.enqueue([delivery(), delivery()])
        // As after a crash before the log was written.
        _ = try relayed.other.database.write { try $0.run("DELETE FROM notification WHERE seq = 1") }
        let error = #expect(throws: StoreError.self) { try relayed.store.outbox.flush() }
        #expect(error?.reason == "the database has lost 1 accepted notifications")
        try relayed.store.outbox.flush()
    }

    @Test("A broadcast without recipients, whose notification was deleted, is not reported as lost")
    func nobody() throws {
        let relayed = try Relayed()
        let message = broadcast(.users([]))
        try relayed.store.outbox.begin(message)
        #expect(try relayed.store.finish(message.id) == [0])
        try relayed.store.outbox.flush()
    }

    @Test(
        "LISTEN notifies a server of another's deliveries; polling finds them while LISTEN is cut off"
    )
    func listening() async throws {
        let relayed = try Relayed()
        let news = AwaitableValue(0)
        relayed.store.outbox.listen { news.update { $0 += 1 } }
        // Once it listens.
        try await news.wait { $0 >= 1 }
        relayed.other.outbox.listen {}
        try relayed.other.outbox.enqueue([delivery()])
        try await news.wait { $0 >= 2 }
        #expect(try relayed.store.claimAtNoon().count == 1)
        // The sessions of the store are not those that listen.
        relayed.relay.set(.losesRequest("LISTEN"))
        _ = try relayed.other.database.read {
            try $0.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"
            )
        }
        try relayed.other.outbox.enqueue([delivery()])
        #expect(try relayed.store.outbox.timeToNext(of: .all) == .zero)
        #expect(try relayed.store.claimAtNoon().count == 1)
        // It may listen again already.
        let before = news.value
        try relayed.other.outbox.enqueue([delivery()])
        try await news.wait { $0 > before }
        relayed.store.outbox.close()
        relayed.other.outbox.close()
    }

    @Test("A network that swallows everything makes calls fail in the time that a statement may take, not hang")
    func swallowed() throws {
        let relayed = try Relayed()
        let store = try relayed.impatientStore()
        _ = try Self.untilInTime { () throws(StoreError) in try store.outbox.counts() }
        relayed.relay.set(.swallows)
        // Once on a connection that was open before, and once on a new one.
        for expected in [StoreError.Code.locked, .cannotOpen] {
            #expect(code { () throws(StoreError) in try store.outbox.enqueue([delivery()]) } == expected)
        }
        relayed.relay.set(.none)
        #expect(try relayed.other.all().isEmpty)
        try Self.untilInTime { () throws(StoreError) in try store.outbox.enqueue([delivery()]) }
        #expect(try !relayed.other.all().isEmpty)
    }
}
