import Core
import Databases
import Foundation
import PushModel
import TestSupport
import Testing

@testable import Storage

@Suite("A store in PostgreSQL")
struct PostgreSQLTests {
    private func folder() throws -> StoreFolder {
        try StoreEngine.$current.withValue(.postgreSQL) { try StoreFolder() }
    }

    @Test("Several servers may open an empty database at once") func opening() async throws {
        let folder = try folder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                group.addTask {
                    try await ThreadPool.shared.run {
                        _ = try folder.open().subscribe(subscription("ann", device: "phone-\(number)"))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try folder.open().deviceSubscriptions(matching: SubscriptionFilter()).count == 6)
    }

    @Test("Simultaneous changes at two servers have an order: none is lost, and only one is first")
    func conflicts() async throws {
        let folder = try folder()
        let (stores, pool) = ([try folder.open(), try folder.open()], ThreadPool(name: "writers", threads: 8))
        let firsts = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try await pool.run {
                        let outcome = try stores[number % 2].subscribe(subscription("ann", device: "phone-\(number)"))
                        return outcome.isFirstDeviceOfUser
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(firsts == 1)
        #expect(try stores[0].deviceSubscriptions(matching: SubscriptionFilter()).count == 40)
    }

    @Test("Tables of a later or an earlier build are refused", arguments: [(99, "newerSchema"), (0, "olderSchema")])
    func versions(version: Int, code: String) throws {
        let folder = try folder()
        _ = try folder.open()
        try folder.run("UPDATE lamplighter_schema SET version = \(version), oldest_reader = \(version)")
        let error = try #require(throws: StoreError.self) { _ = try folder.open() }
        #expect(error.code.rawValue == code)
    }

    @Test("A database that is away is named, without its password") func away() throws {
        let sessions = PostgreSQLSessions(
            "host=127.0.0.1 port=1 user=lamp password=SECRET dbname=d", name: "PostgreSQL at 127.0.0.1:1", limit: 1)
        let error = try #require(throws: StoreError.self) { _ = try PostgreSQLDatabase(sessions) }
        #expect(error.code == .cannotOpen)
        #expect("\(error)".hasPrefix("PostgreSQL at 127.0.0.1:1: ") && !"\(error)".contains("SECRET"))
    }

    @Test("A failed transaction leaves no change behind, and its session can be used again") func failing() throws {
        let store = try folder().open()
        #expect(throws: StoreError.self) {
            try store.database.write { database in
                try database.run("INSERT INTO user_subscription VALUES ('a', 'b', 'c', '{}')")
                try database.run("INSERT INTO nonsense VALUES (1)")
            }
        }
        #expect(try store.database.read { try $0.first(Int.self, "SELECT count(*) FROM user_subscription") } == 0)
    }
}
