import Core
import Foundation

extension Arrival {
    /// One JSON object for a line of output, without anything secret.
    public var json: String { JSONValue.object(jsonObject).text }

    private var jsonObject: JSONObject {
        var object: JSONObject = [
            "service": .string(service.rawValue), "sequence": .number(Double(sequence)),
            "connection": .number(Double(connection)),
            "date": .string(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            "method": .string(method), "path": .string(pathWithoutSecrets),
        ]
        object["token"] = token.map(JSONValue.string)
        object["status"] = status.map { .number(Double($0)) } ?? .null
        object["accepted"] = .bool(isAccepted)
        object["reason"] = reason.map(JSONValue.string)
        object["id"] = id.map(JSONValue.string)
        var shown = JSONObject()
        for (name, value) in headers where !name.hasPrefix(":") {
            shown[name] = .string(name.lowercased() == "authorization" ? "(not shown)" : value)
        }
        object["headers"] = .object(shown)
        if service != .oauth { object["body"] = bodyJSON }
        return object
    }

    /// Gateways get their passwords in the query.
    private var pathWithoutSecrets: String { service == .sms ? String(path.prefix { $0 != "?" }) : path }

    /// The body as JSON if it is valid, otherwise as a string.
    var bodyJSON: JSONValue {
        (try? JSONValue(parsing: body)) ?? .string(String(decoding: body, as: UTF8.self))
    }
}

extension PushSandbox {
    /// Returns the arrivals from now on, until the sandbox stops.
    public func arrivalsToCome() -> AsyncStream<Arrival> {
        let source = core.journal.watch(after: nil, limit: nil)
        let (stream, continuation) = AsyncStream.makeStream(of: Arrival.self)
        let task = Task {
            for await event in source {
                if case .arrival(let numbered) = event { continuation.yield(numbered.arrival) }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
