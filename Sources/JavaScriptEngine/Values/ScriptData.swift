public import struct Foundation.Date

/// A copy of a script's value that may leave its virtual machine.
public indirect enum ScriptData: Sendable, Hashable {
    case undefined
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    /// A `Date`; an invalid one is ``null``, as in JSON.
    case date(Date)
    /// An `ArrayBuffer` or a typed array.
    case bytes([UInt8])
    case array([ScriptData])
    /// Own enumerable members with string keys, in the script's order. Functions among them are left out.
    case object([Member])

    public struct Member: Sendable, Hashable {
        public let key: String
        public let value: ScriptData

        public init(_ key: String, _ value: ScriptData) {
            self.key = key
            self.value = value
        }
    }
}

extension ScriptData: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(arrayLiteral elements: ScriptData...) { self = .array(elements) }
    public init(nilLiteral: ()) { self = .null }
    public init(dictionaryLiteral elements: (String, ScriptData)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}
