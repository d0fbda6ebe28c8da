import Databases
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Storage

/// The database that a test's stores are in.
enum StoreEngine: CaseIterable {
    case memory, sqlite, postgreSQL

    @TaskLocal static var current = StoreEngine.sqlite

    private static let databases = Atomic(0)

    /// Makes an empty database in the tests' PostgreSQL.
    ///
    /// - Returns: its name.
    static func newPostgreSQLDatabase() throws -> String {
        let name = "store_\(databases.add(1, ordering: .relaxed).newValue)"
        try administration.get().withSession { session in _ = try session.query("CREATE DATABASE \(name)") }
        return name
    }

    private static let administration = Result {
        PostgreSQLSessions(patientlyWith: try PostgreSQLServer.connection(to: "postgres"))
    }
}

extension PostgreSQLSessions {
    /// Sessions whose limits a busy machine does not reach.
    convenience init(patientlyWith connection: String, limit: Int = 4) {
        self.init(
            connection, name: "PostgreSQL", limit: limit, connectTime: .noLimit,
            statementTime: .noLimit, waitingTime: .noLimit)
    }
}

/// Runs each test of a suite once for every database.
struct EveryStore: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        for engine in StoreEngine.allCases {
            try await StoreEngine.$current.withValue(engine) { try await function() }
        }
    }
}

extension Trait where Self == EveryStore {
    static var everyStore: Self { EveryStore() }
}
