/// The fields of a query or of a form, decoded: `a=1&b=x%20y+z`.
struct FormFields {
    /// What more there is of, is left out: no client sends so many.
    private static let mostFields = 1000

    /// All fields in the order in which they came, repeated ones included.
    private(set) var all: [(name: String, value: String)] = []

    init(_ text: String) {
        add(text)
    }

    /// Adds the fields of another text; of a field that is there already the old value counts.
    mutating func add(_ text: String) {
        var rest = text.utf8[...]
        while !rest.isEmpty, all.count < Self.mostFields {
            let end = rest.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex
            let pair = rest[..<end]
            rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
            guard !pair.isEmpty else { continue }
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let value = equals == pair.endIndex ? pair[equals...] : pair[pair.index(after: equals)...]
            all.append((Self.decode(pair[..<equals]), Self.decode(value)))
        }
    }

    /// The first value of that name, as in servlets (`getParameter`). Setting one takes away all others, setting `nil` takes away all.
    subscript(name: String) -> String? {
        get { all.first { $0.name == name }?.value }
        set {
            all.removeAll { $0.name == name }
            if let newValue { all.append((name, newValue)) }
        }
    }

    /// Whether the name occurs, with or without a value: of some fields only that counts.
    func has(_ name: String) -> Bool { all.contains { $0.name == name } }

    /// What is no encoding stays as it is.
    private static func decode(_ text: Substring.UTF8View) -> String {
        PercentEncoding.decode(Substring(text), plusIsBlank: true) ?? String(Substring(text))
    }
}
