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
