import Core
import Tracing

/// Spans in the JSON of OTLP: the mapping of Protocol Buffers to JSON, with ids as hexadecimal digits.
enum OTLPJSON {
    /// Returns the body of a request (`ExportTraceServiceRequest`).
    static func request(_ spans: [SpanRecord], resource: JSONValue, version: String) -> JSONValue {
        [
            "resourceSpans": [
                [
                    "resource": ["attributes": resource],
                    "scopeSpans": [
                        [
                            "scope": ["name": "lamplighter", "version": .string(version)],
                            "spans": .array(spans.map(span)),
                        ]
                    ],
                ]
            ]
        ]
    }

    private static func span(_ span: SpanRecord) -> JSONValue {
        var object = JSONObject()
        object["traceId"] = .string(span.trace.traceID)
        object["spanId"] = span.trace.spanID.map(JSONValue.string)
        object["parentSpanId"] = span.parent.map(JSONValue.string)
        object["name"] = .string(span.name)
        object["kind"] = .number(number(of: span.kind))
        // 64-bit numbers are strings.
        object["startTimeUnixNano"] = .string("\(span.start)")
        object["endTimeUnixNano"] = .string("\(span.end)")
        object["attributes"] = attributes(span.attributes)
        if let status = span.status { object["status"] = ["code": .number(status.code == .ok ? 1 : 2)] }
        if !span.events.isEmpty {
            object["events"] = .array(
                span.events.map {
                    [
                        "name": .string($0.name), "timeUnixNano": .string("\($0.nanosecondsSinceEpoch)"),
                        "attributes": attributes($0.attributes),
                    ]
                })
        }
        if !span.links.isEmpty {
            object["links"] = .array(
                span.links.map { link in
                    // A trace as a whole has no span id; receivers want 16 digits.
                    [
                        "traceId": .string(link.traceID),
                        "spanId": .string(link.spanID ?? link.traceID.prefix(16).description),
                    ]
                })
        }
        return .object(object)
    }

    private static func number(of kind: SpanKind) -> Double {
        switch kind {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }

    private static func attributes(_ attributes: SpanAttributes) -> JSONValue {
        var list: [JSONValue] = []
        attributes.forEach { list.append(attribute($0, $1)) }
        return .array(list)
    }

    static func attribute(_ name: String, _ value: SpanAttribute) -> JSONValue {
        let value: JSONValue =
            switch value {
            case .int32(let number): ["intValue": .string("\(number)")]
            case .int64(let number): ["intValue": .string("\(number)")]
            case .double(let number): ["doubleValue": .number(number)]
            case .bool(let isTrue): ["boolValue": .bool(isTrue)]
            case .string(let text): ["stringValue": .string(text)]
            default: ["stringValue": .string("\(value)")]
            }
        return ["key": .string(name), "value": value]
    }
}
