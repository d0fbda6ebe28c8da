import Foundation
import Gateway
import NIOHTTP1
import PushModel
import TestSupport
import Testing

@Suite("Messages without an adapter")
struct MessageRouteTests {
    private static let script = "WL.Server.createEventSource({ name: 'S' });"

    /// Runs `body` against a server with a phone of ann's.
    private static func run(_ body: @Sendable (RunningServer) async throws -> Void) async throws {
        try await RunningServer.run(script: script) { (server) async throws in
            let form =
                #"{"eventSource":"A.S","user":"ann","device":"phone","platform":"Android","token":"t","application":"App"}"#
            #expect(try await server.manage(.POST, "subscriptions", body: form).status == 200)
            try await body(server)
        }
    }

    private static func post(
        _ server: RunningServer, _ body: String, key: String? = nil
    ) async throws -> (status: Int, body: JSONValue, type: String?) {
        let answer = try await server.send(
            .POST, "/management/v1/messages", body: body, key: server.note.managementKey,
            headers: key.map { [("Idempotency-Key", $0)] } ?? [])
        return (answer.status, try JSONValue(parsing: answer.body), answer.headers["Content-Type"].first)
    }

    private static func states(_ server: RunningServer, _ id: String) async throws -> JSONValue {
        try JSONValue(parsing: try await server.manage(.GET, "messages/\(id)").body)
    }

    @Test(
        "A message reaches the devices that it is for, and its states can be asked for",
        arguments: [
            (#"{"userIds":["ann"]}"#, 1), (#"{"deviceIds":["phone"]}"#, 1), (#"{"tagNames":["Push.ALL"]}"#, 1),
            (#"{"platforms":["G"]}"#, 1), (#"{"eventSource":"A.S"}"#, 1), ("null", 1), (#"{"userIds":["bob"]}"#, 0),
        ])
    func reaches(target: String, count: Int) async throws {
        try await Self.run { (server) async throws in
            let body =
                #"{"application":"App","message":{"alert":"Hi"},"target":\#(target),"settings":{"gcm":{"sound":"s"}}}"#
            let answer = try await Self.post(server, body)
            #expect(answer.status == 202 && answer.body["recipients"]?.number == Double(count))
            #expect(answer.body["warnings"]?.array?.isEmpty == (count > 0))
            let id = try #require(answer.body["id"]?.string)
            while try await Self.states(server, id)["deliveries"]?["previewed"]?.number != Double(count) {
                try Task.checkCancellation()
            }
            #expect(try await Self.states(server, id)["isComplete"] == true)
            #expect(try await server.items("deliveries").count == count)
        }
    }

    @Test("A request that is repeated under its key sends nothing again; another one under that key is refused")
    func repeated() async throws {
        try await Self.run { (server) async throws in
            let body = #"{"application":"App","message":{"alert":"Hi"}}"#
            let first = try await Self.post(server, body, key: "k1")
            let again = try await Self.post(server, body, key: "k1")
            #expect(again.status == 202 && again.body["id"] == first.body["id"])
            let other = try await Self.post(server, body.replacing("Hi", with: "Ho"), key: "k1")
            #expect(other.status == 422 && other.type == "application/problem+json" && other.body["status"] == 422)
            #expect(try await Self.post(server, body, key: "k2").body["id"] != first.body["id"])
            #expect(try await server.items("deliveries").count == 2)
        }
    }

    @Test(
        "What is wrong with a request is told with the field",
        arguments: [
            (#"{"application":"App"}"#, "message", "missing; expected an object"),
            (#"{"message":{"alert":{}}}"#, "message.alert", "expected a string"),
            (
                #"{"message":{"alert":"Hi"},"to":"ann"}"#, "to",
                "unknown field; expected application, message, target, settings"
            ),
            (
                #"{"message":{"alert":"Hi"},"application":1}"#, "application",
                "expected a string of 1 to 512 characters without NUL, found 1"
            ),
            (
                #"{"message":{"alert":"Hi"},"target":{"userIds":["a"],"tagNames":["b"]}}"#, "target",
                "expected only one of deviceIds, userIds, tagNames and platforms, not userIds and tagNames"
            ), ("[]", nil, "expected an object"),
        ] as [(String, String?, String)])
    func wrong(body: String, field: String?, detail: String) async throws {
        try await RunningServer.run(script: Self.script) { (server) async throws in
            let answer = try await Self.post(server, body)
            #expect(answer.status == 400 && answer.type == "application/problem+json")
            #expect(answer.body["field"]?.string == field)
            #expect(answer.body["detail"]?.string?.hasPrefix(detail) == true, "\(answer.body.text)")
        }
    }

    @Test("A message that nobody knows is not found", arguments: ["nonsense", "00000000-0000-4000-8000-000000000000"])
    func unknown(id: String) async throws {
        try await RunningServer.run(script: Self.script) { (server) async throws in
            let answer = try await server.manage(.GET, "messages/\(id)")
            #expect(answer.status == 404 && answer.headers["Content-Type"] == ["application/problem+json"])
        }
    }

    @Test("Without the management key nothing is sent") func key() async throws {
        try await Self.run { (server) async throws in
            let body = #"{"application":"App","message":{"alert":"Hi"}}"#
            #expect(try await server.send(.POST, "/management/v1/messages", body: body, key: "wrong").status == 401)
        }
    }
}
