import Core
import HTTPTypes
import Hummingbird
import Installation
import Management
import OTLPExporter
import Tracing

/// Makes spans of the requests that the router serves. Health checks and scrapes of metrics have none.
struct RequestSpanMiddleware: RouterMiddleware {
    let telemetry: Telemetry

    func handle(
        _ request: Hummingbird.Request, context: ServerRequestContext,
        next: (Hummingbird.Request, ServerRequestContext) async throws -> Hummingbird.Response
    ) async throws -> Hummingbird.Response {
        let path = request.uri.path
        guard let tracer = telemetry.tracer, !["/health", "/metrics"].contains(where: path.hasPrefix) else {
            return try await next(request, context)
        }
        let route = ["console", "management"].first { path.hasPrefix("/\($0)") } ?? "other"
        return try await tracer.tracing(
            request.method, route, request.headers, status: \Hummingbird.Response.status
        ) {
            try await next(request, context)
        }
    }
}

extension OTLPTracer {
    /// Handles a request within a span, which continues the client's trace. The span has no path, no query and no address: they may be a user's data.
    ///
    /// - Parameter route: the kind of request, from a closed set.
    func tracing<Answer>(
        _ method: HTTPRequest.Method, _ route: String, _ headers: HTTPFields,
        status: any KeyPath<Answer, HTTPResponse.Status> & Sendable, _ answer: () async throws -> Answer
    ) async rethrows -> Answer {
        var context = ServiceContext.topLevel
        extract(headers, into: &context, using: FieldExtractor())
        let method = method.knownName
        let span = self.span(
            "\(method) \(route)", in: context, ofKind: .server,
            ["http.request.method": .string(method), "http.route": .string(route)])
        do {
            let answer = try await ServiceContext.withValue(span.context) { try await answer() }
            let code = answer[keyPath: status].code
            span.attributes["http.response.status_code"] = code
            span.end(failure: code >= 500 ? "\(code)" : nil)
            return answer
        } catch {
            span.end(failure: "unanswered")
            throw error
        }
    }
}

extension HTTPRequest.Method {
    /// The name of a method of HTTP, and `_OTHER` for any other word that a client has sent, as OpenTelemetry has it.
    var knownName: String {
        [.get, .head, .post, .put, .delete, .patch, .options, .trace].contains(self) ? rawValue : "_OTHER"
    }
}

private struct FieldExtractor: Extractor {
    func extract(key: String, from fields: HTTPFields) -> String? {
        HTTPField.Name(key).flatMap { fields[$0] }
    }
}
