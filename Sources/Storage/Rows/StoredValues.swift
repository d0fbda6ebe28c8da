import Core
import Foundation
import PushModel

extension JSONValue {
    /// Reads what a column holds.
    init(stored text: String, in column: String) throws {
        do {
            self = try JSONValue(parsing: text)
        } catch {
            throw StoredValueError(code: .corrupt, reason: "column \(column) does not hold JSON: \(error)")
        }
    }

    /// Returns the stored string.
    ///
    /// - Throws: ``StoredValueError`` when the value nests so deep that it could not be read back.
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
    /// Lower case, as push services get it.
    var storedText: String { uuidString.lowercased() }
}

extension StoreRow {
    /// Creates a value, which checks its parts, from this row.
    ///
    /// - Throws: ``StoredValueError`` when a part is not valid: another program wrote the row.
    func clientValue<Value>(_ make: () throws -> Value) throws -> Value {
        do {
            return try make()
        } catch let error as ClientValueError {
            throw StoredValueError(code: .corrupt, reason: "a row does not hold what it should: \(error)")
        }
    }
}

extension StoreRow {
    /// The registration in the columns of that name.
    func deviceRegistration() throws -> DeviceRegistration {
        DeviceRegistration(
            applicationID: try value("application_id"), deviceID: try value("device_id"), userID: try value("user_id"),
            userRealm: try value("user_realm"), platform: try choice("platform"),
            token: DeviceToken(stored: try value("token")))
    }

    /// The SMS subscription in the columns of that name.
    func smsSubscription() throws -> SMSSubscription {
        let phoneNumber: PhoneNumber
        do {
            phoneNumber = try PhoneNumber(try value("phone_number") as String)
        } catch let error as PhoneNumberError {
            throw StoredValueError(code: .corrupt, reason: "column phone_number: \(error)")
        }
        return SMSSubscription(
            eventSource: try eventSource(), phoneNumber: phoneNumber, gatewayID: try value("gateway_id"),
            userID: try value("user_id") as String, userRealm: try value("user_realm"), alias: try value("alias"),
            applicationID: try value("application_id"))
    }
}
