import ClientProtocol
import HTTPServer
import HTTPTypes
import Hummingbird
import Logging
import Management
import NIOCore
import PushModel

/// Adds a body to errors: at an error without one, clients of 6.2 and later throw in the app's callback (wire-protocol
/// 13).
struct ErrorBodyMiddleware: RouterMiddleware {
    let logger: Logger
    /// Responds to requests for paths that nothing serves.
    let handler: ClientProtocolHandler

    func handle(
        _ request: Hummingbird.Request, context: ServerRequestContext,
        next: (Hummingbird.Request, ServerRequestContext) async throws -> Hummingbird.Response
    ) async throws -> Hummingbird.Response {
        let response: Hummingbird.Response
        do {
            response = try await next(request, context)
        } catch let error as any HTTPResponseError {
            response = Hummingbird.Response(answer(to: error, for: request.uri.path))
        } catch  where !(error is ChannelError || error is IOError || error is CancellationError || Task.isCancelled) {
            // The others mean that the client has closed the connection.
            logger.error("\(request.method) \(request.uri.path.prefix(200)) failed: \(error)")
            let isOutage = error is StoreError
            var failure = ClientProtocolResponse.failure(
                .unexpected, "the server cannot process this request at the moment",
                status: isOutage ? .serviceUnavailable : .internalServerError)
            if isOutage { failure.headers[.retryAfter] = ClientProtocolResponse.retryAfterOutage }
            response = Hummingbird.Response(failure)
        }
        // After a response to HEAD a client, or a proxy before us, takes the next bytes for the next response (RFC 9110, 9.3.2).
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// Returns the response to an error that the router or a request's body threw, with its status and its headers.
    private func answer(to error: any HTTPResponseError, for path: String) -> HTTPServer.Response {
        guard error.status != .notFound else { return handler.answerUnknown(path) }
        var answer = ClientProtocolResponse.failure(
            .unexpected, (error as? HTTPError)?.body ?? error.status.reasonPhrase.lowercased(), status: error.status)
        for field in (error as? HTTPError)?.headers ?? [:] where answer.headers[field.name] == nil {
            answer.headers.append(field)
        }
        return answer
    }
}

extension Hummingbird.Response {
    fileprivate init(_ response: HTTPServer.Response) {
        self.init(status: response.status, headers: response.headers, body: ResponseBody(byteBuffer: response.body))
    }
}
