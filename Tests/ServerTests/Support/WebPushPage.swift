import NIOHTTP1
import PushModel

/// Does the work of webpush.js for a page in a browser.
struct WebPushPage {
    static let auth = "BTBZMqHH6r4Tts7J_aSIgg"
    static let publicKey = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"

    let client: WireClient
    let endpoint: String

    init(_ server: RunningServer, endpoint: String = "https://push.example.com/p/1", application: String = "App") {
        client = WireClient(server, application: application)
        self.endpoint = endpoint
    }

    /// The result of `JSON.stringify(subscription)`.
    var subscription: String {
        #"{"endpoint":"\#(endpoint)","expirationTime":null,"keys":{"p256dh":"\#(Self.publicKey)","auth":"\#(Self.auth)"}}"#
    }

    /// The id of the browser in the store.
    var device: String { (try? WebPushSubscription(subscription).deviceID) ?? "" }

    @discardableResult
    func subscribe(_ fields: [(String, String)] = [("adapter", "A"), ("eventSource", "Open")]) async throws
        -> WireClient.Answer
    {
        try await client.send("/lamplighter/webpush/subscribe", all(fields))
    }

    @discardableResult
    func unsubscribe(_ fields: [(String, String)] = [("adapter", "A"), ("eventSource", "Open")]) async throws
        -> WireClient.Answer
    {
        try await client.send("/lamplighter/webpush/unsubscribe", all(fields))
    }

    func all(_ fields: [(String, String)]) -> [(String, String)] {
        [("application", client.application), ("subscription", subscription)] + fields
    }
}
