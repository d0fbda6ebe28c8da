import Core
import Foundation

/// The shape of a JSON value: the part of JSON Schema 2020-12 that the management API uses.
indirect enum JSONSchema: Sendable {
    case anything
    case bool
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    /// Any string, in responses.
    case anyText
    /// A string without NUL characters; the range is its length in Unicode code points.
    case text(ClosedRange<Int>)
    /// A string that messages must not repeat.
    case secret(ClosedRange<Int>)
    /// One of several strings.
    case choice([String])
    /// A time in ISO 8601.
    case time
    /// A time in ISO 8601, or a duration before now (``PastTime``).
    case pastTime
    case list(JSONSchema)
    /// An object with any members of this shape.
    case map(JSONSchema)
    /// Also `null`.
    case nullable(JSONSchema)
    case object([Property])

    /// A member of an object.
    struct Property: Sendable {
        let name: String
        let schema: JSONSchema
        let isRequired: Bool

        /// A member that is always present.
        static func required(_ name: String, _ schema: JSONSchema) -> Property {
            Property(name: name, schema: schema, isRequired: true)
        }

        static func optional(_ name: String, _ schema: JSONSchema) -> Property {
            Property(name: name, schema: schema, isRequired: false)
        }
    }

    /// A number of things.
    static let count = JSONSchema.integer(0...largestInteger)
    /// The largest integer that JSON carries exactly.
    static let largestInteger = (1 << 53) - 1

    /// A page of a list.
    static func page(of item: JSONSchema) -> JSONSchema {
        .object([.required("items", .list(item)), .optional("next", .anyText)])
    }

    /// Checks a value.
    ///
    /// - Parameter field: the path of the value, for messages; empty for the whole.
    /// - Throws: ``ManagementError`` with status 400.
    func check(_ value: JSONValue, field: String) throws(ManagementError) {
        switch self {
        case .anything: return
        case .bool:
            if case .bool = value { return }
            throw mismatch(value, field)
        case .integer(let range):
            guard let number = value.number, let integer = Int(exactly: number), range.contains(integer) else {
                throw mismatch(value, field)
            }
        case .number(let range):
            guard let number = value.number, range.contains(number) else { throw mismatch(value, field) }
        case .anyText:
            if value.string == nil { throw mismatch(value, field) }
        case .text(let lengths), .secret(let lengths):
            guard let text = value.string, !text.unicodeScalars.contains("\0"),
                lengths.contains(text.unicodeScalars.count)
            else { throw mismatch(value, field) }
        case .choice(let choices):
            guard let text = value.string, choices.contains(text) else { throw mismatch(value, field) }
        case .time:
            guard let text = value.string, Date(spelling: text) != nil else { throw mismatch(value, field) }
        case .pastTime:
            guard let text = value.string, PastTime(text) != nil else { throw mismatch(value, field) }
        case .list(let element):
            guard let array = value.array else { throw mismatch(value, field) }
            for (index, value) in array.enumerated() { try element.check(value, field: "\(field)[\(index)]") }
        case .map(let member):
            guard let object = value.object else { throw mismatch(value, field) }
            for entry in object.members { try member.check(entry.value, field: "\(field).\(entry.key.prefix(100))") }
        case .nullable(let schema):
            if !value.isNull { try schema.check(value, field: field) }
        case .object(let properties):
            guard let object = value.object else { throw mismatch(value, field) }
            try Self.check(object, properties, field: field)
        }
    }

    private static func check(
        _ object: JSONObject, _ properties: [Property], field: String
    ) throws(ManagementError) {
        let prefix = field.isEmpty ? "" : "\(field)."
        for member in object.members where !properties.contains(where: { $0.name == member.key }) {
            throw ManagementError(
                .badRequest, "unknown field; expected \(properties.map(\.name).joined(separator: ", "))",
                field: prefix + member.key.prefix(100))
        }
        for property in properties {
            if let value = object[property.name] {
                try property.schema.check(value, field: prefix + property.name)
            } else if property.isRequired {
                throw ManagementError(
                    .badRequest, "missing; expected \(property.schema.expectation)", field: prefix + property.name)
            }
        }
    }

    /// Reads the value of a parameter.
    ///
    /// - Throws: ``ManagementError`` with status 400.
    func value(ofParameter text: String, field: String) throws(ManagementError) -> JSONValue {
        let value: JSONValue =
            switch self {
            case .bool: text == "true" ? true : text == "false" ? false : .string(text)
            case .integer: Int(text).map { .number(Double($0)) } ?? .string(text)
            case .number: Double(text).map { .number($0) } ?? .string(text)
            default: .string(text)
            }
        try check(value, field: field)
        return value
    }

    private func mismatch(_ value: JSONValue, _ field: String) -> ManagementError {
        let found: String
        switch (self, value) {
        case (.secret, _): found = "another value"
        // Writing a long one takes long.
        case (_, .array), (_, .object): found = value.kind
        default: found = String(value.text.prefix(100))
        }
        return ManagementError(
            .badRequest, "expected \(expectation), found \(found)", field: field.isEmpty ? nil : field)
    }

    private var expectation: String {
        switch self {
        case .anything: "a value"
        case .bool: "true or false"
        case .integer(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range):
            "a number from \(JSONValue.number(range.lowerBound).text) to \(JSONValue.number(range.upperBound).text)"
        case .anyText: "a string"
        case .text(0...Int.max): "a string without NUL characters"
        case .text(let range) where range.lowerBound == range.upperBound: "a string of \(range.lowerBound) characters"
        case .text(let range), .secret(let range):
            "a string of \(range.lowerBound) to \(range.upperBound) characters without NUL"
        case .choice(let choices): "one of \(choices.joined(separator: ", "))"
        case .time: "a time such as 2026-11-25T18:33:57Z"
        case .pastTime: "a time such as 2026-11-25T18:33:57Z, or a duration before now such as 30m, 1h or 7d"
        case .list: "an array"
        case .object, .map: "an object"
        case .nullable(let schema): "\(schema.expectation), or null"
        }
    }

    /// The schema as JSON.
    var json: JSONValue {
        switch self {
        case .anything: return [:]
        case .bool: return ["type": "boolean"]
        case .integer(let range):
            return [
                "type": "integer", "minimum": .number(Double(range.lowerBound)),
                "maximum": .number(Double(range.upperBound)),
            ]
        case .number(let range):
            return ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
        case .text(let range):
            var object: JSONObject = ["type": "string", "pattern": "^[^\\u0000]*$"]
            if range.lowerBound > 0 { object["minLength"] = .number(Double(range.lowerBound)) }
            if range.upperBound < .max { object["maxLength"] = .number(Double(range.upperBound)) }
            return .object(object)
        case .anyText: return ["type": "string"]
        case .secret(let range):
            var object = JSONSchema.text(range).json.object ?? JSONObject()
            object["format"] = "password"
            return .object(object)
        case .choice(let choices): return ["type": "string", "enum": .array(choices.map { .string($0) })]
        case .time: return ["type": "string", "format": "date-time"]
        case .pastTime:
            return [
                "type": "string",
                "description": "A time in ISO 8601, or a duration before now such as 90s, 30m, 1h or 7d.",
            ]
        case .list(let element): return ["type": "array", "items": element.json]
        case .map(let member): return ["type": "object", "additionalProperties": member.json]
        case .nullable(let schema): return ["anyOf": [schema.json, ["type": "null"]]]
        case .object(let properties):
            var members = JSONObject()
            for property in properties { members[property.name] = property.schema.json }
            var object: JSONObject = ["type": "object", "properties": .object(members)]
            let required = properties.filter(\.isRequired).map { JSONValue.string($0.name) }
            if !required.isEmpty { object["required"] = .array(required) }
            object["additionalProperties"] = false
            return .object(object)
        }
    }
}

extension Date {
    /// Reads ISO 8601 with a time zone, with or without fractions of a second; `nil` for other strings.
    init?(spelling text: String) {
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (try? fractional.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text)) else {
            return nil
        }
        self = date
    }
}
