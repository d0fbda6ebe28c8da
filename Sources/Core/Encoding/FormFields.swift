/// The fields of a query or of a form of type `application/x-www-form-urlencoded`, decoded: `a=1&b=x%20y+z`.
package struct FormFields: Sendable {
    private let mostFields: Int

    /// All fields in the order in which they came, repeated ones included.
    package private(set) var all: [(name: String, value: String)] = []

    /// Decodes a query or a form.
    ///
    /// - Parameter mostFields: the number of fields after which all others are left out. No client sends 1000.
    package init(_ text: String, mostFields: Int = 1000) {
        self.mostFields = mostFields
        add(text)
    }

    /// Encodes fields (WHATWG URL, section 5.2): a blank becomes `+`; letters, digits and `*-._` stay.
    package static func encode(_ fields: [(String, String)]) -> String {
        fields.map { "\(encode($0.0))=\(encode($0.1))" }.joined(separator: "&")
    }

    /// Encodes a field's name or value.
    package static func encode(_ text: String) -> String {
        let blank: UInt8 = 0x20
        let bytes = PercentEncoding.encode(bytes: text.utf8) {
            PercentEncoding.isAlphanumeric($0) || $0 == blank || "*-._".utf8.contains($0)
        }
        return String(decoding: bytes.map { $0 == blank ? UInt8(ascii: "+") : $0 }, as: UTF8.self)
    }

    /// Adds the fields of another query or form; a field that exists already keeps its old value.
    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = bytes[...]
            while !rest.isEmpty, all.count < mostFields {
                let pair = rest.prefix { $0 != UInt8(ascii: "&") }
                rest = rest[pair.endIndex...].dropFirst()
                guard !pair.isEmpty else { continue }
                let name = pair.prefix { $0 != UInt8(ascii: "=") }
                all.append((Self.decode(name), Self.decode(pair[name.endIndex...].dropFirst())))
            }
        }
    }

    /// The first value of that name, as in servlets (`getParameter`). Setting one takes away all others, setting `nil`
    /// takes away all.
    package subscript(name: String) -> String? {
        get { all.first { $0.name == name }?.value }
        set {
            all.removeAll { $0.name == name }
            if let newValue { all.append((name, newValue)) }
        }
    }

    /// Returns true if the name occurs, with or without a value: for some fields only the name matters.
    package func has(_ name: String) -> Bool { all.contains { $0.name == name } }

    /// Decodes a name or value. A wrong encoding stays unchanged.
    private static func decode(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        PercentEncoding.decode(text, plusIsBlank: true) ?? String(decoding: text, as: UTF8.self)
    }
}
