import Core
import Foundation

/// A message that the page of phones sends to one of its phones.
///
/// It takes the path of an app server's request: faults apply to it, and the journal records it, with ``senderHeader``. The
/// service's checks of credentials and headers do not apply, since no app server is involved.
struct TestMessage: WebService {
    /// The header of arrivals that were sent from the page.
    static let senderHeader = "X-Push-Sandbox-Sender"
    /// The largest number of characters in a message.
    static let longestText = 500

    let name: SandboxService
    /// The token of the phone.
    let recipient: String
    let text: String
    let core: SandboxCore

    /// Sends the message.
    ///
    /// - Parameter connection: the number of the page's TCP connection.
    /// - Returns: the status of the service's response; nil if a fault withholds it.
    func send(connection: Int) async -> Int? {
        let outcome = await respond(to: request(connection: connection), core: core)
        guard case .reply(let reply) = outcome else { return nil }
        return reply.status
    }

    func token(of request: WebRequest) -> String? { recipient }

    var expiredToken: ServiceDecision {
        let reason = name == .apns ? "ExpiredProviderToken" : "the access token has expired"
        return ServiceDecision(refusal(status: name == .apns ? 403 : 401, reason: reason), reason: reason)
    }

    func refusal(status: Int, reason: String) -> WebReply { .text(status, reason + "\n") }

    func judge(_ request: WebRequest) async -> ServiceDecision {
        guard name == .webPush, core.subscribers[recipient] == nil else {
            let id = UUID().uuidString.lowercased()
            return ServiceDecision(accepted: WebReply(status: name == .webPush ? 201 : 200), id: id)
        }
        let isGone = core.subscribers.isGone(recipient)
        let reason = isGone ? "the subscription is gone" : "the subscription is unknown"
        return ServiceDecision(refusal(status: isGone ? 410 : 404, reason: reason), reason: reason)
    }

    /// Returns the request with which an app server would send the message.
    private func request(connection: Int) -> WebRequest {
        WebRequest(
            connection: connection, method: name == .sms ? "GET" : "POST", target: target,
            headers: [(Self.senderHeader, "page")] + headers, body: Array(body.utf8))
    }

    private var target: String {
        switch name {
        case .apns: APNsRequest.pathPrefix + recipient
        case .fcm: "/v1/projects/\(SandboxIdentity.projectID)/messages:send"
        // A channel without a token in its address is known by its path.
        case .wns: recipient.hasPrefix("/") ? recipient : "/?" + FormFields.encode([("token", recipient)])
        case .sms: "/?" + FormFields.encode([("to", recipient), ("text", text)])
        case .webPush: WebPush.pathPrefix + recipient
        case .oauth: "/token"
        }
    }

    private var headers: [(name: String, value: String)] {
        switch name {
        case .apns: [("apns-topic", topic), ("apns-push-type", "alert"), ("apns-priority", "10")]
        case .fcm: [("Content-Type", "application/json")]
        case .wns: [("Content-Type", "text/xml"), ("X-WNS-Type", "wns/toast")]
        case .webPush: [("TTL", "60")]
        case .sms, .oauth: []
        }
    }

    /// The topic of the newest request to the phone, so that the message appears under the same app.
    private var topic: String {
        let newest = core.journal.kept(.apns).last { $0.token == recipient && $0.header("apns-topic") != nil }
        return newest?.header("apns-topic") ?? SandboxIdentity.certificateTopic
    }

    private var body: String {
        switch name {
        case .apns: JSONValue.object(["aps": ["alert": .string(text)]]).text
        case .fcm:
            JSONValue.object(["message": ["token": .string(recipient), "notification": ["body": .string(text)]]]).text
        case .wns:
            "<toast><visual><binding template=\"ToastText01\"><text id=\"1\">\(text.escapedForXML)</text>"
                + "</binding></visual></toast>"
        case .webPush: JSONValue.object(["body": .string(text)]).text
        case .sms, .oauth: text
        }
    }
}

extension Arrival {
    /// True if the page of phones sent it, rather than an app server.
    var isFromPage: Bool { header(TestMessage.senderHeader) != nil }
}
