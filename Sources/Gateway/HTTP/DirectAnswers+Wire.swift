import Core
import HTTPServer
import HTTPTypes
import NIOCore

extension DirectAnswers {
    /// Whatever clients and back ends ask for by the protocol of the original.
    static func wire(_ server: ClientProtocolHandler, serverName: String) -> DirectAnswers {
        let date = DateHeader(time: server.installation.time)
        let log = AccessLog(server.installation)
        @Sendable func answer(_ path: ClientProtocolPath, _ call: IncomingRequest) async -> Response {
            var response = await server.answer(path, call)
            server.installation.metrics.clientRequests.answered(path, response.status.code)
            response.headers.append(HTTPField(name: .date, value: date.text))
            response.headers.append(HTTPField(name: .server, value: serverName))
            return response
        }
        return DirectAnswers(
            readsClientCertificates: server.installation.settings.tls?.clientAuthorities != nil
        ) { path in
            guard let path = server.path(String(path)) else { return nil }
            let start = server.installation.time.uptime
            return { request in
                await server.installation.tracing(
                    request.method, path.route.rawValue, request.headers, status: \Response.status
                ) {
                    guard let log else { return await answer(path, .reading(request, server.installation)) }
                    let record = log.begin(at: start)
                    return await RequestRecord.$current.withValue(record) {
                        let call = await IncomingRequest.reading(request, server.installation)
                        let response = await answer(path, call)
                        log.log(
                            record, method: request.method.knownName, path: request.path, status: response.status.code,
                            bytes: request.method == .head ? 0 : response.body.readableBytes,
                            address: call.origin.address)
                        return response
                    }
                }
            }
        }
    }
}
