import Core
import Testing

/// The steps of clients with push in all generations, from connecting to logging out.
struct PushConversation {
    let client: ClientDouble
    let server: RunningServer
    var token = "stub-device-token-1"
    /// The client's options when it subscribes.
    var options = #"{"alert":true,"badge":false,"customParam":"x"}"#
    /// The part of the options that adapters see.
    var seenOptions: JSONValue = ["alert": true, "badge": false, "customParam": "x"]

    static let parameters = #"["123-456-789",7,65.5,true,null,{"a":[1]},"héllo/☃ a&b=c+d%"]"#

    /// Connects and logs in by the form: a wrong password first, then the right one.
    func connectByForm() async throws {
        let reply = try await client.connect(.wrong, .right)
        #expect(reply.status == 200)
        #expect(reply["userInfo"]?["PushAppRealm"]?["userId"] == "bjones")
        let exchanges = await client.exchanges
        #expect(
            exchanges.map(\.kind) == [.action("init"), .action("init"), .form, .form, .action("init")])
        #expect(exchanges.map(\.answer.status) == [401, 200, 200, 200, 200])
        #expect(exchanges[3].answer.text == "/*-secure-\n{}*/")
        try await checkCookies()
    }

    /// Connects and logs in by the adapter, likewise.
    func connectByAdapter() async throws {
        let reply = try await client.connect(.wrong, .right)
        #expect(reply.status == 200)
        #expect(reply["userInfo"]?["AdapterRealm"]?["userId"] == "bjones")
        let exchanges = await client.exchanges
        #expect(exchanges.map(\.kind) == [.action("init"), .action("init"), .invoke, .invoke, .action("init")])
        #expect(
            try client.dialect.unwrap(exchanges[1].answer) == [
                "isSuccessful": true, "authRequired": true, "errorMessage": .null,
            ])
        #expect(exchanges[2].answer.text.contains("Invalid login credentials"))
        try await checkCookies()
    }

    /// Both cookies are set with the first response and once more at the login, and come back with every other request.
    private func checkCookies() async throws {
        let exchanges = await client.exchanges
        let set = exchanges.map { $0.answer["Set-Cookie"].count }
        #expect(set[0] == 2)
        let later = set.dropFirst().reduce(0, +)
        #expect(later == 2)
        for exchange in exchanges.dropFirst() {
            #expect(exchange.headers.filter { $0.name == "Cookie" }.count == 1)
        }
    }

    /// Parameters reach the procedure with their types, and what it returns comes back so.
    func callProcedures() async throws {
        let echo = try await client.query("demoAdapter", "getDemoAccount", Self.parameters)
        #expect(echo["echo"] == (try JSONValue(parsing: Self.parameters)))
        #expect(
            echo["types"] == ["string", "number", "number", "boolean", "null", "object", "string"])
        #expect(echo.isSuccess)
        let failure = try await client.query("demoAdapter", "fail")
        #expect(failure.status == 200)
        #expect(failure["isSuccessful"] == false)
        #expect(failure["errors"]?.array?.first?.string?.hasPrefix("Runtime: Error: boom") == true)
        #expect(failure["warnings"] == [] && failure["info"] == [])
    }

    /// The device's token, a subscription, a notification that is recorded for it, the state of the next connection.
    func push(user: String = "bjones") async throws {
        let device = client.dialect.device.id
        let first = await client.exchanges.last { $0.kind == .action("init") }
        let before = try first.flatMap { try client.dialect.unwrap($0.answer) }?["notificationSubscriptionState"]
        #expect(before?["token"] == nil)
        #expect(before?["eventSources"] == [])

        #expect(try await client.updateToken(token).isSuccess)
        #expect(try await client.subscribe(options: options).isSuccess)
        let seen = try await server.devices(of: user)
        #expect(seen.map { $0["device"] } == [.string(device)])
        #expect(seen.first?["alias"] == "myPush" && seen.first?["token"] == .string(token))
        #expect(seen.first?["options"] == seenOptions)

        let delivery = try await server.notify(user, "hëllo ☃")
        #expect(delivery["device"] == .string(device) && delivery["eventSource"] == "PushAdapter.PushEventSource")
        #expect(delivery["requests"]?.text.contains(token) == true)
        let payload = try Self.payload(of: delivery)
        #expect(payload["custom"] == "data" && payload["alias"] == "myPush")

        let again = try await client.connect()
        let state = again["notificationSubscriptionState"]
        #expect(state?["token"] == .string(token))
        #expect(
            state?["eventSources"] == [
                ["alias": "myPush", "adapter": "PushAdapter", "eventSource": "PushEventSource"]
            ])

        #expect(try await client.unsubscribe().isSuccess)
        #expect(try await server.devices(of: user) == [])
        #expect(
            try await server.call("PushAdapter", "submitNotification", .string(user), "late")["result"]
                == .string("No subscription found for user :: \(user)"))
    }

    /// Returns the payload as the client's push code reads it: a string that contains the alias.
    static func payload(of delivery: JSONValue) throws -> JSONValue {
        let body = delivery["requests"]?.array?.first?["body"]
        let text = body?["message"]?["data"]?["payload"] ?? body?["payload"]
        return try JSONValue(parsing: try #require(text?.string))
    }

    /// The realm asks again after the logout.
    func logOut(_ realm: String, procedure: String) async throws {
        #expect(try await client.query("demoAdapter", procedure).isSuccess)
        #expect(try await client.logOut(realm).isSuccess)
        try await checkLoggedOut(realm, procedure: procedure)
    }

    func checkLoggedOut(_ realm: String, procedure: String) async throws {
        let info = try await client.act("getuserinfo")
        #expect(info[realm]?["isUserAuthenticated"] == 0)
        #expect(info[realm]?["userId"] == .null)
        let refused = try await client.query("demoAdapter", procedure)
        #expect(refused.isLoginPage || refused.wantsAdapterLogin)
    }
}
