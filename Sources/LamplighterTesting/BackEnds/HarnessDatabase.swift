public import BackEndSQL
import Foundation
import Logging
public import PushModel
import WorklightProject

/// A real SQLite database in memory that stands in for an adapter's own, whatever kind that is. Statements that only the other
/// kind knows fail in it; a test of those needs the real one.
public final class HarnessDatabase: Sendable {
    private static let patience = Duration.seconds(10)

    let source: SQLDataSource

    init(adapter: String, logger: Logger) throws(SQLConfigurationError) {
        source = try SQLDataSource(
            definition: SQLDataSourceDefinition(url: "jdbc:sqlite::memory:"), maxConcurrentConnections: 1,
            adapter: adapter, folder: URL(filePath: "/"), logger: logger)
    }

    /// Runs one statement.
    ///
    /// - Returns: how many rows it touched.
    /// - Throws: `SQLFailure`.
    @discardableResult
    public func execute(_ statement: String, _ parameters: [JSONValue] = []) throws(SQLFailure) -> Int {
        try run(statement, parameters).updateCount ?? 0
    }

    /// The rows of a query, each an object by the columns' labels.
    ///
    /// - Throws: `SQLFailure`.
    public func query(_ statement: String, _ parameters: [JSONValue] = []) throws(SQLFailure) -> [JSONValue] {
        guard let rows = try run(statement, parameters).resultSet else { return [] }
        var json: [UInt8] = []
        rows.appendJSON(to: &json)
        return (try? JSONValue(parsing: String(decoding: json, as: UTF8.self)))?.array ?? []
    }

    private func run(_ statement: String, _ parameters: [JSONValue]) throws(SQLFailure) -> SQLResult {
        try source.execute(statement, parameters: parameters.map(SQLValue.init), deadline: Self.patience)
    }
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
