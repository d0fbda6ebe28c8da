import HTTPTypes
import PushModel
import Transport

extension DirectAnswers {
    /// Whatever clients and back ends ask for by the protocol of the original.
    static func wire(_ server: WireServer, serverName: String) -> DirectAnswers {
        let date = DateHeader(time: server.installation.time)
        return DirectAnswers(
            readsClientCertificates: server.installation.settings.tls?.clientAuthorities != nil
        ) { path in
            guard let path = server.path(String(path)) else { return nil }
            return { request in
                var response = await server.installation.tracing(
                    request.method, path.route.rawValue, request.headers, status: \Response.status
                ) {
                    await server.answer(path, .reading(request, server.installation))
                }
                server.installation.metrics.clientRequests.answered(path, response.status.code)
                response.headers.append(HTTPField(name: .date, value: date.text))
                response.headers.append(HTTPField(name: .server, value: serverName))
                return response
            }
        }
    }
}
