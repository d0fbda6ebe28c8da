import AdapterRuntime
import Authentication
import ClientProtocol
import Core
import Foundation
import HTTPTypes
import Hummingbird
import Installation
import Logging
import Management
import NIOCore
import NIOFoundationCompat
import PollScheduler
import WorklightProject

/// The server's resources besides those for clients and back ends (see `ClientProtocolHandler`):
///
/// - `/` and `/health`: pages for browsers, JSON for programs. `/` redirects browsers to the console.
/// - `/console/…`: ``ConsoleSite``.
/// - `/health/live`: the process responds. `/health/ready`: status 503 when the server should get no requests. GET, HEAD and OPTIONS, since load
///   balancers use any of these. The responses are one word; accounts with a role get the findings too.
/// - `/management/v1/…`: ``ManagementAPI``.
/// - `/metrics`: the metrics for Prometheus.
struct Routes: Sendable {
    let api: ManagementAPI
    let access: ManagementAccess
    let live: LivePages

    var installation: Installation { api.installation }

    /// - Parameter isConsole: whether the router is for the console's port.
    func router(isConsole: Bool = false) -> Router<ServerRequestContext> {
        let router = Router(context: ServerRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: RequestSpanMiddleware(telemetry: installation.telemetry))
        if let log = AccessLog(installation) {
            router.add(middleware: AccessLogMiddleware(log: log, address: address))
        }
        router.add(
            middleware: ErrorBodyMiddleware(logger: installation.logger, handler: ClientProtocolHandler(installation)))
        for method in [HTTPRequest.Method.get, .options] {
            router.on("health/live", method: method) { _, _ in Self.health(Self.json(#"{"status":"live"}"#)) }
            router.on("health/ready", method: method) { request, context in
                Self.health(await health(request, context))
            }
        }
        router.get("metrics") { request, context in await metrics(request, context, isConsole: isConsole) }
        router.get("/") { request, _ in await self.start(request) }
        router.get("health") { request, context in
            Self.isForPeople(request) ? await healthPage(request, context) : await health(request, context)
        }
        for method in [HTTPRequest.Method.get, .post, .put, .delete, .patch, .options, .trace] {
            for path in ["console", "console/**"] {
                router.on("\(path)", method: method) { request, context in await console.answer(request, context) }
            }
        }
        for method in [HTTPRequest.Method.get, .post, .put, .delete, .patch, .options, .trace] {
            router.on("management/v1/**", method: method) { request, context in try await manage(request, context) }
        }
        return router
    }

    var console: ConsoleSite { ConsoleSite(api: api, access: access, live: live, clientAddress: address) }

    private static func health(_ response: Response) -> Response {
        var response = response
        response.headers[.allow] = "GET, HEAD, OPTIONS"
        return response
    }

    static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}
