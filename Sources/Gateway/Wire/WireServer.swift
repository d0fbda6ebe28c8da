import AdapterRuntime
import Authentication
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PushModel
import Storage
import Tokens

/// Answers clients and back ends in the protocol of the original (wire-protocol).
struct WireServer: Sendable {
    let installation: Installation
    let security: SecurityServices
    let handshake: Handshake
    /// Without a slash at its end.
    let contextRoot: String
    private let paths: WirePathTable

    init(_ installation: Installation) {
        self.installation = installation
        security = installation.security
        handshake = Handshake(rules: installation.security.rules, log: installation.security.log)
        let root = installation.settings.contextRoot
        contextRoot = root.hasSuffix("/") ? String(root.dropLast()) : root
        paths = WirePathTable(contextRoot: contextRoot)
    }

    var logger: Logger { installation.logger }

    var guests: Guests {
        Guests(store: installation.store, quota: installation.settings.guestQuota, log: security.log)
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
    func path(_ text: String) -> WirePath? { paths.path(text) }

    func answer(_ path: WirePath, _ request: Request, _ context: GatewayContext) async throws -> Response {
        guard [.get, .post].contains(request.method) else {
            var response = WireAnswer.failure(.unexpected, "expected GET or POST", status: .methodNotAllowed)
            response.headers[.allow] = "GET, POST"
            return response
        }
        let body: ByteBuffer
        if request.method == .post {
            do {
                body = try await request.body.collect(upTo: installation.settings.longestRequest)
            } catch is NIOTooManyBytesError {
                security.log.reached(
                    "limits.request", by: context.remoteAddress?.ipAddress, "refused a request with 413")
                return WireAnswer.failure(
                    .unexpected, "the request is longer than \(installation.settings.longestRequest) bytes",
                    status: .contentTooLarge)
            }
        } else {
            body = ByteBuffer()
        }
        let origin = RequestOrigin(
            of: request.head, peer: context.remoteAddress?.ipAddress, local: context.localAddress?.ipAddress,
            settings: installation.settings)
        return await answer(path, .reading(request, body, from: origin))
    }

    /// Answers a request that has been read whole.
    func answer(_ path: WirePath, _ call: IncomingCall) async -> Response {
        switch path {
        case .application(let id, let environment, let action):
            let application = ClientApplication(
                id: id, environment: ClientEnvironment(environment),
                version: call.request.headers[.appVersion] ?? "")
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

    func clientRequest(_ call: IncomingCall) -> ClientRequest {
        let uri = call.request.uri
        return ClientRequest(
            method: call.request.method.rawValue, url: "\(call.origin.scheme)://\(call.origin.host)\(uri.path)",
            query: uri.query, contextPath: contextRoot,
            headers: [(name: "Host", value: call.origin.host)]
                + call.request.headers.map { (name: $0.name.rawName, value: $0.value) },
            parameters: call.fields.all, remoteAddress: call.origin.address)
    }
}

/// A request that has been read whole.
struct IncomingCall: Sendable {
    let request: Request
    let body: ByteBuffer
    let origin: RequestOrigin
    /// Of the query and of the body.
    var fields: FormFields

    /// Reads a request; a long form on another thread than an event loop's.
    static func reading(_ request: Request, _ body: ByteBuffer, from origin: RequestOrigin) async -> IncomingCall {
        await ThreadPool.shared.run(ifLong: body.readableBytes) {
            IncomingCall(request: request, body: body, origin: origin)
        }
    }

    private init(request: Request, body: ByteBuffer, origin: RequestOrigin) {
        self.request = request
        self.body = body
        self.origin = origin
        var fields = FormFields(request.uri.query ?? "")
        let type = request.headers[.contentType] ?? ""
        if body.readableBytes > 0, type.isEmpty || type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
            fields.add(String(buffer: body))
        }
        self.fields = fields
    }
}
