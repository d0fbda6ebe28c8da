import Core
import Foundation
import LamplighterTesting
import Logging

// The JSON forms of the harness's values, for harness.js.

extension PollRun {
    var json: JSONValue {
        [
            "eventSource": .string(eventSource.description), "elapsed": .number(elapsed),
            "failure": failure.map(JSONValue.string) ?? .null,
        ]
    }
}

extension HarnessLogLine {
    var json: JSONValue {
        [
            "level": .string(level.rawValue), "adapter": adapter.map(JSONValue.string) ?? .null,
            "message": .string(message),
        ]
    }
}

extension SentNotification {
    var json: JSONValue {
        let optional = { (text: String?) in text.map(JSONValue.string) ?? .null }
        return [
            "platform": .string(platform), "user": optional(user), "device": optional(device),
            "application": optional(application), "eventSource": optional(eventSource), "tag": optional(tag),
            "service": optional(service), "headers": .object(headers.json), "body": body,
            "requests": .array(
                requests.map { request in
                    [
                        "service": .string(request.service.rawValue), "method": .string(request.method),
                        "url": .string(request.url),
                        "headers": .object(
                            Dictionary(request.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }).json),
                        "body": (try? JSONValue(parsing: request.body)) ?? .string(request.body),
                    ]
                }), "refusal": optional(refusal),
        ]
    }
}

extension StubbedRequest {
    var json: JSONValue {
        let pairs = { (list: [(name: String, value: String)]) in
            JSONValue.object(Dictionary(list.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }).json)
        }
        return [
            "method": .string(method), "path": .string(path), "query": pairs(query), "headers": pairs(headers),
            "text": .string(text), "json": self.body.isEmpty ? .null : (try? JSONValue(parsing: text)) ?? .null,
        ]
    }
}

extension [String: String] {
    fileprivate var json: JSONObject {
        var object = JSONObject()
        for (key, value) in sorted(by: { $0.key < $1.key }) { object[key] = .string(value) }
        return object
    }
}

extension ClientRequest {
    /// Creates a request from the object of harness.js: `{ headers, address, method, path, query }`.
    init(script request: JSONValue, path: String) {
        let pairs = { (object: JSONValue?) in
            (object?.object?.members ?? []).flatMap { member in
                (member.value.array ?? [member.value]).map { (name: member.key, value: $0.string ?? $0.text) }
            }
        }
        let parameters = pairs(request["query"])
        var components = URLComponents()
        components.queryItems =
            parameters.isEmpty ? nil : parameters.map { URLQueryItem(name: $0.name, value: $0.value) }
        self.init(
            method: request["method"]?.string ?? "POST", url: "http://localhost" + (request["path"]?.string ?? path),
            query: components.percentEncodedQuery, headers: pairs(request["headers"]), parameters: parameters,
            remoteAddress: request["address"]?.string ?? "127.0.0.1")
    }
}

extension StubbedAnswer {
    /// Creates a response from the object of harness.js: `{ status, headers, json | xml | html | text | body, contentType }`,
    /// `{ silence: true }`, or `{ refused: true }`.
    init(script answer: JSONValue) {
        let status = answer["status"]?.number.flatMap { Int(exactly: $0) } ?? 200
        let headers = Dictionary(
            (answer["headers"]?.object?.members ?? []).map { ($0.key, $0.value.string ?? $0.value.text) },
            uniquingKeysWith: { $1 })
        if answer["silence"] == .bool(true) {
            self = .silence
        } else if answer["refused"] == .bool(true) {
            self = .refusedConnection
        } else if let json = answer["json"] {
            self = .json(json, status: status, headers: headers)
        } else if let xml = answer["xml"]?.string {
            self = .xml(xml, status: status, headers: headers)
        } else if let html = answer["html"]?.string {
            self = .html(html, status: status, headers: headers)
        } else if let text = answer["text"]?.string {
            self = .text(text, status: status, headers: headers)
        } else {
            self = .bytes(
                Array((answer["body"]?.string ?? "").utf8), type: answer["contentType"]?.string, status: status,
                headers: headers)
        }
    }
}
