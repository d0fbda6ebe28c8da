import Core
import TestSupport
import Testing

@testable import Installation

@Suite("Logins in conversations", .defaultTimeLimit)
struct LoginConversationTests {
    private static let android = HybridDialect(release: .v506, environment: "android")

    @Test("A login expires after the time of its login module, and the realm challenges again")
    func expiry() async throws {
        let time = ManualTime()
        try await RunningServer.converse(.form, time: time, change: { $0.sessionTimeout = .seconds(86_400) }) {
            server in
            let client = ClientDouble(Self.android, at: server)
            try await client.connect(.right)
            time.advance(by: .seconds(3599))
            #expect(try await client.query("demoAdapter", "formSecret").isSuccess)
            time.advance(by: .seconds(2))
            #expect(try await client.query("demoAdapter", "formSecret").isLoginPage)
            #expect(try await client.query("demoAdapter", "formSecret", "[]", .right).isSuccess)
        }
    }

    @Test(
        "Identities have userName and loginName for 5.0.6 and 6.0, and name the device from 6.3 on",
        arguments: [
            (HybridDialect.Release.v506, ["userName", "loginName"]), (.v600, ["userName", "loginName"]), (.v610, []),
            (.v620, []), (.v710, ["deviceId"]),
        ] as [(HybridDialect.Release, [String])])
    func identityMembers(release: HybridDialect.Release, members: [String]) async throws {
        try await RunningServer.converse(.form) { (server) async throws in
            let client = ClientDouble(HybridDialect(release: release, environment: "android"), at: server)
            let user = try await client.connect(.right)["userInfo"]?["PushAppRealm"]
            #expect(
                user?.object?.keys == ["userId", "attributes", "isUserAuthenticated", "displayName"] + members)
            for name in members where name != "deviceId" { #expect(user?[name] == "bjones") }
        }
    }

    @Test("A form that is posted after its session ran out logs in all the same")
    func lateForm() async throws {
        let time = ManualTime()
        try await RunningServer.converse(.form, time: time, change: { $0.sessionTimeout = .seconds(600) }) {
            (server) async throws in
            let client = ClientDouble(Self.android, at: server)
            #expect(try await client.connect().isLoginPage)
            time.advance(by: .seconds(601))
            let form = [Field("j_username", "bjones"), Field("j_password", "password")]
            #expect(try await client.send("POST", .form, form).answer.text == "/*-secure-\n{}*/")
            let reply = try await client.connect()
            #expect(reply["userInfo"]?["PushAppRealm"]?["userId"] == "bjones")
        }
    }

    @Test("The page after a wrong password shows the error, and no typed value")
    func wrongPassword() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (_, client) async throws in
            let page = try await client.connect(.init(user: "<b>bjones</b>", password: "wrong"))
            #expect(page.isLoginPage)
            let second = try #require(await client.exchanges.last { $0.kind == .form }?.answer)
            #expect(second.text.contains("The user name or the password is not right."))
            #expect(!second.text.contains("bjones"))
        }
    }

    @Test("A test with two realms challenges one after the other")
    func twoRealms() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            try await client.connect()
            let reply = try await client.query("demoAdapter", "doublySecret", "[]", .right, .right)
            #expect(reply["secret"] == 44)
            #expect(
                await client.exchanges.dropFirst(2).map(\.kind) == [
                    .action("query"), .form, .action("query"), .invoke, .action("query"),
                ])
        }
    }

    @Test("Logging out of one realm leaves the other")
    func oneRealm() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            try await client.connect()
            _ = try await client.query("demoAdapter", "doublySecret", "[]", .right, .right)
            try await client.logOut("PushAppRealm")
            let info = try await client.act("getuserinfo")
            #expect(info["PushAppRealm"]?["userId"] == .null && info["AdapterRealm"]?["userId"] == "bjones")
        }
    }

    @Test("Twenty clients at once are each their own user")
    func many() async throws {
        try await RunningServer.converse(.adapter) { (server) async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        var phone = Self.android
                        phone.device.id = "device-\(number)"
                        let user = "user-\(number)"
                        let client = ClientDouble(phone, at: server)
                        let reply = try await client.connect(.init(user: user, password: "secret"))
                        #expect(reply["userInfo"]?["AdapterRealm"]?["userId"] == .string(user))
                        for call in 1...3 {
                            #expect(try await client.query("demoAdapter", "secret")["user"] == .string(user))
                            #expect(try await client.query("demoAdapter", "count")["calls"] == .number(Double(call)))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("A login function that needs another step keeps its state in the session")
    func session() async throws {
        try await RunningServer.converse(.adapter, as: Self.android) { (_, client) async throws in
            #expect(try await client.connect().wantsAdapterLogin)
            let wrong = try await client.invoke("AuthAdapter", "submitAuthentication", #"["bjones","wrong"]"#)
            #expect(wrong.wantsAdapterLogin && wrong["errorMessage"] == "Invalid login credentials")
            let right = try await client.invoke("AuthAdapter", "submitAuthentication", #"["bjones","password"]"#)
            #expect(right["authRequired"] == false)
            #expect(try await client.connect()["userInfo"]?["AdapterRealm"]?["displayName"] == "bjones")
        }
    }
}
