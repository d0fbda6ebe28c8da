import Core
import NIOHTTP1
import TestSupport
import Testing
import WorklightProject

@testable import Installation

extension RunningServer {
    /// Runs `body` against a server on the project of the conversations, under the context root of the transcripts.
    static func converse(
        _ login: ConversationProject.Login, time: any TimeSource = SystemTime(), log: LogRecorder? = nil,
        change: (inout InstallationSettings) -> Void = { _ in },
        _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        try await run(project: try ConversationProject.make(login), time: time, log: log) { settings in
            settings.contextRoot = "/wl"
            change(&settings)
        } _: { (server) async throws in
            try #require(server.installation.problems.filter { $0.severity == .error } == [])
            try await body(server)
        }
    }

    /// Likewise, with a client that speaks `dialect`.
    static func converse(
        _ login: ConversationProject.Login, as dialect: any Dialect, time: any TimeSource = SystemTime(),
        log: LogRecorder? = nil, change: (inout InstallationSettings) -> Void = { _ in },
        _ body: @Sendable (RunningServer, ClientDouble) async throws -> Void
    ) async throws {
        try await converse(login, time: time, log: log, change: change) { (server) async throws in
            try await body(server, ClientDouble(dialect, at: server))
        }
    }

    /// Sends a request that has nothing but what is said here, byte for byte.
    func rawAnswer(_ method: String, _ target: String, _ headers: [String] = []) async throws -> RawAnswer {
        let lines =
            ["\(method) \(target) HTTP/1.1", "Host: localhost"] + headers
            + (method == "POST" ? ["Content-Length: 0"] : [])
        return try await RawAnswer(to: Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8), port: port)
    }

    /// Calls a procedure as a back end.
    func call(_ adapter: String, _ procedure: String, _ parameters: JSONValue...) async throws -> JSONValue {
        let body: JSONValue = ["procedure": .string(procedure), "parameters": .array(parameters)]
        let answer = try await manage(.POST, "adapters/\(adapter)/invoke", body: body.text)
        return try #require(try JSONValue(parsing: answer.body)["result"])
    }

    /// Sends a notification through the adapter, and waits until it is recorded.
    ///
    /// - Returns: the newest delivery to the user.
    func notify(_ user: String, _ text: String) async throws -> JSONValue {
        let answer = try await call("PushAdapter", "submitNotification", .string(user), .string(text))
        try #require(answer["result"] == .string("Notification sent to user :: \(user)"))
        return try await delivery {
            $0["user"] == .string(user) && $0["requests"]?.array?[0].text.contains(text) == true
        }
    }

    /// Waits until a delivery of that kind is recorded.
    func delivery(where condition: (JSONValue) -> Bool) async throws -> JSONValue {
        while true {
            try Task.checkCancellation()
            let list = try await items("deliveries?state=previewed")
            if let found = list.first(where: condition) { return found }
        }
    }

    /// The devices that are subscribed for a user, as adapters see them.
    func devices(of user: String, source: String = "PushEventSource") async throws -> [JSONValue] {
        try await call("PushAdapter", "devices", .string(source), .string(user))["devices"]?.array ?? []
    }
}
