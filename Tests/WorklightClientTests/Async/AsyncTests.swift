import TestSupport
import Testing
import WorklightClient

@Suite("The asynchronous face", .defaultTimeLimit)
struct AsyncTests {
    private struct Account: Codable, Sendable, Equatable {
        let echo: [String]
    }

    @Test("connect and invoke return what delegates would get, and decode it")
    func invoke() async throws {
        try await TestServer.run { server in
            let client = try server.client().client
            try await client.connect()
            let answer = try await client.invoke("demoAdapter", "getDemoAccount", "123-456-789", "Köln")
            #expect(try answer.decode(Account.self) == Account(echo: ["123-456-789", "Köln"]))
            let types = try await client.invoke("demoAdapter", "getDemoAccount", 7, 1.5, true, ["a": [1]])
            #expect(types.object?["types"] as? [String] == ["number", "number", "boolean", "object"])
        }
    }

    @Test("A failure is thrown with its code and the response")
    func failure() async throws {
        try await TestServer.run { server in
            let client = try server.client().client
            try await client.connect()
            let error = await #expect(throws: WLError.self) { try await client.invoke("demoAdapter", "fail") }
            #expect(error?.code == WLErrorCodeProcedureError)
            #expect(error?.message.contains("boom") == true)
            #expect(error?.answer?.status == 200)
        }
    }

    @Test("A parameter that does not become JSON is named")
    func parameter() async throws {
        try await TestServer.run { server in
            let client = try server.client().client
            try await client.connect()
            let error = await #expect(throws: WLError.self) {
                try await client.invoke("demoAdapter", "getDemoAccount", 1, Double.infinity)
            }
            #expect(error?.message.contains("parameter 2") == true)
        }
    }

    @Test("A response of another form throws when decoded")
    func decode() async throws {
        try await TestServer.run { server in
            let client = try server.client().client
            try await client.connect()
            let answer = try await client.invoke("demoAdapter", "count")
            #expect(throws: WLError.self) { try answer.decode(Account.self) }
        }
    }

    @Test("Notifications come as a stream once the device is ready and subscribed")
    func notifications() async throws {
        try await TestServer.run(.form) { server in
            let test = try server.client()
            let client = test.client
            client.registerChallengeHandler(FormChallengeHandler())
            try await client.connect()
            client.push.setTokenFromClient(String(repeating: "ab", count: 32))
            try await client.push.ready()
            let stream = client.push.notifications(alias: "a", adapter: "PushAdapter", eventSource: "PushEventSource")
            try await client.push.subscribe(alias: "a", options: ["city": "Köln"])
            _ = try await server.call("PushAdapter", "submitNotification", "bjones", "hello")
            client.push.didReceiveRemoteNotification(try await server.sentToApple())
            let first = try #require(await stream.first { _ in true })
            #expect(first.alert == "hello")
            #expect(first.payload["custom"] as? String == "data")
            try await client.push.unsubscribe(alias: "a")
            #expect(client.push.isSubscribed("a") == false)
        }
    }

    @Test("A task that waits to be ready can be cancelled")
    func cancelled() async throws {
        let client = WLClient(settings: WorklightSettings(host: "localhost", port: 1, applicationID: "A"))
        let waiting = Task { try await client.push.ready() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
