/// WNS: any POST with `X-WNS-Type`.
struct WNS: WebService {
    private static let limit = 5000

    /// The reason why a request is refused.
    private struct WNSRefusalError: Error {
        let status: Int
        let description: String
    }

    let name = SandboxService.wns
    let core: SandboxCore

    /// The channel: the `token` of its address, or the whole path and query when it has none.
    func token(of request: WebRequest) -> String? {
        request.queryFields.first { $0.name == "token" }?.value ?? request.target
    }

    var expiredToken: ServiceDecision {
        refuse(WNSRefusalError(status: 401, description: "The access token has expired. Request a new one."))
    }

    func refusal(status: Int, reason: String) -> WebReply { reply(status, description: reason) }

    func judge(_ request: WebRequest) async -> ServiceDecision {
        do throws(WNSRefusalError) {
            try check(request)
        } catch {
            return refuse(error)
        }
        var reply = reply(200, description: nil)
        let id = reply.headers.first { $0.name == "X-WNS-Msg-ID" }?.value
        if request.header("X-WNS-RequestForStatus")?.lowercased() == "true" {
            reply.headers.append(("X-WNS-DeviceConnectionStatus", "connected"))
        }
        return ServiceDecision(accepted: reply, id: id)
    }

    private func check(_ request: WebRequest) throws(WNSRefusalError) {
        guard request.method == "POST" else {
            throw WNSRefusalError(status: 405, description: "Only POST is allowed to a channel.")
        }
        guard let token = request.bearerToken else {
            throw WNSRefusalError(
                status: 401, description: "The Authorization header is missing or not a bearer token.")
        }
        guard core.accessTokens.isGood(token, now: core.settings.now()) else {
            throw WNSRefusalError(status: 401, description: "The access token is not valid or has expired.")
        }
        try checkHeaders(request)
        guard request.body.count <= Self.limit else {
            throw WNSRefusalError(
                status: 413, description: "The payload has \(request.body.count) bytes; \(Self.limit) are the most.")
        }
        let type = request.header("X-WNS-Type") ?? ""
        guard type != "wns/raw" else { return }
        let root = XMLTexts.read(request.body)?.root
        guard let root else { throw WNSRefusalError(status: 400, description: "The payload is not well-formed XML.") }
        guard "wns/\(root)" == type else {
            throw WNSRefusalError(status: 400, description: "The payload's element \(root) is not what \(type) takes.")
        }
    }

    private func checkHeaders(_ request: WebRequest) throws(WNSRefusalError) {
        let type = request.header("X-WNS-Type") ?? ""
        let mediaTypes = [
            "wns/toast": "text/xml", "wns/tile": "text/xml", "wns/badge": "text/xml",
            "wns/raw": "application/octet-stream",
        ]
        guard let mediaType = mediaTypes[type] else {
            throw WNSRefusalError(
                status: 400,
                description: "X-WNS-Type '\(type)' is none of wns/toast, wns/tile, wns/badge and wns/raw.")
        }
        guard request.mediaType == mediaType else {
            throw WNSRefusalError(
                status: 400, description: "\(type) takes Content-Type \(mediaType), not '\(request.mediaType)'.")
        }
        if let ttl = request.header("X-WNS-TTL"), (Int(ttl) ?? 0) <= 0 {
            throw WNSRefusalError(
                status: 400, description: "X-WNS-TTL must be a positive number of seconds, not '\(ttl)'.")
        }
        if let policy = request.header("X-WNS-Cache-Policy"), !["cache", "no-cache"].contains(policy) {
            throw WNSRefusalError(
                status: 400, description: "X-WNS-Cache-Policy must be cache or no-cache, not '\(policy)'.")
        }
        if let tag = request.header("X-WNS-Tag"), tag.isEmpty || tag.utf8.count > 16 {
            throw WNSRefusalError(status: 400, description: "X-WNS-Tag must have 1 to 16 characters.")
        }
    }

    private func refuse(_ refusal: WNSRefusalError) -> ServiceDecision {
        ServiceDecision(reply(refusal.status, description: refusal.description), reason: refusal.description)
    }

    private func reply(_ status: Int, description: String?) -> WebReply {
        let id = String(UInt64.random(in: .min ... .max), radix: 16, uppercase: true)
        let state = status == 200 ? "received" : status == 406 ? "channelThrottled" : "dropped"
        var headers: [(name: String, value: String)] = [
            ("X-WNS-Msg-ID", id), ("X-WNS-Debug-Trace", "SANDBOX01"), ("X-WNS-Status", state),
            ("X-WNS-NotificationStatus", state),
        ]
        if let description {
            headers.append(("X-WNS-Error-Description", description.filter { $0.isASCII && !$0.isNewline }))
        }
        if status == 401 { headers.append(("WWW-Authenticate", "Bearer error=\"invalid_token\"")) }
        return WebReply(status: status, headers: headers)
    }
}
