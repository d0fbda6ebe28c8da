import AdapterSyntax

/// The shape that a function expects of an argument, or of an option in one.
indirect enum ArgumentShape: Sendable {
    case any
    /// Any value that becomes a string: a string, a number or a boolean.
    case text
    case string
    /// A string that is not empty.
    case name
    /// A number, or a string that is one.
    case number
    /// A number of seconds above 0.
    case seconds
    /// One of these strings; case counts where it is said.
    case choice([String], ignoringCase: Bool)
    /// A name of `returnedContentType`, or a media type.
    case contentType
    case array
    /// An object with any members; arrays and functions are objects.
    case map
    /// An object with these members and no others.
    case options([Option])
    /// A function, or the name of one.
    case function
    /// An object that another function returned, such as a user subscription; no literal is one.
    case made(by: String)
    /// An object, or `null`.
    case identity

    struct Option: Sendable {
        let name: String
        let shape: ArgumentShape
        var isRequired = false
    }

    /// The expected kind of value, for messages.
    var expectation: String {
        switch self {
        case .any: "a value"
        case .text, .string: "a string"
        case .name: "a string that is not empty"
        case .number: "a number"
        case .seconds: "a number of seconds above 0"
        case .choice(let names, _): "one of \(names.joined(separator: ", "))"
        case .contentType: "one of \(Self.contentTypes.joined(separator: ", ")), or a media type"
        case .array: "an array"
        case .map: "an object"
        case .options(let options):
            "an object"
                + (options.contains(where: \.isRequired) ? " with \(Self.list(options.filter(\.isRequired)))" : "")
        case .function: "a function or the name of one"
        case .made(let function): "what \(function) returned"
        case .identity: "an object with 'userId', or null"
        }
    }

    private static func list(_ options: [Option]) -> String {
        options.map { "'\($0.name)'" }.joined(separator: " and ")
    }

    static let contentTypes = ["json", "xml", "html", "plain", "css", "csv", "javascript"]

    /// Returns whether a literal value of the script certainly does not have this shape; a computed value may have any.
    func excludes(_ value: LiteralValue) -> Bool {
        switch value {
        case .name, .other: return false
        default: break
        }
        return switch self {
        case .any: false
        case .text: !value.isScalar
        case .string: value.text == nil
        case .name: value.text?.isEmpty ?? true
        case .number: value.number == nil
        case .seconds: if case .number(let number) = value { number <= 0 } else { true }
        case .choice(let names, let ignoresCase):
            value.text.map { text in
                !names.contains { ignoresCase ? $0.lowercased() == text.lowercased() : $0 == text }
            } ?? true
        case .contentType:
            value.text.map { text in
                !text.contains("/") && !Self.contentTypes.contains { text.lowercased().contains($0) }
            } ?? true
        case .array: if case .array = value { false } else { true }
        case .map:
            switch value {
            case .object, .array, .function: false
            default: true
            }
        case .options: if case .object = value { false } else { true }
        case .function:
            switch value {
            case .function, .string: false
            default: true
            }
        case .made: true
        case .identity:
            switch value {
            case .object, .null: false
            default: true
            }
        }
    }
}

extension LiteralValue {
    fileprivate var isScalar: Bool {
        switch self {
        case .string, .number, .bool: true
        default: false
        }
    }

    /// A number, or what a string says as one.
    fileprivate var number: Double? {
        switch self {
        case .number(let number): number
        case .string(let text): Double(text)
        default: nil
        }
    }

    /// The kind of the value, for messages.
    var kind: String {
        switch self {
        case .string(let text): "the string '\(text.prefix(40))'"
        case .number(let number):
            "the number \(number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)")"
        case .bool(let bool): "\(bool)"
        case .null: "null"
        case .array: "an array"
        case .object: "an object"
        case .function: "a function"
        case .name(let name): name
        case .other: "an expression"
        }
    }
}
