import Foundation

/// A service's decision on a request.
struct ServiceDecision: Sendable {
    var reply: WebReply
    /// The reason why it was refused; nil when it was not.
    var reason: String?
    /// The service's id of the message.
    var id: String?
    /// The decrypted body that is kept instead of the request's.
    var clearText: [UInt8]?

    /// A refusal.
    init(_ reply: WebReply, reason: String) {
        self.reply = reply
        self.reason = reason
    }

    init(accepted reply: WebReply, id: String? = nil, clearText: [UInt8]? = nil) {
        self.reply = reply
        self.id = id
        self.clearText = clearText
    }
}

/// One side of the sandbox that is reached by plain HTTP requests.
protocol WebService: Sendable {
    var name: SandboxService { get }

    /// Returns the token of the device that a request is for.
    func token(of request: WebRequest) -> String?

    /// Returns the service's decision without a fault.
    func judge(_ request: WebRequest) async -> ServiceDecision

    /// A fault, in the service's own form.
    func refusal(status: Int, reason: String) -> WebReply

    /// The decision on a token that is too old.
    var expiredToken: ServiceDecision { get }
}

extension WebService {
    /// Responds to a request: the fault first, then the service.
    func respond(to request: WebRequest, core: SandboxCore) async -> WebOutcome {
        let sequence = core.journal.nextSequence(name)
        let token = token(of: request)
        let fault = core.fault(
            for: name, connection: request.connection, sequence: sequence, method: request.method, path: request.target,
            token: token, headers: request.headers)

        func record(_ judgement: ServiceDecision?, status: Int?, reason: String?) {
            core.journal.record(name) {
                Arrival(
                    service: name, sequence: sequence, connection: request.connection, date: Date(),
                    method: request.method, path: request.target, headers: request.headers,
                    body: judgement?.clearText ?? request.body, token: token, status: status, reason: reason,
                    id: judgement?.id, isAccepted: judgement != nil && judgement?.reason == nil)
            }
        }

        switch fault {
        case .status(let status, let reason, _, let retryAfter):
            var reply = refusal(status: status, reason: reason)
            if let retryAfter { reply.headers.append(("Retry-After", String(retryAfter))) }
            record(nil, status: status, reason: reason)
            return .reply(reply)
        case .expiredToken:
            let judgement = expiredToken
            record(judgement, status: judgement.reply.status, reason: judgement.reason)
            return .reply(judgement.reply)
        case .never:
            record(nil, status: nil, reason: "never")
            return .silence
        case .reset:
            record(nil, status: nil, reason: "reset")
            return .close(resets: true)
        case .closeConnection, .goAway:
            record(nil, status: nil, reason: "closeConnection")
            return .close(resets: false)
        case .slow, .resetAfterAccepting, nil: break
        }

        let judgement = await judge(request)
        if case .resetAfterAccepting = fault {
            record(judgement, status: nil, reason: judgement.reason ?? "resetAfterAccepting")
            return .close(resets: true)
        }
        record(judgement, status: judgement.reply.status, reason: judgement.reason)
        if case .slow(let duration) = fault { try? await Task.sleep(for: duration) }
        return .reply(judgement.reply)
    }
}

/// Finds the service that a request to the HTTPS port is for.
struct SandboxRouter: Sendable {
    let core: SandboxCore
    private let google: GoogleTokens
    private let microsoft: MicrosoftTokens
    private let fcm: FCM
    private let wns: WNS
    private let webPush: WebPush

    init(core: SandboxCore) async throws {
        self.core = core
        google = try await GoogleTokens(core: core)
        microsoft = MicrosoftTokens(core: core)
        fcm = FCM(core: core)
        wns = WNS(core: core)
        webPush = WebPush(core: core)
    }

    func respond(to request: WebRequest) async -> WebOutcome {
        guard let service = service(for: request) else {
            return .reply(
                .text(
                    404,
                    "push-sandbox has nothing here: FCM is at /v1/projects/ID/messages:send, Web Push at /push/ID, WNS at any path with X-WNS-Type\n"
                ))
        }
        return await service.respond(to: request, core: core)
    }

    private func service(for request: WebRequest) -> (any WebService)? {
        let path = request.path
        if path == "/token" { return google }
        if path == "/accesstoken.srf" || path.hasSuffix("/oauth2/v2.0/token") { return microsoft }
        if path.hasPrefix("/v1/projects/") { return fcm }
        if path.hasPrefix(WebPush.pathPrefix) { return webPush }
        return request.header("X-WNS-Type") != nil ? wns : nil
    }
}
