/// An OpenID Connect provider on a loopback socket, with the responses that a test sets.
public final class LoopbackProvider: Sendable {
    private let answers: AwaitableValue<[String: LoopbackServer.Reply]>
    private let server: LoopbackServer

    public init() throws {
        let answers = AwaitableValue<[String: LoopbackServer.Reply]>([:])
        self.answers = answers
        server = try LoopbackServer { answers.value[$0.target] ?? .status(404) }
    }

    public var issuer: String { "http://127.0.0.1:\(server.port)" }
    public var requests: [String] { server.requests.value.map(\.target) }
    public var bytesSent: Int { server.bytesFlooded }

    public func answer(_ path: String, with answer: LoopbackServer.Reply) {
        answers.update { $0[path] = answer }
    }

    /// Publishes a discovery document and the keys.
    public func publish(jwks keys: [String], headers: [String: String] = [:]) {
        answer(
            "/.well-known/openid-configuration",
            with: .status(200, #"{"issuer":"\#(issuer)","jwks_uri":"\#(issuer)/keys"}"#))
        publishKeys(keys, headers: headers)
    }

    public func publishKeys(_ keys: [String], headers: [String: String] = [:]) {
        answer("/keys", with: .status(200, headers: headers, #"{"keys":[\#(keys.joined(separator: ","))]}"#))
    }
}
