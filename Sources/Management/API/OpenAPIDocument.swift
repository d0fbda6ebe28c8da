import Core
import Installation

/// The OpenAPI 3.1 document of the management API.
enum OpenAPIDocument {
    static let json: JSONValue = {
        var paths = JSONObject()
        for route in ManagementAPI.routes {
            let path = "/\(route.path)"
            var item = paths[path]?.object ?? JSONObject()
            item[route.method.lowercased()] = operation(route)
            paths[path] = .object(item)
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Lamplighter management API", "version": "1",
                "description":
                    "Lists return a page; 'next' is the cursor of the next one. Failures are problem details (RFC 9457).",
            ],
            "servers": [["url": "/management/v1"]],
            "security": [["token": []]],
            "paths": .object(paths),
            "components": [
                "securitySchemes": [
                    "token": [
                        "type": "http", "scheme": "bearer",
                        "description": "A token of 'lamplighter token add', or the managementKey of server.json.",
                    ]
                ],
                "schemas": ["Problem": problemSchema],
            ],
        ]
    }()

    /// Problems have further members where a route's description says so.
    private static var problemSchema: JSONValue {
        var object = ManagementError.schema.json.object ?? JSONObject()
        object["additionalProperties"] = nil
        return .object(object)
    }

    private static func operation(_ route: ManagementRoute) -> JSONValue {
        var object: JSONObject = ["summary": .string(route.summary), "operationId": .string(route.operationID)]
        if let role = route.role { object["description"] = .string("Role: \(role.rawValue).") }
        if !route.parameters.isEmpty { object["parameters"] = .array(route.parameters.map(parameter)) }
        if let body = route.body {
            object["requestBody"] = ["required": true, "content": ["application/json": ["schema": body.json]]]
        }
        var content: JSONObject = ["application/json": ["schema": route.answer.json]]
        if route.offersCSV { content["text/csv"] = ["schema": ["type": "string"]] }
        var responses: JSONObject = [
            String(route.status): ["description": "Success", "content": .object(content)]
        ]
        for problem in route.allProblems {
            responses[String(problem.rawValue)] = [
                "description": .string(problem.title),
                "content": ["application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]],
            ]
        }
        object["responses"] = .object(responses)
        return .object(object)
    }

    private static func parameter(_ parameter: ManagementRoute.Parameter) -> JSONValue {
        var object: JSONObject = [
            "name": .string(parameter.name), "in": .string(parameter.place.rawValue),
            "required": .bool(parameter.place == .path || parameter.isRequired), "schema": parameter.schema.json,
        ]
        if !parameter.summary.isEmpty { object["description"] = .string(parameter.summary) }
        return .object(object)
    }
}

extension ManagementRoute {
    /// `getAdaptersAdapter`
    fileprivate var operationID: String {
        let words = path.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return method.lowercased() + words.joined()
    }

    fileprivate var allProblems: [ManagementError.Status] {
        var all: Set<ManagementError.Status> = [.badRequest, .unavailable]
        if role != nil { all.formUnion([.unauthorized, .forbidden]) }
        if body != nil { all.formUnion([.contentTooLarge, .unsupportedMediaType]) }
        return all.union(problems).sorted { $0.rawValue < $1.rawValue }
    }
}
