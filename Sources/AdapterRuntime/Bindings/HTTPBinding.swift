import AsyncHTTPClient
import Foundation
import JavaScriptEngine
import Logging
import NIOCore
import NIOHTTP1
import PushModel
import WorklightProject

/// `WL.Server.invokeHttp`, as far as a polling adapter needs it (server-api 2.2): GET and POST, parameters, headers, JSON
/// and plain results, timeouts.
extension AdapterScope {
    func installHTTP(in object: ScriptValue) throws {
        try add("invokeHttp", to: object) { scope, call in
            guard call[0].isObject else {
                throw HostError("invokeHttp: expected an object with 'method' and 'path', got \(call[0].kind)")
            }
            return try scope.invokeHTTP(BackEndRequest(call[0], scope: scope))
        }
    }

    /// Waits for the back end. Only this scope's machine waits.
    private func invokeHTTP(_ request: BackEndRequest) throws -> ScriptValue {
        let clock = ContinuousClock()
        let started = clock.now
        let timeout = min(request.timeout, context.remainingTime ?? request.timeout)
        do {
            let httpRequest = try request.makeRequest()
            let accumulator = ResponseAccumulator(
                request: httpRequest, maxBodySize: adapter.settings.backEndResponse)
            try flushNotifications()
            let task = adapter.services.httpClient.execute(
                request: httpRequest, delegate: accumulator,
                deadline: .now() + .nanoseconds(Int64(timeout / .nanoseconds(1))))
            let response = try task.wait()
            let elapsed = clock.now - started
            adapter.backEndTrouble.end()
            return try BackEndResponse(response, contentType: request.returnedContentType)
                .makeResult(in: context, elapsed: elapsed)
        } catch let error as HostError {
            throw error
        } catch {
            // A poll that asks every few seconds must not fill the log.
            let level = adapter.backEndTrouble.begin() ? Logger.Level.warning : .debug
            logger.log(level: level, "invokeHttp: \(request.method.rawValue) \(request.url) failed: \(error)")
            return try BackEndResponse.makeFailure(error, in: context)
        }
    }
}

/// What a script asks of its back end.
private struct BackEndRequest {
    let method: HTTPMethod
    let url: String
    let headers: HTTPHeaders
    let body: String?
    let timeout: Duration
    let returnedContentType: String?

    init(_ options: ScriptValue, scope: AdapterScope) throws {
        guard let policy = scope.adapter.descriptor.connectivity.http else {
            throw HostError(
                "invokeHttp: \(scope.adapter.descriptor.path) has no HTTP connectivity; it needs a connectionPolicy of type "
                    + "http:HTTPConnectionPolicyType")
        }
        guard let domain = policy.domain else {
            throw HostError("invokeHttp: \(scope.adapter.descriptor.path) names no 'domain' in its connectionPolicy")
        }
        let name = try options.get("method").string?.uppercased() ?? ""
        guard ["GET", "POST"].contains(name) else {
            throw HostError("invokeHttp: 'method' must be get or post, got \(try options.get("method").kind)")
        }
        method = HTTPMethod(rawValue: name)
        guard let path = try options.get("path").string else {
            throw HostError("invokeHttp: 'path' must be a text, got \(try options.get("path").kind)")
        }
        let parameters = try Self.map(options.get("parameters"), "parameters")
        var headers = HTTPHeaders(try Self.map(options.get("headers"), "headers"))
        var target = path.hasPrefix("/") ? path : "/" + path
        let content = try options.get("body")
        let form = parameters.map { "\(Self.encode($0.0))=\(Self.encode($0.1))" }.joined(separator: "&")
        if method == .GET {
            guard content.isNullOrUndefined else { throw HostError("invokeHttp: 'body' is not allowed with get") }
            if !form.isEmpty { target += (target.contains("?") ? "&" : "?") + form }
            body = nil
        } else if content.isObject {
            if !form.isEmpty { target += (target.contains("?") ? "&" : "?") + form }
            body = try content.get("content").text()
            headers.replaceOrAdd(
                name: "Content-Type", value: try content.get("contentType").string ?? "text/plain; charset=utf-8")
        } else {
            body = form
            headers.replaceOrAdd(name: "Content-Type", value: "application/x-www-form-urlencoded; charset=utf-8")
        }
        self.headers = headers
        url = "\(policy.scheme)://\(domain):\(policy.port)\(target)"
        let socket = try options.get("socketTimeoutInMilliseconds").number ?? Double(policy.socketTimeout)
        let connection = try options.get("connectionTimeoutInMilliseconds").number ?? Double(policy.connectionTimeout)
        timeout = .milliseconds(max(1, socket + connection))
        returnedContentType = try options.get("returnedContentType").string
    }

    func makeRequest() throws -> HTTPClient.Request {
        guard let url = URL(string: url) else { throw HostError("invokeHttp: '\(url)' is no URL; check 'path'") }
        return try HTTPClient.Request(
            url: url, method: method, headers: headers, body: body.map { HTTPClient.Body.string($0) })
    }

    private static func map(_ value: ScriptValue, _ name: String) throws -> [(String, String)] {
        if value.isNullOrUndefined { return [] }
        guard value.isObject else { throw HostError("invokeHttp: '\(name)' must be an object, got \(value.kind)") }
        return try value.keys.map { ($0, try value.get($0).text()) }
    }

    /// As a form does it: a blank is `+`, what is neither letter, digit nor `*-._` becomes `%XX`.
    private static func encode(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: result.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: " "): result.append("+")
            default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}

/// What the back end answered, as the script gets it: one flat object of the body's members and the transport's.
private struct BackEndResponse {
    let response: HTTPClient.Response
    let text: String
    let isJSON: Bool

    init(_ response: HTTPClient.Response, contentType: String?) {
        self.response = response
        text = response.body.map { String(buffer: $0) } ?? ""
        let type = contentType ?? response.headers.first(name: "Content-Type") ?? ""
        isJSON = type.lowercased().contains("json")
    }

    func makeResult(in context: ScriptContext, elapsed: Duration) throws -> ScriptValue {
        var result = context.makeObject()
        if !isJSON {
            try result.set("text", context.make(text))
        } else if let value = context.parse(json: text) {
            if value.isArray {
                try result.set("array", value)
            } else if value.isObject {
                result = value
            } else {
                try result.set("text", context.make(text))
            }
        } else {
            return try Self.makeFailure(HostError("the back end's answer is not JSON"), in: context)
        }
        let headers = context.makeObject()
        for header in response.headers { try headers.set(header.name, context.make(header.value)) }
        let milliseconds = context.make((elapsed / .milliseconds(1)).rounded())
        try result.set("statusCode", context.make(Double(response.status.code)))
        try result.set("statusReason", context.make(response.status.reasonPhrase))
        try result.set("responseHeaders", headers)
        try result.set("responseTime", milliseconds)
        try result.set("totalTime", milliseconds)
        if !result.has("isSuccessful") { try result.set("isSuccessful", context.make(true)) }
        for key in ["errors", "warnings", "info"] where !result.has(key) {
            try result.set(key, try context.makeArray([]))
        }
        return result
    }

    static func makeFailure(_ error: any Error, in context: ScriptContext) throws -> ScriptValue {
        let message = context.make("Runtime: Http request failed: \(error)")
        let result = context.makeObject()
        try result.set("isSuccessful", context.make(false))
        try result.set("errors", try context.makeArray([message]))
        try result.set("warnings", try context.makeArray([]))
        try result.set("info", try context.makeArray([]))
        return result
    }
}
