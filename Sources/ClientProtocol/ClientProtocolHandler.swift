import AdapterRuntime
import Authentication
import Core
import Foundation
package import HTTPServer
import HTTPTypes
package import Installation
import Logging
import Storage
import Tokens

/// Responds to clients and back ends in the protocol of the original (wire-protocol).
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

    /// Returns the meaning of a path; `nil` when it does not belong to the protocol.
    package func path(_ text: String) -> ClientProtocolPath? { parts.paths.path(text) }

    /// Returns the response to a request for a path that nothing serves.
    ///
    /// A path that belongs to the protocol under another context root is logged, since an app with a wrong root does not connect at all.
    package func answerUnknown(_ path: String) -> Response {
        var message = "there is nothing at this path"
        // With the right root, it came to the console's port.
        if let root = ClientProtocolPath.contextRoot(of: path), root != contextRoot {
            let hint =
                "the context root is \(contextRoot.isEmpty ? "/" : contextRoot); if the app is yours, set contextRoot: "
                + "\(root.isEmpty ? "/" : root) in lamplighter.yaml"
            security.log.log("context root", at: .warning, "an app asks for \(path.prefix(200)), but \(hint)")
            if installation.settings.mode == .development { message += ": \(hint)" }
        }
        return ClientProtocolResponse.failure(.notFound, message, status: .notFound)
    }

    /// Returns the response to a request.
    package func answer(_ path: ClientProtocolPath, _ call: IncomingRequest) async -> Response {
        if case .webApp(let path) = path { return await answer(path, call) }
        guard call.request.method == .get || call.request.method == .post else {
            var response = ClientProtocolResponse.failure(
                .unexpected, "expected GET or POST", status: .methodNotAllowed)
            response.headers[.allow] = "GET, POST"
            return response
        }
        switch path {
        case .webApp(let path): return await answer(path, call)
        case .application(let id, let environment, let action):
            let application = ClientApplication(
                id: id, environment: ClientEnvironment(environment),
                version: call.appVersion ?? "")
            return await answer(action, of: application, call)
        case .service(let name): return await answer(service: name, call)
        case .invoke: return await answerInvoke(call, isByToken: false)
        case .developmentInvoke: return await answerDevelopmentInvoke(call)
        case .adapter: return await answerInvoke(call, isByToken: true)
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
                method: request.method.rawValue, url: "\(call.scheme)://\(call.host)\(request.path)",
                query: request.query.map(String.init), contextPath: contextRoot,
                headers: [(name: "Host", value: call.host)]
                    + request.headers.map { (name: $0.name.rawName, value: $0.value) },
                parameters: call.fields.all, remoteAddress: call.address)
        })
    }
}
