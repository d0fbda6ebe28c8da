import Core
import Databases
import Foundation
import TestSupport
import Testing
import WorklightProject

extension SQLDataSource {
    /// Runs a statement and returns its rows as JSON.
    func json(_ sql: String, _ parameters: SQLValue...) throws -> String {
        try execute(sql, parameters: parameters, deadline: .noLimit).json
    }

    /// Runs a statement and returns its first row.
    func row(_ sql: String, _ parameters: SQLValue...) throws -> [SQLValue] {
        let rows = try #require(try execute(sql, parameters: parameters, deadline: .noLimit).resultSet)
        return Array(rows[0])
    }

    /// Runs a statement that changes something.
    @discardableResult
    func change(_ sql: String, _ parameters: SQLValue...) throws -> Int {
        try #require(try execute(sql, parameters: parameters, deadline: .noLimit).updateCount)
    }

    /// Returns the error with which the statement fails.
    func failure(_ sql: String, _ parameters: SQLValue..., within deadline: Duration = .noLimit) throws
        -> SQLStatementError
    {
        try #require(throws: SQLStatementError.self) {
            try execute(sql, parameters: parameters, deadline: deadline)
        }
    }
}

extension SQLLease {
    /// Runs a statement and returns its rows as JSON.
    @discardableResult
    func json(_ sql: String, _ parameters: SQLValue...) throws -> String {
        try execute(sql, parameters: parameters, deadline: .noLimit).json
    }
}

extension SQLResult {
    var json: String {
        var text: [UInt8] = []
        resultSet?.appendJSON(to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

/// A data source for a URL, with a user and a password.
func source(
    _ url: String, connections: Int = 4, folder: URL = URL(filePath: "/tmp"), exactNumbers: Bool = false
) throws -> SQLDataSource {
    try SQLDataSource(
        definition: SQLDataSourceDefinition(url: url, user: "lamp", password: "hidden-word"),
        maxConcurrentConnections: connections, adapter: "Books", folder: folder, exactNumbers: exactNumbers)
}

/// Work on a separate thread.
final class Background<Value: Sendable>: Sendable {
    private let result = Promise<Result<Value, any Error>>()

    init(_ work: @escaping @Sendable () throws -> Value) {
        Thread.detachNewThread { [result] in result.fulfill(Result { try work() }) }
    }

    /// Waits for the work's end.
    func value() throws -> Value {
        try #require(result.wait(until: nil)).get()
    }
}

/// Queries a database server until a condition holds.
///
/// - Throws: `CancellationError` once the test's time limit has passed.
func wait(until isTrue: () throws -> Bool) throws {
    while try !isTrue() { try Task.checkCancellation() }
}

/// A table's name that no other test uses.
func uniqueName(_ prefix: String = "t") -> String {
    prefix + "_" + UUID().uuidString.lowercased().replacing("-", with: "").prefix(12)
}
