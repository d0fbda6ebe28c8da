import Core
import Foundation

/// A Web Push service (RFC 8030): POST to a subscriber's endpoint.
struct WebPush: WebService {
    static let pathPrefix = "/push/"
    private static let limit = 4096
    private static let longestTimeToLive = 2_592_000

    private struct WebPushRefusalError: Error {
        let status: Int
        let message: String
    }

    let name = SandboxService.webPush
    let core: SandboxCore

    func token(of request: WebRequest) -> String? { String(request.path.dropFirst(Self.pathPrefix.count)) }

    var expiredToken: ServiceDecision {
        refuse(WebPushRefusalError(status: 401, message: "the token of the sender has expired"))
    }

    func refusal(status: Int, reason: String) -> WebReply {
        .json(
            status,
            [
                "code": .number(Double(status)), "errno": .number(999), "error": .string(reason),
                "message": .string(reason),
            ])
    }

    func judge(_ request: WebRequest) async -> ServiceDecision {
        do throws(WebPushRefusalError) {
            let clearText = try await check(request)
            let id = "https://localhost:\(core.httpPort)/message/\(UUID().uuidString.lowercased())"
            let reply = WebReply(
                status: 201, headers: [("Location", id), ("TTL", request.header("TTL") ?? "0")])
            return ServiceDecision(accepted: reply, id: id, clearText: clearText)
        } catch {
            return refuse(error)
        }
    }

    private func check(_ request: WebRequest) async throws(WebPushRefusalError) -> [UInt8] {
        guard request.method == "POST" else { throw WebPushRefusalError(status: 405, message: "only POST is taken") }
        let id = token(of: request) ?? ""
        if core.subscribers.isGone(id) { throw WebPushRefusalError(status: 410, message: "the subscription is gone") }
        guard let subscriber = core.subscribers[id] else {
            throw WebPushRefusalError(status: 404, message: "there is no such subscription")
        }
        try checkHeaders(request)
        do throws(VAPID.RejectionError) {
            try await VAPID.check(
                request.header("Authorization"), origin: subscriber.origin, now: core.settings.now())
        } catch {
            throw WebPushRefusalError(
                status: request.header("Authorization") == nil ? 401 : 403, message: error.description)
        }
        guard request.body.count <= Self.limit else {
            throw WebPushRefusalError(
                status: 413, message: "the message has \(request.body.count) bytes; \(Self.limit) are the most")
        }
        if request.body.isEmpty { return [] }
        guard request.header("Content-Encoding")?.lowercased() == "aes128gcm" else {
            throw WebPushRefusalError(status: 400, message: "Content-Encoding must be aes128gcm")
        }
        do throws(MessageDecryption.RejectionError) {
            return try MessageDecryption.decrypt(request.body, for: subscriber)
        } catch {
            throw WebPushRefusalError(status: 400, message: error.description)
        }
    }

    private func checkHeaders(_ request: WebRequest) throws(WebPushRefusalError) {
        guard let ttl = request.header("TTL").flatMap({ Int($0) }), (0...Self.longestTimeToLive).contains(ttl) else {
            throw WebPushRefusalError(status: 400, message: "TTL must be a number of seconds between 0 and 2592000")
        }
        if let topic = request.header("Topic"), topic.utf8.count > 32 || topic.isEmpty || Base64URL.decode(topic) == nil
        {
            throw WebPushRefusalError(status: 400, message: "Topic must be at most 32 characters of base64url")
        }
        let urgencies = ["very-low", "low", "normal", "high"]
        if let urgency = request.header("Urgency"), !urgencies.contains(urgency) {
            throw WebPushRefusalError(
                status: 400, message: "Urgency must be one of \(urgencies.joined(separator: ", ")), not '\(urgency)'")
        }
    }

    private func refuse(_ refusal: WebPushRefusalError) -> ServiceDecision {
        ServiceDecision(self.refusal(status: refusal.status, reason: refusal.message), reason: refusal.message)
    }
}
