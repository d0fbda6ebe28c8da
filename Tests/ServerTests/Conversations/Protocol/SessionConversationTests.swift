import Core
import TestSupport
import Testing

@testable import Installation

@Suite("Sessions and challenges in conversations", .defaultTimeLimit)
struct SessionConversationTests {
    private static let android = HybridDialect(release: .v506, environment: "android")
    private static let native = NativeDialect(release: .v710)

    @Test("A WL-Instance-Id kept from an earlier run gets a challenge, not an error")
    func staleInstance() async throws {
        try await RunningServer.converse(.form) { (server) async throws in
            let client = ClientDouble(Self.native, at: server, instanceID: "74db073034ccb91dec68a6b788")
            let reply = try await client.connect(.right)
            #expect(reply["userInfo"]?["PushAppRealm"]?["userId"] == "bjones")
            #expect(await client.exchanges.map(\.answer.status) == [401, 200, 200, 200])
        }
    }

    @Test("An unknown JSESSIONID starts a new session of another id")
    func unknownSession() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            await client.setCookie("JSESSIONID", "0000s3t6ACLoaDELzz6CtSeyZIo")
            #expect(try await client.connect().status == 200)
            let session = await client.cookies["JSESSIONID"]
            #expect(session != nil && session != "0000s3t6ACLoaDELzz6CtSeyZIo")
            #expect(await client.exchanges.map { $0.answer["Set-Cookie"].count } == [2, 0])
        }
    }

    @Test("A session that expires during use is replaced, and the user logs in again")
    func expiry() async throws {
        let time = ManualTime()
        try await RunningServer.converse(.form, time: time, change: { $0.sessionTimeout = .seconds(600) }) {
            (server) async throws in
            let client = ClientDouble(Self.android, at: server)
            try await client.connect(.right)
            let session = await client.cookies["JSESSIONID"]
            time.advance(by: .seconds(599))
            #expect(try await client.query("demoAdapter", "formSecret").isSuccess)
            time.advance(by: .seconds(601))
            let reply = try await client.query("demoAdapter", "formSecret", "[]", .right)
            #expect(reply["secret"] == 43)
            #expect(await client.cookies["JSESSIONID"] != session)
            #expect(await client.exchanges.suffix(4).map(\.answer.status) == [401, 200, 200, 200])
        }
    }

    private static let page = HybridDialect(release: .v620, environment: "mobilewebapp")
    private static let pagePath = "/wl/apps/services/api/MyApp/mobilewebapp"

    /// A page whose user has just logged in, and the cookie that it had before.
    private func loggedIn(_ server: RunningServer) async throws -> (client: ClientDouble, former: String) {
        let client = ClientDouble(Self.page, at: server)
        #expect(try await client.connect().isLoginPage)
        let former = "JSESSIONID=\(await client.cookies["JSESSIONID"] ?? "")"
        try await client.connect(.right)
        #expect("JSESSIONID=\(await client.cookies["JSESSIONID"] ?? "")" != former)
        return (client, former)
    }

    @Test(
        "A page's request that runs during a login is challenged again, and succeeds in the new session")
    func underWay() async throws {
        try await RunningServer.converse(.form) { (server) async throws in
            let (client, former) = try await loggedIn(server)
            let instance = await client.instanceID ?? ""
            let late = try await server.rawAnswer(
                "POST", "\(Self.pagePath)/heartbeat", ["Cookie: \(former)", "WL-Instance-Id: \(instance)"])
            #expect(late.status == 401 && late["Set-Cookie"].isEmpty)
            #expect(late.text.contains(#""WL-Instance-Id":"\#(instance)""#))
            #expect(try await client.query("demoAdapter", "formSecret").isSuccess)
            #expect(await client.exchanges.last?.answer.status == 200)
        }
    }

    @Test("A page's request that was under way without its instance id costs a challenge more, and no login")
    func underWayWithoutProof() async throws {
        try await RunningServer.converse(.form) { (server) async throws in
            let (client, former) = try await loggedIn(server)
            let own = await client.instanceID
            let late = try await server.rawAnswer("POST", "\(Self.pagePath)/heartbeat", ["Cookie: \(former)"])
            let told = try #require(late.text.firstMatch(of: #/"WL-Instance-Id":"([a-z0-9]+)"/#)?.1)
            #expect(String(told) != own && late["Set-Cookie"].isEmpty)
            // The page takes the id from the challenge, and sends it with the new cookie.
            let next = ClientDouble(Self.page, at: server, instanceID: String(told))
            await next.setCookie("JSESSIONID", await client.cookies["JSESSIONID"] ?? "")
            #expect(try await next.query("demoAdapter", "formSecret")["user"] == "bjones")
            #expect(await next.exchanges.map(\.answer.status) == [401, 200])
            #expect(await next.instanceID == own)
        }
    }

    @Test("A client that sends a former cookie besides the new one, in either order, is in its session")
    func bothCookies() async throws {
        try await RunningServer.converse(.form) { (server) async throws in
            let (client, former) = try await loggedIn(server)
            let own = "JSESSIONID=\(await client.cookies["JSESSIONID"] ?? "")"
            let proof = "WL-Instance-Id: \(await client.instanceID ?? "")"
            for cookies in [["\(former); \(own)"], ["\(own); \(former)"], [former, own]] {
                let answer = try await server.rawAnswer(
                    "POST", "\(Self.pagePath)/getuserinfo", [proof] + cookies.map { "Cookie: \($0)" })
                #expect(answer.status == 200 && answer.text.contains("bjones"))
            }
        }
    }

    @Test(
        "A native client gets another id at each login and stays in its session, also 5.0.6 with two ids",
        arguments: NativeDialect.Release.allReleases)
    func nativeRenewal(release: NativeDialect.Release) async throws {
        try await RunningServer.converse(.form) { (server) async throws in
            let client = ClientDouble(NativeDialect(release: release), at: server)
            #expect(try await client.connect().isLoginPage)
            var ids: [String?] = [await client.cookies["JSESSIONID"]]
            for _ in 0..<3 {
                try await client.connect(.right)
                #expect(try await client.query("demoAdapter", "formSecret")["user"] == "bjones")
                ids.append(await client.cookies["JSESSIONID"])
                try await client.logOut("PushAppRealm")
            }
            #expect(Set(ids).count == 4)
            // One session all the time: no more than the first request was challenged.
            #expect(await client.exchanges.count { $0.answer.status == 401 } == 1)
            if release <= .v600 { #expect(await client.cookies.headers.count == 2) }
        }
    }

    @Test("A heartbeat keeps the session alive")
    func heartbeat() async throws {
        let time = ManualTime()
        try await RunningServer.converse(.form, time: time, change: { $0.sessionTimeout = .seconds(600) }) {
            (server) async throws in
            let client = ClientDouble(Self.android, at: server)
            try await client.connect(.right)
            for _ in 0..<3 {
                time.advance(by: .seconds(400))
                #expect(try await client.act("heartbeat").status == 200)
            }
            #expect(try await client.query("demoAdapter", "formSecret").isSuccess)
            #expect(await client.exchanges.filter { $0.answer.status == 401 }.count == 1)
        }
    }

    @Test("The device's subscriptions outlive the session")
    func expiryKeepsSubscriptions() async throws {
        let time = ManualTime()
        try await RunningServer.converse(.form, time: time, change: { $0.sessionTimeout = .seconds(600) }) {
            (server) async throws in
            let client = ClientDouble(Self.android, at: server)
            try await client.connect(.right)
            try await client.updateToken("token-1")
            try await client.subscribe()
            time.advance(by: .seconds(3600))
            let state = try await client.connect(.right)["notificationSubscriptionState"]
            #expect(state?["token"] == "token-1")
            #expect(state?["eventSources"]?.array?.map { $0["alias"] } == ["myPush"])
        }
    }

    @Test("An adapter's variables belong to the session, and a new session starts with new ones")
    func variables() async throws {
        let time = ManualTime()
        try await RunningServer.converse(.nobody, time: time, change: { $0.sessionTimeout = .seconds(600) }) {
            (server) async throws in
            let (one, other) = (ClientDouble(Self.android, at: server), ClientDouble(Self.native, at: server))
            try await one.connect()
            try await other.connect()
            #expect(try await one.query("demoAdapter", "count")["calls"] == 1)
            #expect(try await one.query("demoAdapter", "count")["calls"] == 2)
            #expect(try await other.query("demoAdapter", "count")["calls"] == 1)
            time.advance(by: .seconds(601))
            #expect(try await one.query("demoAdapter", "count")["calls"] == 1)
        }
    }

    @Test("Challenge responses too long for a header go to authenticate, and the request succeeds after it")
    func largeAnswer() async throws {
        try await RunningServer.converse(.form) { (server) async throws in
            var phone = Self.android
            phone.device.custom = ["what the application adds": .string(String(repeating: "ä1", count: 1000))]
            let client = ClientDouble(phone, at: server)
            let reply = try await client.connect(.right)
            #expect(reply["userInfo"]?["wl_deviceNoProvisioningRealm"]?["userId"] == .string(phone.device.id))
            let exchanges = await client.exchanges
            #expect(
                exchanges.map(\.kind) == [
                    .action("init"), .action("authenticate"), .action("init"), .form, .action("init"),
                ])
            #expect(
                exchanges[1].headers.contains { $0.name == "Authorization" && $0.value == "wl-authorization-in-body" })
            #expect(!exchanges[2].headers.contains { $0.name == "Authorization" })
            let success = try phone.unwrap(exchanges[1].answer)?["WL-Authentication-Success"]
            #expect(success?["wl_deviceNoProvisioningRealm"]?["isUserAuthenticated"] == 1)
        }
    }

    @Test("A native client's challenge response of eight thousand bytes in a header is accepted")
    func largeHeader() async throws {
        try await RunningServer.converse(.nobody, as: Self.native) { (_, client) async throws in
            let pad = (name: "WL_TAS", value: String(repeating: "x", count: 7900))
            #expect(
                try await client.send("POST", .action("init"), [Field("action", "test")], headers: [pad]).status == 200)
        }
    }

    @Test("Two requests that are challenged together in one session both succeed")
    func parallel() async throws {
        try await RunningServer.converse(.nobody, as: Self.native) { (_, client) async throws in
            // A session without proof, as registering leaves it.
            try await client.register(with: .first)
            let both = AwaitableValue(0)
            await client.whenChallenged {
                both.update { $0 += 1 }
                try? await both.wait { $0 >= 2 }
            }
            async let one = client.connect()
            async let other = client.query("demoAdapter", "count")
            #expect(try await one.status == 200)
            #expect(try await other["calls"] == 1)
            #expect(await client.exchanges.filter { $0.answer.status == 401 }.count == 2)
        }
    }

    @Test("Two requests that find the session expired are challenged in separate sessions, and both succeed")
    func parallelAfterExpiry() async throws {
        let time = ManualTime()
        try await RunningServer.converse(.nobody, time: time, change: { $0.sessionTimeout = .seconds(600) }) {
            (server) async throws in
            let client = ClientDouble(Self.android, at: server)
            try await client.connect()
            time.advance(by: .seconds(601))
            let both = AwaitableValue(0)
            await client.whenChallenged {
                both.update { $0 += 1 }
                try? await both.wait { $0 >= 2 }
            }
            async let one = client.act("heartbeat")
            async let other = client.query("demoAdapter", "count")
            #expect(try await one.status == 200)
            #expect(try await other["calls"] == 1)
        }
    }

    @Test("A device's repeatedly wrong challenge response is refused in the end, since clients never stop")
    func wrongAnswers() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let challenge = try await server.rawAnswer("POST", Self.path)
            let proof = try Self.proof(of: challenge)
            let wrong = #"Authorization: {"wl_deviceNoProvisioningRealm":{"ID":{"token":"x","device":{"id":"d"}}}}"#
            var statuses: [Int] = []
            for _ in 0..<15 { statuses.append(try await server.rawAnswer("POST", Self.path, proof + [wrong]).status) }
            #expect(statuses.allSatisfy { $0 == 401 || $0 == 403 })
            #expect(statuses.suffix(4) == [403, 403, 403, 403])
        }
    }

    @Test("A session that one device has proven is not given to another")
    func otherDevice() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let challenge = try await server.rawAnswer("POST", Self.path)
            let proof = try Self.proof(of: challenge)
            let token = try #require(challenge.text.firstMatch(of: #/"token":"([a-z0-9]+)"/#)?.1)
            let answer = { (device: String) in
                #"Authorization: {"wl_deviceNoProvisioningRealm":{"ID":{"token":"\#(token)","device":{"id":"\#(device)"}}}}"#
            }
            #expect(try await server.rawAnswer("POST", Self.path, proof + [answer("mine")]).status == 200)
            let refused = try await server.rawAnswer("POST", Self.path, proof + [answer("other")])
            #expect(refused.status == 403)
            #expect(
                refused.text.hasPrefix(
                    "/*-secure-\n{\"WL-Authentication-Failure\":{\"wl_deviceNoProvisioningRealm\":"
                        + "{\"reason\":\"this session belongs to another device\"}},"))
        }
    }

    private static let path = "/wl/apps/services/api/MyApp/android/heartbeat"

    /// The headers that show a request to be no forgery.
    private static func proof(of challenge: RawAnswer) throws -> [String] {
        let id = try #require(challenge.text.firstMatch(of: #/"WL-Instance-Id":"([a-z0-9]+)"/#)?.1)
        let cookie = challenge["Set-Cookie"].map { $0.prefix { $0 != ";" } }.joined(separator: "; ")
        return ["WL-Instance-Id: \(id)", "Cookie: \(cookie)"]
    }
}
