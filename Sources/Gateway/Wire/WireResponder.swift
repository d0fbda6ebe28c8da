import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Answers the paths of the original's protocol, and passes all others on to the router.
///
/// Hummingbird's own errors have no body, at which clients of 6.2 and later throw in the app's callback; here they get one
/// (wire-protocol 13).
struct WireResponder<Next: HTTPResponder>: HTTPResponder where Next.Context == GatewayContext {
    let server: WireServer
    let next: Next

    func respond(to request: Request, context: GatewayContext) async throws -> Response {
        let response: Response
        do {
            if let path = server.path(request.uri.path) {
                response = try await server.answer(path, request, context)
            } else {
                response = try await next.respond(to: request, context: context)
            }
        } catch let error as any HTTPResponseError {
            response = WireAnswer.failure(of: error)
        } catch  where !(error is ChannelError || error is IOError || Task.isCancelled) {
            server.logger.error("\(request.method) \(request.uri.path.prefix(200)) failed: \(error)")
            response = WireAnswer.failure(
                .unexpected, "the server cannot answer this at the moment", status: .internalServerError)
        }
        // After an answer to HEAD a client, or a proxy before us, takes the next bytes for the next answer (RFC 9110, 9.3.2).
        return request.method == .head ? response.createHeadResponse() : response
    }
}

extension WireAnswer {
    /// The answer to a path at which there is nothing.
    static var nothingHere: Response {
        failure(.notFound, "there is nothing at this path", status: .notFound)
    }

    /// The answer to an error that the router or a request's body threw, with its status and its headers.
    static func failure(of error: any HTTPResponseError) -> Response {
        guard error.status != .notFound else { return nothingHere }
        var answer = failure(
            .unexpected, (error as? HTTPError)?.body ?? error.status.reasonPhrase.lowercased(), status: error.status)
        for field in (error as? HTTPError)?.headers ?? [:] where answer.headers[field.name] == nil {
            answer.headers.append(field)
        }
        return answer
    }
}
