import Core
import Dispatch
import TestSupport
import Testing
import WorklightClient

@Suite("2.1.2, 2.9.6: the adapter's challenge handler", .defaultTimeLimit)
struct AdapterChallengeTests {
    @Test("2.1.2, 2.9.6 A procedure that requires a user is called when the adapter has logged them in")
    func adapter() async throws {
        try await TestServer.withClient { (_, client) async throws in
            let handler = AdapterChallengeHandler()
            client.client.registerChallengeHandler(handler)
            try await client.connect()
            let result = try await client.invoke("secret").response().invocationResult.response
            #expect(result?["secret"] as? Int == 42)
            #expect(result?["user"] as? String == "bjones")
            #expect(handler.challenges.value == 1)
        }
    }

    @Test("An application whose users log in by an adapter connects")
    func connect() async throws {
        try await TestServer.withClient(.adapter) { (_, client) async throws in
            client.client.registerChallengeHandler(AdapterChallengeHandler(passwords: ["wrong", "password"]))
            #expect(try await client.connect().getResponseJson()?["userInfo"] != nil)
        }
    }

    @Test("2.9.4 A login that is abandoned fails the call, and the next one is challenged again")
    func refused() async throws {
        try await TestServer.withClient { (_, client) async throws in
            let handler = AdapterChallengeHandler(passwords: ["wrong"])
            client.client.registerChallengeHandler(handler)
            try await client.connect()
            let failure = try await client.invoke("secret").failure()
            #expect(failure.errorMsg.contains("AdapterRealm"))
            client.queue.sync { handler.passwords = ["password"] }
            #expect(try await client.invoke("secret").response().status == "200")
        }
    }

    @Test("The challenge is the procedure's result without a handler")
    func noHandler() async throws {
        try await TestServer.connected { (_, client) async throws in
            let result = try await client.invoke("secret").response().invocationResult.response
            #expect(result?["authRequired"] as? Bool == true)
        }
    }

    @Test("A form's and an adapter's handler work beside each other")
    func both() async throws {
        try await TestServer.withClient(.form) { (_, client) async throws in
            client.client.registerChallengeHandler(FormChallengeHandler())
            client.client.registerChallengeHandler(AdapterChallengeHandler())
            try await client.connect()
            #expect(try await client.invoke("secret").response().status == "200")
            #expect(try await client.invoke("formSecret").response().status == "200")
        }
    }

    @Test("twenty concurrent challenged requests show one login and all succeed")
    func many() async throws {
        try await TestServer.withClient { (_, client) async throws in
            let handler = AdapterChallengeHandler()
            client.client.registerChallengeHandler(handler)
            try await client.connect()
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await client.client.invoke("demoAdapter", "secret").object?["secret"] as? Int ?? 0
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers == Array(repeating: 42, count: 20))
            #expect(handler.challenges.value == 1)
        }
    }

    @Test("A request that is made during a challenge waits, and is sent when it is over")
    func waiting() async throws {
        final class Held: AdapterChallengeHandler {
            let shown = AwaitableValue(false)
            override func handleChallenge(_ response: WLResponse!) { shown.update { $0 = true } }
            func goOn() { super.handleChallenge(nil) }
        }
        try await TestServer.withClient { (server, client) async throws in
            let handler = Held()
            client.client.registerChallengeHandler(handler)
            try await client.connect()
            let (first, second) = (RecordingDelegate(), RecordingDelegate())
            let secret = WLProcedureInvocationData(adapter: "demoAdapter", procedure: "secret")
            client.client.invokeProcedure(secret, with: first)
            try await handler.shown.wait { $0 }
            client.client.invokeProcedure(
                WLProcedureInvocationData(adapter: "demoAdapter", procedure: "count"), with: second,
                options: ["timeout": 0])
            #expect(try await server.call("demoAdapter", "count")["calls"] != nil)
            #expect(second.outcomes.value.isEmpty)
            client.queue.sync { handler.goOn() }
            #expect(try await first.outcome().response().status == "200")
            #expect(try await second.outcome().response().status == "200")
        }
    }
}
