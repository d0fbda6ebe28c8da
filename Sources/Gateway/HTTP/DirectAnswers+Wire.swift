import HTTPTypes
import NIOCore
import PushModel
import Transport

extension DirectAnswers {
    /// Whatever clients and back ends ask for by the protocol of the original.
    static func wire(_ server: WireServer, serverName: String) -> DirectAnswers {
        let date = DateHeader(time: server.installation.time)
        let log = AccessLog(server.installation)
        @Sendable func answer(_ path: WirePath, _ call: IncomingCall) async -> Response {
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
            guard let log else {
                return { request in await answer(path, .reading(request, server.installation)) }
            }
            let record = log.begin()
            return { request in
                await RequestRecord.$current.withValue(record) {
                    let call = await IncomingCall.reading(request, server.installation)
                    let response = await answer(path, call)
                    log.log(
                        record, method: request.method.rawValue, path: request.path, status: response.status.code,
                        bytes: request.method == .head ? 0 : response.body.readableBytes, address: call.origin.address)
                    return response
                }
            }
        }
    }
}
