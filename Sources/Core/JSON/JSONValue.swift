/// A JSON value whose objects keep the order of their members.
///
/// Old clients and push services compare the JSON byte by byte, not by its structure. So values that Lamplighter passes on keep the adapter's member
/// order, and numbers are written as JavaScript does. Foundation's coders promise neither.
public indirect enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// The name of the value's kind for messages, for example "an array".
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The members when this is an object, else `nil`.
    public var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The elements when this is an array, else `nil`.
    public var array: [JSONValue]? {
        if case .array(let array) = self { array } else { nil }
    }

    /// The string if this is one, else `nil`.
    public var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The number when this is one, else `nil`.
    public var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    /// True if this is `null`.
    public var isNull: Bool { self == .null }

    /// The value with the members of all objects in the order of their keys.
    package var sorted: JSONValue {
        switch self {
        case .array(let elements): return .array(elements.map(\.sorted))
        case .object(let object):
            var result = JSONObject()
            for member in object.members.sorted(by: { $0.key < $1.key }) { result[member.key] = member.value.sorted }
            return .object(result)
        default: return self
        }
    }

    /// The member `key` when this is an object that has it, else `nil`.
    public subscript(key: String) -> JSONValue? { object?[key] }
}

// Not by `nil`: `condition ? value : nil` would then make a JSON null where an absent value is meant. This once let every user log in.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (key, value) in elements { object[key] = value }
        self = .object(object)
    }
}

/// The members of a JSON object, in the order in which they were first written.
public struct JSONObject: Sendable, Hashable {
    /// One member.
    public struct Member: Sendable, Hashable {
        public var key: String
        public var value: JSONValue

        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// All members, in order. No two have the same key.
    public private(set) var members: [Member] = []

    public init() {}

    /// The keys, in order.
    public var keys: [String] { members.map(\.key) }

    public var isEmpty: Bool { members.isEmpty }

    /// The value of `key`. Setting a new key appends it, setting a known one keeps its position, setting `nil` removes it.
    public subscript(key: String) -> JSONValue? {
        get { index(of: key).map { members[$0].value } }
        set {
            let index = index(of: key)
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Compares code units, as JavaScript does: Swift's `==` would take two spellings of one character for the same.
    private func index(of key: String) -> Int? {
        members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
    }

    /// Appends a member whose key the caller knows to be new; the parser keeps track of that by itself.
    package mutating func appendUnchecked(_ member: Member) {
        members.append(member)
    }

    /// Replaces the value of the member at a known position; a search for the key takes as long as there are members.
    package mutating func replaceUnchecked(at place: Int, with value: JSONValue) {
        members[place].value = value
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init()
        for (key, value) in elements { self[key] = value }
    }
}
