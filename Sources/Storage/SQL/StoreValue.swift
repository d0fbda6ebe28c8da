import struct Foundation.Data

/// A value in a database.
enum StoreValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes(Data)
}

/// A value that can be an argument of a statement.
protocol StoreArgument {
    var stored: StoreValue { get }
}

/// A value that can be read from a column.
protocol StoreReadable {
    /// `nil` when the value is of another type.
    init?(stored: StoreValue)
}

extension String: StoreArgument, StoreReadable {
    var stored: StoreValue { .text(self) }

    init?(stored: StoreValue) {
        guard case .text(let text) = stored else { return nil }
        self = text
    }
}

extension Int64: StoreArgument, StoreReadable {
    var stored: StoreValue { .integer(self) }

    init?(stored: StoreValue) {
        guard case .integer(let integer) = stored else { return nil }
        self = integer
    }
}

extension Int: StoreArgument, StoreReadable {
    var stored: StoreValue { .integer(Int64(self)) }

    init?(stored: StoreValue) {
        guard let integer = Int64(stored: stored) else { return nil }
        self.init(exactly: integer)
    }
}

/// Stored as 0 and 1.
extension Bool: StoreArgument, StoreReadable {
    var stored: StoreValue { .integer(self ? 1 : 0) }

    init?(stored: StoreValue) {
        guard let integer = Int64(stored: stored) else { return nil }
        self = integer != 0
    }
}

extension Double: StoreArgument, StoreReadable {
    var stored: StoreValue { .real(self) }

    init?(stored: StoreValue) {
        switch stored {
        case .real(let real): self = real
        case .integer(let integer): self.init(integer)
        case .null, .text, .bytes: return nil
        }
    }
}

extension Data: StoreArgument, StoreReadable {
    var stored: StoreValue { .bytes(self) }

    init?(stored: StoreValue) {
        guard case .bytes(let bytes) = stored else { return nil }
        self = bytes
    }
}

extension Optional: StoreReadable where Wrapped: StoreReadable {
    init?(stored: StoreValue) {
        guard stored != .null else {
            self = .none
            return
        }
        guard let value = Wrapped(stored: stored) else { return nil }
        self = .some(value)
    }
}
