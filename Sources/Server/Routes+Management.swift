import Authentication
import Core
import Foundation
import HTTPServer
import HTTPTypes
import Hummingbird
import Installation
import Management
import NIOCore
import NIOFoundationCompat

/// The management API over HTTP.
extension Routes {
    private static let root = "/management/v1/"
    /// The largest body of a caller without a token, in bytes.
    private static let longestLogin = 16 << 10

    func manage(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        if let response = await openIDLogin(request, context) { return response }
        let principal: ManagementPrincipal?
        do {
            principal = try await access.principal(
                request.headers[.authorization],
                user: HTTPField.Name(ManagementPrincipal.userHeader).flatMap { request.headers[$0] },
                address: address(request, context))
        } catch {
            return Self.response(ManagementError(.unavailable, "\(error)").answer)
        }
        guard let principal = principal ?? anonymous(request, context) else { return Self.unauthorized }
        let call: ManagementCall
        let isInteractive: Bool
        do throws(ManagementError) {
            // Before its body is read.
            let asked = self.call(request)
            let route = try ManagementAPI.route(of: asked).0
            try ManagementAPI.check(principal, route)
            let wantsCSV = request.headers[.accept]?.lowercased().contains("text/csv") == true
            call = route.offersCSV && wantsCSV ? asked.asCSV : asked
            isInteractive = route.isInteractive
        } catch {
            return Self.response(error.answer)
        }
        guard isInteractive else { return await answer(call, request, request.body, as: principal) }
        // The call is cancelled when its client closes the connection.
        var response = try await request.body.consumeWithCancellationOnInboundClose { body in
            await answer(call, request, body, as: principal)
        }
        // Hummingbird closes a connection on which it has waited for the client's end.
        if !context.isStream { response.headers[.connection] = "close" }
        return response
    }

    private func answer(
        _ call: ManagementCall, _ request: Request, _ body: RequestBody, as principal: ManagementPrincipal
    ) async -> Response {
        let limit = principal.account.isEmpty ? Self.longestLogin : installation.settings.longestRequest
        let bytes: ByteBuffer
        do {
            bytes = try await body.collect(upTo: limit)
        } catch {
            return Self.response(
                ManagementError(.contentTooLarge, "expected \(limit) bytes at most (limits.request)").answer)
        }
        guard bytes.readableBytes > 0 else { return Self.response(await api.answer(call, as: principal)) }
        // Pages of other sites can send other types without asking.
        guard request.headers[.contentType]?.lowercased().hasPrefix("application/json") == true else {
            return Self.response(
                ManagementError(.unsupportedMediaType, "expected the header Content-Type: application/json").answer)
        }
        do {
            let text = String(buffer: bytes)
            let json = try await ThreadPool.shared.run(ifLong: text.utf8.count) { try JSONValue(parsing: text) }
            var whole = call
            whole.body = json
            return Self.response(await api.answer(whole, as: principal))
        } catch {
            return Self.response(ManagementError(.badRequest, "expected JSON: \(error)").answer)
        }
    }

    static var unauthorized: Response {
        var response = response(
            ManagementError(
                .unauthorized,
                "expected 'Authorization: Bearer' with a token of 'lamplighter token add' or the managementKey in server.json"
            ).answer)
        response.headers[.wwwAuthenticate] = "Bearer"
        return response
    }

    static func response(_ answer: ManagementAnswer) -> Response {
        var response = json(answer.body, status: .init(code: answer.status))
        guard answer.isProblem else {
            if answer.type == CSVText.type {
                response.headers[.contentType] = answer.type
                response.headers.set("Content-Disposition", CSVText.disposition)
            }
            return response
        }
        response.headers[.contentType] = "application/problem+json"
        if answer.status == ManagementError.Status.methodNotAllowed.rawValue {
            response.headers[.allow] = (try? JSONValue(parsing: answer.body))?["allowed"]?.string
        }
        return response
    }

    /// A caller without a token, where the route needs none.
    private func anonymous(_ request: Request, _ context: ServerRequestContext) -> ManagementPrincipal? {
        guard let (route, _) = try? ManagementAPI.route(of: call(request)), route.role == nil else { return nil }
        return ManagementPrincipal(account: "", role: .monitor, address: address(request, context))
    }

    private func call(_ request: Request) -> ManagementCall {
        let path = request.uri.path.dropFirst(Self.root.count).split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentEncoding.decode($0, plusIsBlank: false) ?? String($0) }
        return ManagementCall(
            request.method.rawValue, segments: path, query: FormFields(request.uri.query ?? "").all,
            idempotencyKey: HTTPField.Name("Idempotency-Key").flatMap { request.headers[$0] })
    }

    /// The client's address, which trusted proxies report.
    func address(_ request: Request, _ context: ServerRequestContext) -> String {
        ClientAddress.resolve(
            remote: context.remoteAddress, headers: request.headers, trusting: installation.settings.trustedProxies
        ).address
    }
}
