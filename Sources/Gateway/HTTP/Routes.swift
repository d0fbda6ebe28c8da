import AdapterRuntime
import Authentication
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOFoundationCompat
import PollScheduler
import PushModel
import WorklightProject

/// What it answers besides clients and back ends, see `WireServer`:
///
/// - `/`: what this is, and where to go; `/health`: whether the server is ready, and why not. Pages for browsers, JSON for programs.
/// - `/health/live`: the process answers. `/health/ready`: adapters are loaded and the store can be read. To GET, HEAD and
///   OPTIONS, since load balancers ask by any of these.
/// - `/management/v1/…`: for the command line, with the key that the data folder holds.
struct Routes: Sendable {
    let installation: Installation
    let scheduler: PollScheduler
    let managementKey: String
    let readiness: Readiness
    let logs: LogBook

    func router() -> Router<GatewayContext> {
        let router = Router(context: GatewayContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: FailureBodies(logger: installation.logger))
        for method in [HTTPRequest.Method.get, .options] {
            router.on("health/live", method: method) { _, _ in Self.health(Self.json(#"{"status":"live"}"#)) }
            router.on("health/ready", method: method) { _, _ in Self.health(await readiness().response) }
        }
        router.get("/") { request, _ in await self.start(request) }
        router.get("health") { request, _ in await health(request) }

        let management = router.group("management/v1").add(middleware: KeyMiddleware(key: managementKey))
        management.get("subscriptions") { request, _ in
            let query = FormFields(request.uri.query ?? "")
            return await answer(
                .subscriptions(
                    eventSource: query["eventSource"], user: query["user"], application: query["application"]))
        }
        management.post("subscriptions") { request, _ in
            await answerForm(request.body, "subscription") { .subscribe($0) }
        }
        management.delete("subscriptions") { request, _ in
            await answerForm(request.body, "subscription") { .unsubscribe($0) }
        }
        // For the command line, which knows no context root.
        management.post("invoke") { request, context in
            let query = FormFields(request.uri.query ?? "")
            guard query["attended"] == "true" else { return await invoke(request.body, query) }
            return try await attended(request, context) { await invoke($0, query, isAttended: true) }
        }
        management.post("adapters/:name/evaluate") { request, context in
            let name = context.parameters.get("name") ?? ""
            return try await attended(request, context) { body in
                await answerForm(body, "code") { (form: EvaluationForm) in
                    var form = form
                    form.adapter = name
                    return .evaluate(form)
                }
            }
        }
        management.get("deliveries") { request, _ in
            let query = FormFields(request.uri.query ?? "")
            let limit = query["limit"].map { Int($0) ?? 0 } ?? 100
            return await answer(.deliveries(state: query["state"], limit: limit))
        }
        management.get("status") { _, _ in await answer(.status) }
        management.get("applications") { _, _ in await answer(.applicationRules) }
        management.put("applications") { request, _ in
            await answerForm(request.body, "rule") { .setApplicationRule($0) }
        }
        management.delete("applications") { request, _ in
            await answerForm(request.body, "rule") { .removeApplicationRule($0) }
        }
        management.get("client-log") { request, _ in
            let query = FormFields(request.uri.query ?? "")
            return await answer(
                .clientLog(
                    ClientLogForm(
                        level: query["level"], application: query["application"], device: query["device"],
                        text: query["text"], before: query["before"].flatMap { Int($0) },
                        limit: query["limit"].map { Int($0) ?? 0 } ?? 100)))
        }
        management.post("messages") { request, _ in await send(request) }
        management.get("messages/:id") { _, context in
            await answerWithProblems(.message(id: context.parameters.get("id") ?? ""))
        }
        management.get("adapters") { _, _ in await answer(.adapters) }
        management.post("adapters/:name") { _, context in
            await answer(.deploy(adapter: context.parameters.get("name") ?? ""), failure: .unprocessableContent)
        }
        management.delete("adapters/:name") { _, context in
            await answer(.undeploy(adapter: context.parameters.get("name") ?? ""), failure: .notFound)
        }
        addFollowing(to: management)
        return router
    }

    /// Answers while whoever asked waits. Who presses Ctrl-C closes the connection and wants no result: then the task is cancelled.
    private func attended(
        _ request: Request, _ context: GatewayContext, _ body: @escaping @Sendable (RequestBody) async -> Response
    ) async throws -> Response {
        var answer = try await request.body.consumeWithCancellationOnInboundClose { await body($0) }
        // Hummingbird closes a connection on which it has looked out for the client's going away.
        if !context.isStream { answer.headers[.connection] = "close" }
        return answer
    }

    private func invoke(_ body: RequestBody, _ query: FormFields, isAttended: Bool = false) async -> Response {
        do {
            let body = try await body.collect(upTo: installation.settings.longestRequest)
            var fields = query
            fields.add(String(buffer: body))
            let adapter = fields["adapter"] ?? ""
            if let source = fields["poll"] { return await answer(.tracePoll(adapter: adapter, eventSource: source)) }
            let parameters = fields["parameters"] ?? ""
            if let kind = fields["event"] {
                return await answer(.traceEvent(adapter: adapter, kind: kind, event: parameters))
            }
            let procedure = fields["procedure"] ?? ""
            return await answer(
                fields["trace"] == "true"
                    ? .traceInvocation(adapter: adapter, procedure: procedure, parameters: parameters)
                    : .invoke(
                        adapter: adapter, procedure: procedure, parameters: parameters, isAttended: isAttended))
        } catch {
            return Self.failure("the request's body cannot be read: \(error)", status: .badRequest)
        }
    }

    private static func health(_ response: Response) -> Response {
        var response = response
        response.headers[.allow] = "GET, HEAD, OPTIONS"
        return response
    }

    private func answerForm<Form: Decodable>(
        _ body: RequestBody, _ kind: String, _ make: (Form) -> ManagementRequest
    ) async -> Response {
        do {
            let body = try await body.collect(upTo: installation.settings.longestRequest)
            let form = try JSONDecoder().decode(Form.self, from: Data(buffer: body))
            return await answer(make(form))
        } catch {
            return Self.failure("the request's body is no \(kind): \(error)", status: .badRequest)
        }
    }

    /// Answers with 200, and with 400 or 500 when there is no reply.
    ///
    /// - Parameter failure: the status where the reply says that it went wrong.
    private func answer(_ request: ManagementRequest, failure: HTTPResponse.Status = .ok) async -> Response {
        do {
            let reply = try await installation.answer(request)
            return Self.json(reply.body, status: reply.isSuccessful ? .ok : failure)
        } catch let error as StoreError {
            installation.logger.error("\(error)")
            return Self.failure("\(error)", status: .internalServerError)
        } catch {
            return Self.failure("\(error)", status: .badRequest)
        }
    }

    static func failure(_ message: String, status: HTTPResponse.Status) -> Response {
        json(JSONValue.object(WireAnswer.failureBody(.unexpected, message)).text, status: status)
    }

    static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}

/// Lets through who knows the key.
private struct KeyMiddleware: RouterMiddleware {
    let key: String

    func handle(
        _ request: Request, context: GatewayContext,
        next: (Request, GatewayContext) async throws -> Response
    ) async throws -> Response {
        guard let given = request.headers[.authorization], given.isSame(as: "Bearer \(key)") else {
            return Routes.failure(
                "the management interface wants the key that server.json in the data folder holds",
                status: .unauthorized)
        }
        return try await next(request, context)
    }
}

extension Result where Failure == any Error {
    fileprivate init(catching body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
