public import Core
import Databases
import Foundation
import Logging
import Synchronization
import WorklightProject

/// A SQLite database in memory that replaces an adapter's database of any kind. Statements that SQLite does not support fail; test
/// those with the real database.
///
/// ```swift
/// let database = try harness.database("Orders")
/// try database.execute("CREATE TABLE orders (id INTEGER, product TEXT)")
/// try database.execute("INSERT INTO orders VALUES (?, ?)", [1, "Lamp"])
/// try await harness.call("Orders/cancel", 1)
/// #expect(try database.query("SELECT * FROM orders").isEmpty)
/// ```
public final class HarnessDatabase: Sendable {
    private static let patience = Duration.seconds(10)

    let source: SQLDataSource
    private let isClosed = Mutex(false)

    init(adapter: String, exactNumbers: Bool, logger: Logger) throws(SQLConfigurationError) {
        source = try SQLDataSource(
            definition: SQLDataSourceDefinition(url: "jdbc:sqlite::memory:"), maxConcurrentConnections: 1,
            adapter: adapter, folder: URL(filePath: "/"), exactNumbers: exactNumbers, logger: logger)
    }

    /// Executes one statement, for at most 10 seconds.
    ///
    /// - Parameter parameters: the values of the statement's `?`, in order. Arrays and objects are bound as JSON strings.
    /// - Returns: the number of rows that the statement changed.
    /// - Throws: ``HarnessDatabaseError``; ``HarnessMisuseError`` when the harness of the database no longer exists.
    @discardableResult
    public func execute(
        _ statement: String, _ parameters: [JSONValue] = [], fileID: String = #fileID, line: Int = #line
    ) throws -> Int {
        try TestPlace(fileID: fileID, line: line).during { try run(statement, parameters).updateCount ?? 0 }
    }

    /// Executes a query, for at most 10 seconds, and returns its rows: for each an object, keyed by the labels of the columns.
    ///
    /// - Parameter parameters: the values of the statement's `?`, in order. Arrays and objects are bound as JSON strings.
    /// - Throws: ``HarnessDatabaseError``; ``HarnessMisuseError`` when the harness of the database no longer exists.
    public func query(
        _ statement: String, _ parameters: [JSONValue] = [], fileID: String = #fileID, line: Int = #line
    ) throws -> [JSONValue] {
        try TestPlace(fileID: fileID, line: line).during {
            guard let rows = try run(statement, parameters).resultSet else { return [] }
            var json: [UInt8] = []
            rows.appendJSON(to: &json)
            return (try? JSONValue(parsing: String(decoding: json, as: UTF8.self)))?.array ?? []
        }
    }

    func close() {
        isClosed.withLock { $0 = true }
        source.close()
    }

    private func run(_ statement: String, _ parameters: [JSONValue]) throws -> SQLResult {
        if isClosed.withLock({ $0 }) {
            throw HarnessMisuseError(
                "the harness of this database is gone: keep it in a variable or a property for as long as the test needs it"
            )
        }
        do {
            return try source.execute(statement, parameters: parameters.map(SQLValue.init), deadline: Self.patience)
        } catch {
            throw HarnessDatabaseError(statement: statement, reason: "\(error)")
        }
    }
}

/// An error for a statement of the test that failed.
public struct HarnessDatabaseError: HarnessError, Hashable {
    public let statement: String
    /// The message of SQLite.
    public let reason: String
    public var place: TestPlace?

    init(statement: String, reason: String) {
        (self.statement, self.reason) = (statement, reason)
    }

    public var message: String { "\(reason) in: \(statement)" }
}

extension SQLValue {
    /// Converts a JSON value. Arrays and objects become JSON strings.
    fileprivate init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .number(let number): self = .real(number)
        case .string(let text): self = .text(text)
        case .array, .object: self = .text(json.text)
        }
    }
}
