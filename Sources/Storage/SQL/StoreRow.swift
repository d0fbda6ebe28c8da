import Core
import Foundation
import PushModel

/// A row that a statement returns.
struct StoreRow {
    let columns: [String]
    let values: [StoreValue]
}

extension StoreRow {
    /// The value in a column that must be there, and of that type.
    func value<Value: StoreReadable>(_ column: String) throws -> Value {
        guard let index = columns.firstIndex(of: column) else {
            throw StoredValueError(code: .corrupt, reason: "there is no column \(column)")
        }
        return try value(at: index)
    }

    func value<Value: StoreReadable>(at index: Int) throws -> Value {
        guard let value = Value(stored: values[index]) else {
            throw StoredValueError(code: .corrupt, reason: "column \(columns[index]) holds no \(Value.self)")
        }
        return value
    }

    func hasColumn(_ column: String) -> Bool { columns.contains(column) }

    /// The time in a column.
    func date(_ column: String) throws -> Date {
        Date(timeIntervalSince1970: try value(column))
    }

    /// The time in a column that may be empty.
    func optionalDate(_ column: String) throws -> Date? {
        (try value(column) as Double?).map(Date.init(timeIntervalSince1970:))
    }

    /// Returns the id in a column of strings.
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
