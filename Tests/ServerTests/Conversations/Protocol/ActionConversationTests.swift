import Core
import TestSupport
import Testing

@Suite("Preferences, events and other small requests", .defaultTimeLimit)
struct ActionConversationTests {
    private static let android = HybridDialect(release: .v610, environment: "android")

    @Test("Preferences are set, come with the next connection, and are deleted one by one")
    func preferences() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (_, client) async throws in
            try await client.connect(.right)
            let prefs = #"{"colour":"grün","size":"12","flag":true}"#
            #expect(try await client.act("setup", Field("userprefs", prefs)).answer.text == "/*-secure-\n{}*/")
            let connected = try await client.connect()["userPrefs"]
            #expect(connected?["colour"] == "grün" && connected?["size"] == "12" && connected?["flag"] == "true")
            #expect(try await client.act("deleteup", Field("userprefkey", "size")).status == 200)
            let left = try await client.connect()["userPrefs"]?.object
            #expect(left?.keys.sorted() == ["colour", "flag"])
        }
    }

    @Test("A user's preferences are the same on another phone, and another user has none of them")
    func preferencesOfUsers() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (server, client) async throws in
            try await client.connect(.right)
            try await client.act("setup", Field("userprefs", #"{"a":"1"}"#))
            var other = Self.android
            other.device.id = "another-device"
            #expect(try await ClientDouble(other, at: server).connect(.right)["userPrefs"] == ["a": "1"])
            let ann = ClientDouble.Login(user: "ann", password: "secret")
            #expect(try await ClientDouble(other, at: server).connect(ann)["userPrefs"] == [:])
        }
    }

    @Test("A client without a user has preferences by its cookie; naming the same device does not reach them")
    func preferencesOfClients() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (server, client) async throws in
            try await client.connect()
            try await client.act("setup", Field("userprefs", #"{"a":"1"}"#))
            let again = ClientDouble(Self.android, at: server)
            await again.setCookie("WL_PERSISTENT_COOKIE", try #require(await client.cookies["WL_PERSISTENT_COOKIE"]))
            #expect(try await again.connect()["userPrefs"] == ["a": "1"])
            #expect(try await ClientDouble(Self.android, at: server).connect()["userPrefs"] == [:])
        }
    }

    @Test("Events that a client transmits reach the handlers of adapters, in the client's own session")
    func events() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            try await client.connect()
            let events = #"[{"name":"far","n":1},{"name":"near","n":2}]"#
            #expect(try await client.act("events", Field("events", events)).answer.text == "/*-secure-\n{}*/")
            #expect(try await client.query("EventAdapter", "seen")["last"] == ["name": "near", "n": 2])
        }
    }

    @Test("login names the realm, asks for its user, and returns all realms")
    func login() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            try await client.connect()
            let form = try await client.act("login", Field("realm", "PushAppRealm"), logins: [.wrong, .right])
            #expect(form["PushAppRealm"]?["userId"] == "bjones")
            #expect(form["AdapterRealm"]?["isUserAuthenticated"] == 0)
            let adapter = try await client.act("login", Field("realm", "AdapterRealm"), logins: [.right])
            #expect(adapter["AdapterRealm"]?["userId"] == "bjones")
        }
    }

    @Test("A user's activity is accepted with an empty object")
    func logActivity() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            try await client.connect()
            #expect(
                try await client.act("logactivity", Field("activity", "myActivity")).answer.text
                    == "/*-secure-\n{}*/")
        }
    }

    @Test("Only the first response after the challenge lists the realms that were passed")
    func success() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            let first = try await client.query("demoAdapter", "count")
            #expect(
                first["WL-Authentication-Success"]?.object?.keys == [
                    "wl_remoteDisableRealm", "wl_antiXSRFRealm", "wl_deviceNoProvisioningRealm",
                ])
            #expect(first["calls"] == 1 && first.isSuccess)
            #expect(try await client.query("demoAdapter", "count")["WL-Authentication-Success"] == nil)
        }
    }

    @Test("refuses an unknown action or application with a body", arguments: ["frobnicate", ""])
    func unknown(action: String) async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            var dialect = NativeDialect(release: .v506)
            if action.isEmpty { dialect.application = "Nobody" }
            let client = ClientDouble(dialect, at: server)
            let reply = try await client.act(action.isEmpty ? "heartbeat" : action)
            #expect(reply.status == 404)
            #expect(reply["errorCode"] == "REQUEST_SERVICE_NOT_FOUND")
            #expect(reply["errorMsg"]?.string?.isEmpty == false)
        }
    }

    @Test("A proxy for pages of other sites does not exist")
    func proxy() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            #expect(try await client.send("GET", .action("proxy"), [Field("url", "http://localhost/")]).status == 404)
        }
    }
}
