import Core
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import Installation

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
        "A message reaches its devices, and its states can be read",
        arguments: [
            (#"{"userIds":["ann"]}"#, 1), (#"{"deviceIds":["phone"]}"#, 1), (#"{"tagNames":["Push.ALL"]}"#, 1),
            (#"{"platforms":["G"]}"#, 1), (#"{"eventSource":"A.S"}"#, 1), (nil, 1), (#"{"userIds":["bob"]}"#, 0),
        ] as [(String?, Int)])
    func reaches(target: String?, count: Int) async throws {
        try await Self.run { (server) async throws in
            let member = target.map { #""target":\#($0),"# } ?? ""
            let body = #"{"application":"App","message":{"alert":"Hi"},\#(member)"settings":{"gcm":{"sound":"s"}}}"#
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

    @Test("refuses an empty key, under which every message would be the same")
    func emptyKey() async throws {
        try await Self.run { (server) async throws in
            let answer = try await Self.post(server, #"{"application":"App","message":{"alert":"Hi"}}"#, key: "")
            #expect(answer.status == 400 && answer.body["field"] == "Idempotency-Key")
            #expect(try await server.items("deliveries").isEmpty)
        }
    }

    @Test("A request repeated under its key is not sent again; another one under that key is refused")
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

    @Test("Keys of two accounts are separate")
    func accounts() async throws {
        try await Self.run { (server) async throws in
            let body = #"{"application":"App","message":{"alert":"Hi"}}"#
            let first = try await Self.post(server, body, key: "k1")
            let made = try await server.manage(.POST, "tokens", body: #"{"name":"ci","role":"operator"}"#)
            let token = try #require(try JSONValue(parsing: made.body)["token"]?.string)
            let other = try await server.send(
                .POST, "/management/v1/messages", body: body.replacing("Hi", with: "Ho"), key: token,
                headers: [("Idempotency-Key", "k1")])
            #expect(other.status == 202)
            #expect(try JSONValue(parsing: other.body)["id"] != first.body["id"])
        }
    }

    @Test(
        "A bad request is refused with the field",
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
                "expected one of userIds, deviceIds, tagNames, platforms and eventSource"
            ),
            // A misspelt target must not reach everybody.
            (#"{"message":{"alert":"Hi"},"target":{"userId":"ann"}}"#, "target.userId", "unknown field"),
            (#"{"message":{"alert":"Hi"},"target":{}}"#, "target", "expected one of userIds"),
            (#"{"message":{"alert":"Hi"},"target":null}"#, "target", "expected an object"),
            (#"{"message":{"alert":"Hi"},"settings":{"fcm":{}}}"#, "settings.fcm", "unknown field"),
            ("[]", nil, "expected an object"),
        ] as [(String, String?, String)])
    func wrong(body: String, field: String?, detail: String) async throws {
        try await RunningServer.run(script: Self.script) { (server) async throws in
            let answer = try await Self.post(server, body)
            #expect(answer.status == 400 && answer.type == "application/problem+json")
            #expect(answer.body["field"]?.string == field)
            #expect(answer.body["detail"]?.string?.hasPrefix(detail) == true, "\(answer.body.text)")
        }
    }

    @Test("Requests that are repeated at once with one key, in any order of members, send once", .defaultTimeLimit)
    func repeatedAtOnce() async throws {
        try await Self.run { (server) async throws in
            for round in 0..<3 {
                let bodies = [
                    #"{"application":"App","message":{"alert":"Hi"}}"#,
                    #"{"message":{"alert":"Hi"},"application":"App"}"#,
                ]
                let ids = try await withThrowingTaskGroup(of: String?.self) { group in
                    for number in 0..<8 {
                        group.addTask {
                            let answer = try await Self.post(server, bodies[number % 2], key: "round-\(round)")
                            #expect(answer.status == 202, "\(answer.body.text)")
                            return answer.body["id"]?.string
                        }
                    }
                    return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
                }
                let id = try #require(ids.first ?? nil)
                #expect(ids.count == 1)
                #expect(try await server.items("deliveries?message=\(id)").count == 1)
            }
        }
    }

    @Test("A key of a message without recipients sends no message later")
    func nobodyLater() async throws {
        try await Self.run { (server) async throws in
            let body = #"{"application":"App","message":{"alert":"Hi"},"target":{"userIds":["bob"]}}"#
            #expect(try await Self.post(server, body, key: "k").body["recipients"] == 0)
            let form =
                #"{"eventSource":"A.S","user":"bob","device":"b","platform":"Android","token":"u","application":"App"}"#
            #expect(try await server.manage(.POST, "subscriptions", body: form).status == 200)
            #expect(try await Self.post(server, body, key: "k").body["recipients"] == 0)
        }
    }

    @Test("A delivery is retried once, and not to a removed device", .defaultTimeLimit)
    func retry() async throws {
        try await Self.run { (server) async throws in
            let body = #"{"application":"App","message":{"alert":"Hi"}}"#
            let id = try #require(try await Self.post(server, body).body["id"]?.string)
            while try await Self.states(server, id)["deliveries"]?["previewed"]?.number != 1 {
                try Task.checkCancellation()
            }
            let number = try #require(try await server.items("deliveries?message=\(id)").first?["number"]?.text)
            let first = try await server.manage(.POST, "deliveries/\(number)/retry")
            let new = try JSONValue(parsing: first.body)
            #expect(first.status == 202 && new["message"]?.string == id && new["number"]?.text != number)
            #expect(try await server.manage(.POST, "deliveries/\(number)/retry").status == 409)
            #expect(try await server.manage(.DELETE, "devices/App/phone").status == 200)
            while try await Self.states(server, id)["deliveries"]?["queued"]?.number != 0 {
                try Task.checkCancellation()
            }
            let gone = try await server.manage(.POST, "deliveries/\(new["number"]?.text ?? "")/retry")
            #expect(gone.status == 409, "\(gone.body)")
            #expect(try await server.manage(.POST, "messages/\(id)/cancel").body == #"{"cancelled":0}"#)
        }
    }

    @Test("A monitor sees no device's token in deliveries") func hiddenTokens() async throws {
        try await Self.run { (server) async throws in
            let secret = "token-that-is-an-address"
            let form =
                #"{"eventSource":"A.S","user":"eve","device":"e","platform":"Android","token":"\#(secret)","application":"App"}"#
            #expect(try await server.manage(.POST, "subscriptions", body: form).status == 200)
            let body = #"{"application":"App","message":{"alert":"Hi"},"target":{"userIds":["eve"]}}"#
            _ = try await Self.post(server, body)
            while try await server.items("deliveries?state=previewed&user=eve").isEmpty { try Task.checkCancellation() }
            let created = try await server.manage(.POST, "tokens", body: #"{"name":"m","role":"monitor"}"#)
            let token = try JSONValue(parsing: created.body)["token"]?.string
            for path in ["deliveries", "deliveries/changes?after=0"] {
                let seen = try await server.send(.GET, "/management/v1/\(path)", key: token)
                #expect(seen.status == 200 && seen.body.contains("previewed") && !seen.body.contains(secret))
            }
            #expect(try await server.manage(.GET, "deliveries").body.contains(secret))
        }
    }

    @Test("An unknown message is not found", arguments: ["nonsense", "00000000-0000-4000-8000-000000000000"])
    func unknown(id: String) async throws {
        try await RunningServer.run(script: Self.script) { (server) async throws in
            let answer = try await server.manage(.GET, "messages/\(id)")
            #expect(answer.status == 404 && answer.headers["Content-Type"] == ["application/problem+json"])
        }
    }

    @Test("A request without the management key sends nothing") func key() async throws {
        try await Self.run { (server) async throws in
            let body = #"{"application":"App","message":{"alert":"Hi"}}"#
            #expect(try await server.send(.POST, "/management/v1/messages", body: body, key: "wrong").status == 401)
        }
    }
}
