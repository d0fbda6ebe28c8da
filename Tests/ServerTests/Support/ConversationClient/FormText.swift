import Core

/// A field of a form. Without a value it is written without `=`, as hybrid clients write what is undefined.
struct Field: Sendable {
    let name: String
    let value: String?

    init(_ name: String, _ value: String?) {
        (self.name, self.value) = (name, value)
    }
}

/// The form encodings of clients.
enum FormText: Sendable {
    /// `encodeURIComponent`: a blank is `%20`.
    case javaScript
    /// `URLEncodedUtils`: a blank is `+`.
    case java

    func encode(_ fields: [Field]) -> String {
        fields.map { field in
            encode(field.name) + (field.value.map { "=" + encode($0) } ?? "")
        }.joined(separator: "&")
    }

    private func encode(_ text: String) -> String {
        switch self {
        case .javaScript:
            PercentEncoding.encode(text) { PercentEncoding.isAlphanumeric($0) || "-_.!~*'()".utf8.contains($0) }
        case .java: FormFields.encode(text)
        }
    }
}
