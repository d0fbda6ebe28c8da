import Foundation
import GRDB
import PushModel

extension Database {
    /// A statement with its arguments, ready to run; the compiled form is kept for the next time.
    ///
    /// - Throws: ``StoredValueError`` when an argument is a text with a NUL character: SQLite's interface would cut it
    ///   off there, and make one user out of two.
    func statement(_ sql: String, _ arguments: [(any DatabaseValueConvertible)?] = []) throws -> Statement {
        for case let text as String in arguments where text.utf8.contains(0) {
            throw StoredValueError.nul
        }
        let statement = try cachedStatement(sql: sql)
        try statement.setArguments(StatementArguments(arguments))
        return statement
    }

    /// Runs a statement that answers nothing.
    ///
    /// - Returns: how many rows it inserted, changed or deleted.
    @discardableResult
    func run(_ sql: String, _ arguments: [(any DatabaseValueConvertible)?] = []) throws -> Int {
        try statement(sql, arguments).execute()
        return changesCount
    }
}

extension Row {
    /// The value in a column that must be there, and of that type.
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: String) throws -> Value {
        try decode(Value.self, forColumn: column)
    }

    /// The time in a column.
    func date(_ column: String) throws -> Date {
        Date(timeIntervalSince1970: try value(column))
    }

    /// The time in a column that may be empty.
    func optionalDate(_ column: String) throws -> Date? {
        (try value(column) as Double?).map(Date.init(timeIntervalSince1970:))
    }

    /// The id in a column of text.
    func uuid(_ column: String) throws -> UUID {
        guard let id = UUID(uuidString: try value(column)) else {
            throw StoredValueError(code: .corrupt, reason: "column \(column) does not hold a UUID")
        }
        return id
    }

    /// The JSON in a column.
    func json(_ column: String) throws -> JSONValue {
        try JSONValue(stored: try value(column), in: column)
    }

    /// The value of an enumeration in a column.
    func choice<Choice: RawRepresentable<String>>(_ column: String) throws -> Choice {
        guard let choice = Choice(rawValue: try value(column)) else {
            throw StoredValueError(code: .corrupt, reason: "column \(column) holds an unknown word")
        }
        return choice
    }

    /// The event source in the columns `adapter` and `event_source`.
    func eventSource() throws -> EventSourceID {
        EventSourceID(adapter: try value("adapter"), name: try value("event_source"))
    }

    /// The device subscription in the columns of that name; its options are in `optionsColumn`.
    func deviceSubscription(optionsColumn: String = "options") throws -> DeviceSubscription {
        DeviceSubscription(
            eventSource: try eventSource(), userID: try value("user_id"),
            userRealm: hasColumn("user_realm") ? try value("user_realm") : nil, deviceID: try value("device_id"),
            applicationID: try value("application_id"), alias: try value("alias"), platform: try choice("platform"),
            token: DeviceToken(stored: try value("token")), options: try json(optionsColumn))
    }
}

extension JSONValue {
    /// Reads what a column holds.
    init(stored text: String, in column: String) throws {
        do {
            self = try JSONValue(parsing: text)
        } catch {
            throw StoredValueError(code: .corrupt, reason: "column \(column) does not hold JSON: \(error)")
        }
    }

    /// The text that is stored.
    ///
    /// - Throws: ``StoredValueError`` when it nests so deep that it could not be read back.
    func storedText() throws -> String {
        guard !isNested(deeperThan: Self.maximumDepth) else {
            throw StoredValueError(code: .other, reason: "JSON nested deeper than \(Self.maximumDepth) levels")
        }
        return text
    }

    private func isNested(deeperThan depth: Int) -> Bool {
        switch self {
        case .array(let elements): depth == 0 || elements.contains { $0.isNested(deeperThan: depth - 1) }
        case .object(let object): depth == 0 || object.members.contains { $0.value.isNested(deeperThan: depth - 1) }
        default: false
        }
    }
}

extension UUID {
    /// Lower case, as it goes to the push services.
    var storedText: String { uuidString.lowercased() }
}
