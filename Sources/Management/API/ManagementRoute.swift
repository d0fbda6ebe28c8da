import Core
import Foundation
package import Installation

/// A route of the management API: its description in the OpenAPI document, and its action.
package struct ManagementRoute: Sendable {
    /// A parameter in the path, the query or the header.
    struct Parameter: Sendable {
        enum Place: String { case path, query, header }

        let name: String
        let place: Place
        let schema: JSONSchema
        let summary: String
        var isRequired = false

        static func query(
            _ name: String, _ schema: JSONSchema, _ summary: String, isRequired: Bool = false
        ) -> Parameter {
            Parameter(name: name, place: .query, schema: schema, summary: summary, isRequired: isRequired)
        }
    }

    let method: String
    /// Below `/management/v1/`, with parameters in braces: `adapters/{adapter}`.
    package let path: String
    let summary: String
    /// The lowest role that may use it; `nil` for everybody.
    package let role: ManagementRole?
    let parameters: [Parameter]
    /// `nil` for no body.
    let body: JSONSchema?
    let status: Int
    let answer: JSONSchema
    /// Problems besides those of every route.
    let problems: [ManagementError.Status]
    /// The type of its entry in the audit log; `nil` for none.
    let auditType: String?
    /// True if the call is cancelled when its client closes the connection.
    package let isInteractive: Bool
    let action: @Sendable (ManagementAPI, ManagementInput) async throws -> ManagementAnswer

    /// True if it also returns CSV.
    package var offersCSV: Bool { parameters.contains { $0.name == "format" } }

    private let pattern: PathPattern

    /// Creates a route for GET requests.
    static func get(
        _ path: String, _ summary: String, role: ManagementRole = .monitor, _ parameters: [Parameter] = [],
        answer: JSONSchema, problems: [ManagementError.Status] = [], isInteractive: Bool = false,
        _ action: @escaping @Sendable (ManagementAPI, ManagementInput) async throws -> JSONValue
    ) -> ManagementRoute {
        ManagementRoute(
            method: "GET", path: path, summary: summary, role: role, parameters: parameters, body: nil, status: 200,
            answer: answer, problems: problems, auditType: nil, isInteractive: isInteractive
        ) { ManagementAnswer(try await action($0, $1)) }
    }

    /// A route that changes something, and is in the audit log.
    static func change(
        _ method: String, _ path: String, _ summary: String, role: ManagementRole, audit: String,
        _ parameters: [Parameter] = [], body: JSONSchema? = nil, status: Int = 200, answer: JSONSchema,
        problems: [ManagementError.Status] = [], isInteractive: Bool = false,
        _ action: @escaping @Sendable (ManagementAPI, ManagementInput) async throws -> ManagementAnswer
    ) -> ManagementRoute {
        ManagementRoute(
            method: method, path: path, summary: summary, role: role, parameters: parameters, body: body,
            status: status, answer: answer, problems: problems, auditType: audit, isInteractive: isInteractive, action)
    }

    init(
        method: String, path: String, summary: String, role: ManagementRole?, parameters: [Parameter],
        body: JSONSchema?, status: Int, answer: JSONSchema, problems: [ManagementError.Status], auditType: String?,
        isInteractive: Bool,
        _ action: @escaping @Sendable (ManagementAPI, ManagementInput) async throws -> ManagementAnswer
    ) {
        (self.method, self.path, self.summary, self.role) = (method, path, summary, role)
        (self.body, self.status, self.answer, self.problems) = (body, status, answer, problems)
        (self.auditType, self.isInteractive, self.action) = (auditType, isInteractive, action)
        pattern = PathPattern(path)
        self.parameters =
            pattern.parameters.map { name in
                Parameter(
                    name: name, place: .path,
                    schema: name == "number" ? .integer(1...JSONSchema.largestInteger) : .name,
                    summary: "")
            } + parameters
    }

    /// The values of the path's parameters; `nil` when this is another path.
    func match(_ path: [String]) -> [String: String]? { pattern.match(path) }
}

/// A path with parameters in braces: `adapters/{adapter}`.
package struct PathPattern: Sendable {
    package let segments: [String]

    package init(_ text: String) { segments = text.split(separator: "/").map(String.init) }

    /// The names of the parameters, in their order.
    var parameters: [String] {
        segments.filter(Self.isParameter).map { String($0.dropFirst().dropLast()) }
    }

    /// The values of the parameters; `nil` when this is another path.
    package func match(_ path: [String]) -> [String: String]? {
        guard path.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (segment, value) in zip(segments, path) {
            if Self.isParameter(segment) {
                values[String(segment.dropFirst().dropLast())] = value
            } else if segment != value {
                return nil
            }
        }
        return values
    }

    private static func isParameter(_ segment: String) -> Bool { segment.hasPrefix("{") }
}

extension JSONSchema {
    /// The name or id of something.
    static let name = JSONSchema.text(1...512)
}

/// A call whose parameters and body have the shapes that its route expects.
struct ManagementInput: Sendable {
    let parameters: [String: JSONValue]
    /// `null` for no body.
    let body: JSONValue
    let principal: ManagementPrincipal
    /// Notes what a change was, for the audit log.
    let note: AuditNote

    /// - Throws: ``ManagementError`` with status 400.
    init(
        _ call: ManagementCall, _ route: ManagementRoute, path: [String: String], as principal: ManagementPrincipal,
        _ note: AuditNote
    ) throws(ManagementError) {
        self.principal = principal
        self.note = note
        let known = route.parameters.filter { $0.place == .query }.map(\.name)
        var given = path
        for field in call.query {
            guard known.contains(field.name) else {
                throw ManagementError(
                    .badRequest,
                    known.isEmpty
                        ? "unknown parameter" : "unknown parameter; expected \(known.joined(separator: ", "))",
                    field: String(field.name.prefix(100)))
            }
            guard given.updateValue(field.value, forKey: field.name) == nil else {
                throw ManagementError(.badRequest, "the parameter occurs twice", field: field.name)
            }
        }
        given["Idempotency-Key"] = call.idempotencyKey
        var values: [String: JSONValue] = [:]
        for parameter in route.parameters {
            guard let text = given[parameter.name] else {
                guard !parameter.isRequired else {
                    throw ManagementError(.badRequest, "missing parameter", field: parameter.name)
                }
                continue
            }
            values[parameter.name] = try parameter.schema.value(ofParameter: text, field: parameter.name)
        }
        parameters = values
        guard let schema = route.body else {
            body = .null
            return
        }
        body = call.body ?? .null
        try schema.check(body, field: "")
    }

    func text(_ name: String) -> String? { parameters[name]?.string }

    func integer(_ name: String) -> Int? { parameters[name]?.number.flatMap { Int(exactly: $0) } }

    /// A parameter of the shape ``JSONSchema/pastTime``.
    func time(_ name: String, now: Date) -> Date? { text(name).flatMap { PastTime($0)?.date(now: now) } }

    func isSet(_ name: String) -> Bool { parameters[name] == true }

    /// A parameter of the path, or a required one.
    func required(_ name: String) -> String { text(name) ?? "" }
}
