import AdapterRuntime
import Authentication
import Core
import Foundation
package import HTTPServer
import HTTPTypes
package import Installation
import Logging
import NIOCore
import Storage
import Tokens

/// Answers clients and back ends in the protocol of the original (wire-protocol).
package struct ClientProtocolHandler: Sendable {
    /// One reference, since the many functions that run for a request pass the server on.
    private final class Parts: Sendable {
        let installation: Installation
        let handshake: Handshake
        let contextRoot: String
        let paths: ClientPathCache

        init(_ installation: Installation) {
            self.installation = installation
            let security = installation.security
            handshake = Handshake(rules: security.rules, blocks: security.blocks, log: security.log)
            let root = installation.settings.contextRoot
            contextRoot = root.hasSuffix("/") ? String(root.dropLast()) : root
            paths = ClientPathCache(contextRoot: contextRoot)
        }
    }

    private let parts: Parts

    package init(_ installation: Installation) {
        parts = Parts(installation)
    }

    package var installation: Installation { parts.installation }
    var security: SecurityServices { parts.installation.security }
    var handshake: Handshake { parts.handshake }
    /// Without a slash at its end.
    var contextRoot: String { parts.contextRoot }

    var logger: Logger { installation.logger }

    var guests: GuestQuotaEnforcer {
        GuestQuotaEnforcer(store: installation.store, quota: installation.settings.guestQuota, log: security.log)
    }

    /// A message for clients. In production it names no application, adapter or file.
    ///
    /// - Parameters:
    ///   - message: for production. The details are in the log, in the line with the same id.
    ///   - details: for development.
    func told(_ message: String, _ details: String) -> String {
        guard installation.settings.mode == .production else { return details }
        let reference = FailureReference()
        logger.info("a request was refused: \(details)", metadata: reference.metadata)
        return "\(message) (\(reference))"
    }

    /// What a path means; `nil` when it is none of the protocol's.
    package func path(_ text: String) -> ClientProtocolPath? { parts.paths.path(text) }

    /// Answers a request.
    package func answer(_ path: ClientProtocolPath, _ call: IncomingRequest) async -> Response {
        guard [.get, .post].contains(call.request.method) else {
            var response = ClientProtocolResponse.failure(
                .unexpected, "expected GET or POST", status: .methodNotAllowed)
            response.headers[.allow] = "GET, POST"
            return response
        }
        switch path {
        case .application(let id, let environment, let action):
            let application = ClientApplication(
                id: id, environment: ClientEnvironment(environment),
                version: call.appVersion ?? "")
            return await answer(action, of: application, call)
        case .service(let name): return await answer(service: name, call)
        case .invoke: return await answerInvoke(call)
        case .developmentInvoke: return await answerDevelopmentInvoke(call)
        case .adapter(let adapter, let procedure):
            return await answerAdapter(adapter, procedure: procedure, call)
        case .authorization(let path): return await answerAuthorization(path, call)
        case .tokenEndpoint: return await answerTokenEndpoint(call)
        case .webPush(let resource): return await answer(resource, call)
        case .phoneGateway(let service, let path): return await answer(service, path: path, call)
        }
    }

    func clientRequest(_ call: IncomingRequest) -> ClientRequest {
        ClientRequest(making: { [contextRoot] in
            let request = call.request
            return ClientRequest(
                method: request.method.rawValue, url: "\(call.origin.scheme)://\(call.origin.host)\(request.path)",
                query: request.query.map(String.init), contextPath: contextRoot,
                headers: [(name: "Host", value: call.origin.host)]
                    + request.headers.map { (name: $0.name.rawName, value: $0.value) },
                parameters: call.fields.all, remoteAddress: call.origin.address)
        })
    }
}

/// A request, and what is known of where it comes from.
package final class IncomingRequest: Sendable {
    let request: Request
    package let origin: RequestOrigin
    /// Of the query and of the body.
    let fields: FormFields

    var body: ByteBuffer { request.body }

    /// The version that the application says it has; `nil` when it says none.
    var appVersion: String? { request.headers.value(of: .appVersion).flatMap { $0.isEmpty ? nil : $0 } }

    /// Reads a request; a long form on another thread than an event loop's.
    package static func reading(_ request: Request, _ installation: Installation) async -> IncomingRequest {
        await ThreadPool.shared.run(ifLong: request.body.readableBytes) {
            IncomingRequest(request, installation)
        }
    }

    /// The same request with other fields.
    init(_ call: IncomingRequest, fields: FormFields) {
        (request, origin, self.fields) = (call.request, call.origin, fields)
    }

    private init(_ request: Request, _ installation: Installation) {
        self.request = request
        origin = RequestOrigin(of: request, at: installation)
        var fields = FormFields(request.query.map(String.init) ?? "")
        let type = request.headers.value(of: .contentType) ?? ""
        if request.method == .post, type.isEmpty || type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
            fields.add(String(buffer: request.body))
        }
        self.fields = fields
    }
}
