import Core
import TestSupport
import Testing

@Suite("HTTP to the byte", .defaultTimeLimit)
struct HTTPDetailConversationTests {
    private static let android = HybridDialect(release: .v506, environment: "android")
    private static let uncached = [
        "Cache-Control": "no-cache, no-store, must-revalidate", "Pragma": "no-cache",
        "Expires": "Sat, 26 Jul 1997 05:00:00 GMT",
    ]

    private func checkUncached(_ answer: RawAnswer, type: String) {
        for (name, value) in Self.uncached { #expect(answer[name] == [value]) }
        #expect(answer["Content-Type"] == [type])
        #expect(answer["Content-Length"] == ["\(answer.body.count)"])
    }

    @Test("The first response is a challenge in exactly this form, with both cookies")
    func challenge() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (_, client) async throws in
            try await client.connect()
            let answer = try #require(await client.exchanges.first).answer
            #expect(answer.status == 401)
            #expect(answer["WWW-Authenticate"] == ["WL-Composite-Challenge"])
            checkUncached(answer, type: "application/json; charset=UTF-8")
            let form =
                #/\/\*-secure-\n\{"challenges":\{"wl_antiXSRFRealm":\{"WL-Instance-Id":"[a-z0-9]{26}"\},"wl_deviceNoProvisioningRealm":\{"token":"[a-z0-9]+"\}\}\}\*\//#
            #expect(answer.text.wholeMatch(of: form) != nil, "\(answer.text)")
            let cookies = answer["Set-Cookie"]
            try #require(cookies.count == 2)
            #expect(cookies[0].wholeMatch(of: #/JSESSIONID=0000[A-Za-z0-9_-]+; Path=\/wl; HttpOnly/#) != nil)
            let persistent =
                #/WL_PERSISTENT_COOKIE=[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}; Expires=(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d GMT; Path=\/wl; HttpOnly/#
            #expect(cookies[1].wholeMatch(of: persistent) != nil, "\(cookies[1])")
        }
    }

    @Test("A wrapped response comes with a P3P header, plain JSON and pages without")
    func privacyPolicy() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (server, client) async throws in
            #expect(try await client.connect().isLoginPage)
            _ = try await client.connect(.right)
            let big = try await client.send(
                "POST", .action("query"),
                [Field("adapter", "demoAdapter"), Field("procedure", "big"), Field("compressResponse", "true")])
            #expect(big.answer["Content-Encoding"] == ["gzip"])
            for exchange in await client.exchanges {
                let isWrapped = exchange.answer.text.hasPrefix("/*-secure-")
                #expect(exchange.answer["P3P"].count == (isWrapped ? 1 : 0), "\(exchange.answer.text)")
                #expect(exchange.answer["P3P"].allSatisfy { $0.hasPrefix("CP=\"") && $0.hasSuffix("\"") })
            }
            #expect(try await server.rawAnswer("GET", "/wl/apps/services/reach")["P3P"].isEmpty)
            #expect(try await server.rawAnswer("GET", "/wl/adapters/demoAdapter/count")["P3P"].isEmpty)
        }
    }

    @Test("The persistent cookie holds for a year of the server's clock")
    func expiry() async throws {
        let time = ManualTime()
        try await RunningServer.converse(.nobody, as: Self.android, time: time) { (_, client) async throws in
            try await client.connect()
            let cookie = try #require(await client.exchanges.first?.answer["Set-Cookie"].last)
            #expect(cookie.contains("; Expires=Wed, 13-Nov-2024 22:13:20 GMT; "))
        }
    }

    @Test("A client that sends its persistent cookie keeps it in a new session")
    func persistentCookie() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let first = ClientDouble(Self.android, at: server)
            try await first.connect()
            let cookie = try #require(await first.cookies["WL_PERSISTENT_COOKIE"])
            let second = ClientDouble(Self.android, at: server)
            await second.setCookie("WL_PERSISTENT_COOKIE", cookie)
            try await second.connect()
            #expect(await second.cookies["WL_PERSISTENT_COOKIE"] == cookie)
        }
    }

    @Test("A persistent cookie that another server made is replaced, each time by the same one")
    func foreignPersistentCookie() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let foreign = "b68217d4-d9ae-4cbc-a768-5ce02e0c9632"
            var replacements: Set<String?> = []
            for cookie in [foreign, foreign.uppercased()] {
                let client = ClientDouble(Self.android, at: server)
                await client.setCookie("WL_PERSISTENT_COOKIE", cookie)
                try await client.connect()
                replacements.insert(await client.cookies["WL_PERSISTENT_COOKIE"])
            }
            #expect(replacements.count == 1 && !replacements.contains(foreign))
        }
    }

    @Test("The login page is HTML, which hybrid clients do not try to read as JSON")
    func page() async throws {
        try await RunningServer.converse(.form) { (server) async throws in
            let page = try await ClientDouble(Self.android, at: server).connect()
            checkUncached(page.answer, type: "text/html; charset=UTF-8")
            #expect(page.isLoginPage)
        }
    }

    @Test("The connection's response has the original's member order, numbers for booleans, and no null token")
    func connection() async throws {
        try await RunningServer.converse(.form, as: Self.android) { (_, client) async throws in
            let reply = try await client.connect(.right)
            checkUncached(reply.answer, type: "application/json; charset=UTF-8")
            #expect(
                reply.object?.object?.keys == [
                    "userPrefs", "WL-Authentication-Success", "gadgetProps", "notificationSubscriptionState",
                    "smsNotificationSubscriptionState", "userInfo",
                ])
            #expect(reply["gadgetProps"]?["ENVIRONMENT"] == "android")
            #expect(reply["userPrefs"] == [:])
            #expect(
                reply["userInfo"]?.object?.keys == [
                    "wl_authenticityRealm", "wl_remoteDisableRealm", "PushAppRealm", "AdapterRealm", "wl_antiXSRFRealm",
                    "wl_deviceAutoProvisioningRealm", "wl_deviceNoProvisioningRealm", "myserver",
                    "wl_anonymousUserRealm",
                ])
            for member in reply["userInfo"]?.object?.members ?? [] {
                #expect(
                    member.value.object?.keys == [
                        "userId", "attributes", "isUserAuthenticated", "displayName", "userName", "loginName",
                    ])
                #expect(member.value["userName"] == member.value["userId"])
                #expect(member.value["loginName"] == member.value["userId"])
                let isKnown = member.value["userId"] != .null
                #expect(member.value["isUserAuthenticated"] == (isKnown ? 1 : 0))
                #expect(member.value["displayName"] == member.value["userId"])
            }
            #expect(!reply.answer.text.contains(#""token":null"#))
            #expect(reply["userInfo"]?["wl_antiXSRFRealm"]?["userId"] == (await client.instanceID).map { .string($0) })
            #expect(reply["userInfo"]?["wl_remoteDisableRealm"]?["userId"] == "WLRemoteDisableNullLoginModule")
            #expect(reply["userInfo"]?["myserver"]?["userId"] == "bjones")
        }
    }

    @Test(
        "Each small action has its own form of response",
        arguments: [
            ("heartbeat", "/*-secure-\n{}*/"), ("events", "/*-secure-\n{}*/"), ("updates", "/*-secure-\n{}*/"),
            ("appversionaccess", "/*-secure-\n{}*/"), ("logout", "/*-secure-\n{\"isSuccessful\":true}*/"),
        ])
    func small(action: String, body: String) async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            try await client.connect()
            let reply = try await client.act(action)
            #expect(reply.status == 200)
            #expect(reply.answer.text == body)
            checkUncached(reply.answer, type: "application/json; charset=UTF-8")
        }
    }

    @Test("reach returns a plain OK, and random a string")
    func services() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            let reach = try await client.send("GET", .service("reach"))
            #expect(reach.answer.text == "OK")
            #expect(reach.answer["Content-Type"] == ["text/plain; charset=UTF-8"])
            let random = try await client.send("GET", .service("random"))
            #expect(random.answer.text.wholeMatch(of: #/[0-9a-f]{128}/#) != nil)
        }
    }

    @Test("A value that is not an object comes back as result")
    func scalar() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            try await client.connect()
            let reply = try await client.query("demoAdapter", "scalar")
            #expect(reply["result"] == 7 && reply.isSuccess)
        }
    }

    @Test("Requests without the common fields, and by GET, get the same responses", arguments: ["GET", "POST"])
    func bareRequests(method: String) async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let path = "/wl/apps/services/api/MyApp/android/init"
            let first = try await server.rawAnswer(method, path)
            let id = try #require(first.text.firstMatch(of: #/"WL-Instance-Id":"([a-z0-9]+)"/#)?.1)
            let token = try #require(first.text.firstMatch(of: #/"token":"([a-z0-9]+)"/#)?.1)
            let cookie = first["Set-Cookie"].map { $0.prefix { $0 != ";" } }.joined(separator: "; ")
            let answer = try await server.rawAnswer(
                method, path,
                [
                    "WL-Instance-Id: \(id)", "Cookie: \(cookie)",
                    #"Authorization: {"wl_deviceNoProvisioningRealm":{"ID":{"token":"\#(token)","device":{"id":"d"}}}}"#,
                ])
            #expect(answer.status == 200)
            #expect(answer.text.hasPrefix("/*-secure-\n{\"userPrefs\":{},\"WL-Authentication-Success\":{"))
        }
    }
}
