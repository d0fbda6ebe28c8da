public import Core
import Databases
import Foundation
import Logging
import Synchronization
import WorklightProject

/// A real SQLite database in memory that replaces an adapter's database of any kind. Statements that SQLite does not have fail in
/// it; test those with the real database.
public final class HarnessDatabase: Sendable {
    private static let patience = Duration.seconds(10)

    let source: SQLDataSource
    private let isClosed = Mutex(false)

    init(adapter: String, exactNumbers: Bool, logger: Logger) throws(SQLConfigurationError) {
        source = try SQLDataSource(
            definition: SQLDataSourceDefinition(url: "jdbc:sqlite::memory:"), maxConcurrentConnections: 1,
            adapter: adapter, folder: URL(filePath: "/"), exactNumbers: exactNumbers, logger: logger)
    }

    /// Runs one statement.
    ///
    /// - Returns: how many rows it touched.
    /// - Throws: ``HarnessDatabaseError``.
    @discardableResult
    public func execute(
        _ statement: String, _ parameters: [JSONValue] = [], fileID: String = #fileID, line: Int = #line
    ) throws -> Int {
        try TestPlace(fileID: fileID, line: line).during { try run(statement, parameters).updateCount ?? 0 }
    }

    /// The rows of a query, each an object by the columns' labels.
    ///
    /// - Throws: ``HarnessDatabaseError``.
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

/// A test's own statement that failed.
public struct HarnessDatabaseError: HarnessError, Hashable {
    public let statement: String
    /// What SQLite says.
    public let reason: String
    public var place: TestPlace?

    init(statement: String, reason: String) {
        (self.statement, self.reason) = (statement, reason)
    }

    public var message: String { "\(reason) in: \(statement)" }
}

extension SQLValue {
    /// Lists and objects become their text.
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
