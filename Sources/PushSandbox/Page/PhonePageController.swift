import Core
import Foundation

/// Serves the page of phones and its requests.
struct PhonePageController: Sendable {
    /// The number of arrivals that a newly opened page shows.
    private static let firstShown = 300
    /// The number of events that a page may be behind before it misses some.
    private static let mostBehind = 5_000

    private static let contentPolicy = [
        "default-src 'none'", "style-src 'self'", "script-src 'self'", "connect-src 'self'", "img-src 'self' data:",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    let core: SandboxCore

    func respond(to request: WebRequest) async -> WebOutcome {
        guard isMeantForUs(request) else {
            return .reply(.text(403, "push-sandbox is reached at localhost or by its address, not by another name\n"))
        }
        switch (request.method, request.path) {
        case ("GET", "/"): return .reply(page("text/html", EmbeddedText.page_html))
        case ("GET", "/page.css"): return .reply(page("text/css", EmbeddedText.page_css))
        case ("GET", "/page.js"): return .reply(page("text/javascript", EmbeddedText.page_js))
        case ("GET", "/arrivals"): return .reply(arrivals())
        case ("GET", "/events"): return events(request)
        case (_, "/faults"): return .reply(faults(request))
        case ("POST", "/send"): return .reply(await send(request))
        case ("POST", "/clear"): return .reply(clear(request))
        case ("POST", "/subscribers"): return .reply(newSubscriber())
        default:
            return .reply(
                .text(
                    404, "push-sandbox has /, /events, /arrivals, /faults here, and POST /send, /clear, /subscribers\n")
            )
        }
    }

    /// Rejects DNS rebinding: a page on the internet must not reach the sandbox by a name that it resolves to this machine.
    private func isMeantForUs(_ request: WebRequest) -> Bool {
        let ownNames = ["127.0.0.1", "localhost", "::1"]
        guard ownNames.contains(core.settings.host), let host = request.header("Host"), !host.isEmpty else {
            return true
        }
        return ownNames.contains(Authority(host)?.host.lowercased() ?? "")
    }

    private func page(_ type: String, _ text: String) -> WebReply {
        WebReply(
            status: 200,
            headers: [
                ("Content-Type", "\(type); charset=utf-8"), ("Cache-Control", "no-store"),
                ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
                ("Content-Security-Policy", Self.contentPolicy),
            ], body: Array(text.utf8))
    }

    /// The last arrivals, as the events have them.
    private func arrivals() -> WebReply {
        let kept = core.journal.numbered(last: Self.firstShown)
        var reply = WebReply.json(200, .array(kept.map(PageEvent.json)))
        reply.headers += [("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")]
        return reply
    }

    /// Sends a test message to a phone: `{"service": "apns", "token": "…", "text": "…"}`.
    private func send(_ request: WebRequest) async -> WebReply {
        guard request.mediaType == "application/json" else { return notJSON("send", request) }
        let body = (try? JSONValue(parsing: request.body)) ?? .null
        guard let service = body["service"]?.string.flatMap(SandboxService.init(rawValue:)), service != .oauth else {
            return .text(400, "cannot send: 'service' is unknown; use apns, fcm, wns, sms or webPush\n")
        }
        guard let token = body["token"]?.string, !token.isEmpty else {
            return .text(400, "cannot send: 'token' is missing; use the token of a phone\n")
        }
        let text = body["text"]?.string ?? ""
        guard (1...TestMessage.longestText).contains(text.count) else {
            return .text(
                400, "cannot send: 'text' has \(text.count) characters; use 1 to \(TestMessage.longestText)\n")
        }
        let message = TestMessage(name: service, recipient: token, text: text, core: core)
        let status = await message.send(connection: request.connection)
        return .json(200, ["status": status.map { JSONValue.number(Double($0)) } ?? .null])
    }

    /// Discards the kept arrivals; all open pages become empty.
    private func clear(_ request: WebRequest) -> WebReply {
        guard request.mediaType == "application/json" else { return notJSON("clear", request) }
        return .json(200, ["discarded": .number(Double(core.journal.clear()))])
    }

    /// Refuses a request that a page of another site can make a browser send.
    ///
    /// A browser sends JSON to another site only if that site allows it in the response to a preflight, which this one does not.
    private func notJSON(_ action: String, _ request: WebRequest) -> WebReply {
        .text(415, "cannot \(action): Content-Type is '\(request.mediaType)'; use application/json\n")
    }

    private func events(_ request: WebRequest) -> WebOutcome {
        let asked = request.header("Last-Event-ID") ?? request.queryFields.first { $0.name == "after" }?.value
        let source = core.journal.watch(after: asked.flatMap { Int($0) }, limit: Self.mostBehind)
        let reply = WebReply(
            status: 200,
            headers: [
                ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
                ("X-Content-Type-Options", "nosniff"),
            ])
        return .events(reply, first: "event: instance\ndata: \(core.instance)\n\n", source)
    }

    /// Makes a subscriber and returns it in the form of a browser's `PushSubscription`.
    private func newSubscriber() -> WebReply {
        let subscriber = core.makeSubscriber()
        return .json(
            201,
            [
                "endpoint": .string(subscriber.endpoint), "expirationTime": .null,
                "keys": ["p256dh": .string(subscriber.p256dh), "auth": .string(subscriber.auth)],
            ])
    }

    private func faults(_ request: WebRequest) -> WebReply {
        switch request.method {
        case "GET": break
        case "DELETE": core.faults.rules = []
        case "PUT":
            do {
                core.faults.rules = try rules(request)
            } catch {
                return .text(400, "\(error)\n")
            }
        default: return .text(405, "/faults takes GET, PUT and DELETE\n", headers: [("Allow", "GET, PUT, DELETE")])
        }
        return .json(200, .array(core.faults.rules.map { .string($0.description) }))
    }

    /// A JSON array of rules, or one rule on each line.
    private func rules(_ request: WebRequest) throws -> [FaultRule] {
        if let array = (try? JSONValue(parsing: request.body))?.array {
            return try array.map { try FaultRule($0.string ?? $0.text) }
        }
        let lines = String(decoding: request.body, as: UTF8.self).split(whereSeparator: \.isNewline)
        return try lines.map { try FaultRule($0.trimmingCharacters(in: .whitespaces)) }
    }
}
