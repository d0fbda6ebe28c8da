public import Core
import Synchronization

/// A request to the management API, over HTTP or within the process.
public struct ManagementCall: Sendable {
    /// GET, POST, PUT or DELETE.
    public let method: String
    /// The decoded segments of the path below `/management/v1/`.
    public let path: [String]
    package var query: [(name: String, value: String)]
    /// `nil` for no body.
    package var body: JSONValue?
    /// The header `Idempotency-Key`.
    public let idempotencyKey: String?

    /// - Parameter query: fields without a value are left out.
    public init(
        _ method: String = "GET", _ path: String..., query: KeyValuePairs<String, String?> = [:],
        body: JSONValue? = nil, idempotencyKey: String? = nil
    ) {
        self.init(
            method, segments: path,
            query: query.compactMap { field in field.value.map { (field.key, $0) } }, body: body,
            idempotencyKey: idempotencyKey)
    }

    /// The call with `format=csv`, unless it has a format.
    package var asCSV: ManagementCall {
        guard !query.contains(where: { $0.name == "format" }) else { return self }
        var call = self
        call.query.append((name: "format", value: "csv"))
        return call
    }

    /// A call of GET.
    public init(path: [String], query: [(String, String)]) {
        self.init("GET", segments: path, query: query.map { ($0.0, $0.1) })
    }

    package init(
        _ method: String, segments: [String], query: [(name: String, value: String)] = [], body: JSONValue? = nil,
        idempotencyKey: String? = nil
    ) {
        self.method = method
        path = segments
        self.query = query
        self.body = body
        self.idempotencyKey = idempotencyKey
    }
}

/// The response to a ``ManagementCall``.
public struct ManagementAnswer: Sendable, Hashable {
    /// The HTTP status.
    public let status: Int
    /// The body; from status 400 on a problem as in RFC 9457.
    public let body: String
    /// The media type of the body: JSON, or CSV for a call with `format=csv`.
    public let type: String

    public init(status: Int = 200, body: String, type: String = "application/json") {
        (self.status, self.body, self.type) = (status, body, type)
    }

    init(status: Int = 200, _ value: JSONValue) {
        self.init(status: status, body: value.text)
    }

    public var isProblem: Bool { status >= 400 }
}

/// A failed API call: the contents of `application/problem+json` (RFC 9457).
package struct ManagementError: Error, CustomStringConvertible {
    package enum Status: Int, Sendable, CaseIterable {
        case badRequest = 400
        case unauthorized = 401
        case forbidden = 403
        case notFound = 404
        case methodNotAllowed = 405
        case conflict = 409
        case contentTooLarge = 413
        case unsupportedMediaType = 415
        case unprocessable = 422
        case tooManyRequests = 429
        case internalError = 500
        case unavailable = 503

        var title: String {
            switch self {
            case .badRequest: "Bad Request"
            case .unauthorized: "Unauthorized"
            case .forbidden: "Forbidden"
            case .notFound: "Not Found"
            case .methodNotAllowed: "Method Not Allowed"
            case .conflict: "Conflict"
            case .contentTooLarge: "Content Too Large"
            case .unsupportedMediaType: "Unsupported Media Type"
            case .unprocessable: "Unprocessable Content"
            case .tooManyRequests: "Too Many Requests"
            case .internalError: "Internal Server Error"
            case .unavailable: "Service Unavailable"
            }
        }
    }

    let status: Status
    let detail: String
    /// The parameter, or the path in the body, that has a wrong value.
    let field: String?
    /// Members besides those of every problem.
    let more: JSONObject

    package init(_ status: Status, _ detail: String, field: String? = nil, more: JSONObject = [:]) {
        (self.status, self.detail, self.field, self.more) = (status, detail, field, more)
    }

    package var description: String { field.map { "\($0): \(detail)" } ?? detail }

    package var answer: ManagementAnswer {
        var object: JSONObject = [
            "type": "about:blank", "title": .string(status.title), "status": .number(Double(status.rawValue)),
            "detail": .string(detail),
        ]
        object["field"] = field.map(JSONValue.string)
        for member in more.members { object[member.key] = member.value }
        return ManagementAnswer(status: status.rawValue, .object(object))
    }

    static let schema = JSONSchema.object([
        .required("type", .anyText), .required("title", .anyText), .required("status", .integer(400...599)),
        .required("detail", .anyText), .optional("field", .anyText),
    ])
}

/// The changes by a call, for the audit log.
package final class AuditNote: Sendable {
    private let values = Mutex<(before: JSONValue?, after: JSONValue?)>((nil, nil))
    private let name = Mutex<String?>(nil)
    private let failed = Mutex(false)

    package init() {}

    /// - Parameters:
    ///   - before: the resource before the call; `nil` for none.
    ///   - after: the resource after the call; `nil` for none.
    func set(before: JSONValue? = nil, after: JSONValue? = nil) {
        values.withLock { $0 = (before, after) }
    }

    /// Notes the account that a login is for.
    package func set(account: String) { name.withLock { $0 = account } }

    /// Notes that the action failed although the call has a status below 400.
    func setFailed() { failed.withLock { $0 = true } }

    var isFailed: Bool { failed.withLock { $0 } }

    package var account: String? { name.withLock { $0 } }

    var change: (before: JSONValue?, after: JSONValue?) { values.withLock { $0 } }
}

/// Rows as CSV (RFC 4180), which spreadsheets open without running anything in it.
package struct CSVText {
    /// The media type of the CSV.
    package static let type = "text/csv; charset=utf-8; header=present"

    /// The header `Content-Disposition` of the audit log.
    package static let disposition = "attachment; filename=\"audit-log.csv\""

    /// The rows, each ended by CRLF.
    private(set) var text = ""

    /// Appends a row. Every field is quoted. A field that a spreadsheet would take for a formula gets an apostrophe in front.
    mutating func add(_ fields: [String]) {
        text += fields.map(Self.field).joined(separator: ",") + "\r\n"
    }

    private static func field(_ value: String) -> String {
        let beginsFormula = value.unicodeScalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } ?? false
        let text = (beginsFormula ? "'" : "") + value.replacing("\"", with: "\"\"")
        return "\"" + text + "\""
    }
}
