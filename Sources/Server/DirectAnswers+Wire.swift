import AdapterRuntime
import Authentication
import ClientProtocol
import Core
import Foundation
import HTTPServer
import HTTPTypes
import Installation
import NIOCore
import OTLPExporter
import Synchronization

extension DirectAnswers {
    /// Makes the direct responses for requests of clients and back ends by the protocol of the original.
    static func wire(_ server: ClientProtocolHandler, serverName: String) -> DirectAnswers {
        let date = DateHeader(time: server.installation.time)
        let log = AccessLog(server.installation)
        let tracer = server.installation.telemetry.tracer
        @Sendable func answer(_ path: ClientProtocolPath, _ call: IncomingRequest) async -> Response {
            var response = await server.answer(path, call)
            server.installation.telemetry.metrics.clientRequests.routes[path.route]?.increment(
                .init(response.status.code))
            response.headers.append(HTTPField(name: .date, value: date.text))
            response.headers.append(HTTPField(name: .server, value: serverName))
            return response
        }
        return DirectAnswers(
            readsClientCertificates: server.installation.settings.tls?.clientAuthorities != nil
        ) { path in
            guard let path = server.path(String(path)) else { return nil }
            guard let tracer else {
                // Then there is no access log either: see Telemetry.tracer.
                return { request in await answer(path, .reading(request, for: path, server.installation)) }
            }
            let start = server.installation.time.uptime
            return { request in
                await tracer.tracing(
                    request.method, path.route.rawValue, request.headers, status: \Response.status
                ) {
                    guard let log else { return await answer(path, .reading(request, for: path, server.installation)) }
                    let record = log.begin(at: start)
                    return await RequestRecord.$current.withValue(record) {
                        let call = await IncomingRequest.reading(request, for: path, server.installation)
                        let response = await answer(path, call)
                        log.log(
                            record, method: request.method.knownName, path: request.path, status: response.status.code,
                            bytes: request.method == .head ? 0 : response.bodyLength,
                            address: call.address)
                        return response
                    }
                }
            }
        }
    }
}

extension RequestBodyRules {
    /// The limits of the settings. A client whose user has logged in is known; everybody else can make a session, and log in
    /// where nobody checks who it is.
    static func wire(_ installation: Installation) -> RequestBodyRules {
        let settings = installation.settings
        let sessions = installation.security.sessions
        var rules = RequestBodyRules(longestBody: settings.longestRequest) { headers, peer in
            if case .session(let session) = sessions.find(SessionCookies(headers).sessionIDs),
                session.standing == .user
            {
                return .known
            }
            let client = ClientAddress.resolve(
                remote: peer?.ipAddress, headers: headers, trusting: settings.trustedProxies)
            let address = IPAddress(client.address).flatMap { $0.isLoopback ? nil : $0 }
            return .unknown(address.map { ClientNetwork($0) })
        } refusal: { path, _, message in
            guard path.hasPrefix("/management/") else {
                return ClientProtocolResponse.failureContent(.unexpected, message)
            }
            return (
                [.contentType: "application/json; charset=utf-8"],
                ByteBuffer(string: ProcedureResult.failure([message]).json)
            )
        }
        rules.maximumBytes = settings.mostBodyBytes
        rules.maximumBytesPerAddress = settings.mostBodyBytesPerAddress
        return rules
    }
}

/// Caches the `Date` header, formatted once a second.
final class DateHeader: Sendable {
    private let time: any TimeSource
    private let last = Mutex((second: Int.min, text: ""))

    init(time: any TimeSource) {
        self.time = time
    }

    /// The time now, as `Sun, 06 Nov 1994 08:49:37 GMT`.
    var text: String {
        let second = Int(time.now.timeIntervalSince1970.rounded(.down))
        return last.withLock { last in
            if last.second != second { last = (second, HTTPDate.text(Date(timeIntervalSince1970: Double(second)))) }
            return last.text
        }
    }
}
