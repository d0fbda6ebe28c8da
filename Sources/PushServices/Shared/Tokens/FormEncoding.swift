import Delivery

/// `application/x-www-form-urlencoded`.
enum FormEncoding {
    static func body(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\(QueryEncoding.encoded($0.name))=\(QueryEncoding.encoded($0.value))" }.joined(separator: "&")
    }
}
