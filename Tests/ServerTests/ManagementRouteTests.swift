import Core
import Foundation
import NIOHTTP1
import PushModel
import PushSandbox
import TestSupport
import Testing

@testable import Installation
@testable import Management

@Suite("Routes of the management API")
struct ManagementRouteTests {
    /// A call of every route that succeeds, and in which order they can be made.
    private struct Example {
        let method: HTTPMethod
        let path: String
        var query = ""
        var body: JSONValue?

        init(_ path: String, query: String = "") {
            self.init(.GET, path, query: query)
        }

        init(_ method: HTTPMethod, _ path: String, query: String = "", _ body: JSONValue? = nil) {
            (self.method, self.path, self.query, self.body) = (method, path, query, body)
        }
    }

    private static let examples: [Example] = [
        Example("overview"), Example("activity", query: "?range=1d"), Example("settings"), Example("credentials"),
        Example(.POST, "credentials/reload"),
        Example("sessions", query: "?user=ann&application=App"), Example("openapi.json"), Example("adapters"),
        Example("adapters/A"),
        Example(.POST, "adapters/A"),
        Example(.POST, "adapters/A/invoke", ["procedure": "run", "trace": true, "user": "ann"]),
        Example(.PUT, "adapters/B", ["archive": .string(archive)]),
        Example(.POST, "adapters/A/event-sources/P/poll"),
        Example(.POST, "adapters/A/events", ["kind": "client", "event": ["x": 1]]),
        Example(.POST, "adapters/A/evaluate", ["code": "1 + 1"]),
        Example(
            .POST, "subscriptions",
            [
                "eventSource": "A.S", "user": "ann", "device": "phone", "platform": "Android", "token": "t",
                "application": "App",
            ]),
        Example("subscriptions", query: "?eventSource=A.S&user=ann&device=phone&application=App&limit=1"),
        Example("users", query: "?prefix=an"),
        Example("devices", query: "?user=ann&application=App&platform=Android&prefix=ph"),
        Example("devices/App/phone"), Example("tags"),
        Example(.PUT, "devices/App/phone/block"), Example("blocked-devices"),
        Example(.DELETE, "devices/App/phone/block"),
        Example(.POST, "messages", ["application": "App", "message": ["alert": "Hi"], "target": ["userIds": ["ann"]]]),
        Example(
            .POST, "messages/preview",
            ["application": "App", "message": ["alert": "Hi"], "target": ["userIds": ["ann"]]]),
        Example("messages/MESSAGE"), Example(.POST, "messages/MESSAGE/cancel"),
        Example("deliveries", query: "?user=ann&since=7d&until=2999-01-01T00:00:00Z&message=MESSAGE"),
        Example("deliveries/changes"), Example("deliveries/NUMBER"), Example(.POST, "deliveries/NUMBER/retry"),
        Example(.PUT, "applications/App/android/1.0", ["access": "notify", "message": "Old"]), Example("applications"),
        Example(.DELETE, "applications/App/android/1.0"), Example("logs"), Example("client-log"),
        Example(.POST, "tokens", ["name": "t", "role": "monitor", "expires": "2999-01-01T00:00:00Z"]),
        Example("tokens"),
        Example(.DELETE, "tokens/t"),
        Example(.DELETE, "subscriptions", query: "?eventSource=A.S&user=ann&device=phone&application=App&trace=true"),
        Example(.DELETE, "devices/App/phone"), Example(.DELETE, "adapters/A"), Example("me"),
        Example(.POST, "accounts", ["name": "ann", "role": "admin", "password": "right-password"]), Example("accounts"),
        Example(.POST, "login", ["account": "ann", "password": "right-password"]),
        Example("logins"), Example(.DELETE, "logins/ann"), Example(.PUT, "accounts/ann", ["role": "monitor"]),
        Example(.DELETE, "accounts/ann"), Example("audit-log"),
    ]

    /// An adapter B.
    private static let archive = Data(
        zipArchive([("B.xml", adapterXML("B")), ("B-impl.js", "function run() {}")])
    ).base64EncodedString()

    private static let script = """
        WL.Server.createEventSource({ name: 'S' });
        WL.Server.createEventSource({ name: 'P', poll: { interval: 86400, onPoll: 'onPoll' } });
        function onPoll() {}
        function run() { return { x: 1 }; }
        """

    private static func route(of example: Example) throws -> ManagementRoute {
        let path = example.path.split(separator: "/").map(String.init)
        let call = ManagementCall(
            example.method.rawValue, segments: path, query: [], body: nil, idempotencyKey: nil)
        return try ManagementAPI.route(of: call).0
    }

    private static func run(_ body: @Sendable (RunningServer) async throws -> Void) async throws {
        let files = [
            "adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": script,
            "apps/App/application-descriptor.xml":
                #"<application xmlns="http://www.worklight.com/application-descriptor" id="App"><android version="1.0"/></application>"#,
        ]
        try await RunningServer.run(files: files, body)
    }

    @Test("Every route returns its example as the OpenAPI document describes", .defaultTimeLimit)
    func answers() async throws {
        try await Self.run { (server) async throws in
            var (message, number) = ("", "")
            for example in Self.examples {
                let path = (example.path + example.query).replacing("MESSAGE", with: message).replacing(
                    "NUMBER", with: number)
                let answer = try await server.manage(example.method, path, body: example.body?.text)
                let route = try Self.route(of: example)
                #expect(answer.status == route.status, "\(example.method) \(path): \(answer.body)")
                let json = try JSONValue(parsing: answer.body)
                do {
                    try route.answer.check(json, field: "")
                } catch {
                    Issue.record("\(example.method) \(path): \(error) in \(answer.body)")
                }
                guard example.path == "messages" else { continue }
                message = json["id"]?.string ?? ""
                while true {
                    try Task.checkCancellation()
                    guard let delivery = try await server.items("deliveries?state=previewed").first else { continue }
                    number = delivery["number"]?.text ?? ""
                    break
                }
            }
        }
    }

    @Test("Every route has an example, and the OpenAPI document has exactly these routes")
    func document() throws {
        let shown = try Set(Self.examples.map { try Self.route(of: $0) }.map { "\($0.method) \($0.path)" })
        let routes = Set(ManagementAPI.routes.map { "\($0.method) \($0.path)" })
        // Their examples would need a delivery that waits, and sessions.
        #expect(
            routes.subtracting(shown) == ["POST deliveries/{number}/cancel", "POST logout", "DELETE sessions/{id}"])
        let paths = try #require(OpenAPIDocument.json["paths"]?.object)
        let documented = paths.members.flatMap { path in
            (path.value.object?.keys ?? []).map { "\($0.uppercased()) \(path.key.dropFirst())" }
        }
        #expect(Set(documented) == routes && documented.count == ManagementAPI.routes.count)
        let ids = paths.members.flatMap {
            $0.value.object?.members.compactMap { $0.value["operationId"]?.string } ?? []
        }
        #expect(Set(ids).count == ids.count)
    }

    @Test(
        "Each role can call its routes and those of lower roles; a caller without a token none",
        .defaultTimeLimit)
    func roles() async throws {
        try await Self.run { (server) async throws in
            var tokens: [(role: ManagementRole?, token: String?)] = [
                (nil, nil), (nil, "wrong"), (nil, "lamplighter_x"),
            ]
            for role in ManagementRole.allCases {
                let answer = try await server.manage(
                    .POST, "tokens", body: #"{"name":"\#(role.rawValue)","role":"\#(role.rawValue)"}"#)
                tokens.append((role, try JSONValue(parsing: answer.body)["token"]?.string))
            }
            for route in ManagementAPI.routes {
                let path = route.path.replacing("{number}", with: "1").replacing(/\{[a-zA-Z]+\}/, with: "none")
                for (role, token) in tokens {
                    // Without a body or a required parameter nothing is changed.
                    let answer = try await server.send(
                        HTTPMethod(rawValue: route.method), "/management/v1/\(path)?nothing=1", key: token)
                    let expected =
                        switch (role, route.role) {
                        case (_, nil): 400
                        case (nil, _): 401
                        case (let role?, let lowest?): role >= lowest ? 400 : 403
                        }
                    #expect(
                        answer.status == expected,
                        "\(route.method) \(path) as \(role?.rawValue ?? "nobody"): \(answer.body)")
                    #expect(answer.headers["Content-Type"] == ["application/problem+json"])
                }
            }
        }
    }

    @Test("An account logs in with its password, and its session ends at logout, with its password and after 12 hours")
    func accounts() async throws {
        let time = ManualTime()
        let files = ["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": Self.script]
        try await RunningServer.run(files: files, time: time) { (server) async throws in
            func logIn(_ password: String) async throws -> (status: Int, token: String?) {
                let body: JSONValue = ["account": "ann", "password": .string(password)]
                let answer = try await server.send(.POST, "/management/v1/login", body: body.text)
                return (answer.status, try JSONValue(parsing: answer.body)["token"]?.string)
            }
            func status(_ token: String?) async throws -> Int {
                try await server.send(.GET, "/management/v1/me", key: token).status
            }
            let body = #"{"name":"ann","role":"operator","password":"right-password"}"#
            #expect(try await server.manage(.POST, "accounts", body: body).status == 201)
            #expect(try await server.manage(.POST, "accounts", body: body).status == 409)
            let file = server.installation.settings.dataFolder.appending(path: "accounts")
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains("\nann:operator:$argon2id$") && !text.contains("right-password"))
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try await logIn("wrong-password").status == 401)

            let first = try await logIn("right-password").token
            let me = try await server.send(.GET, "/management/v1/me", key: first)
            #expect(me.body == #"{"name":"ann","role":"operator"}"#)
            #expect(try await server.send(.GET, "/management/v1/accounts", key: first).status == 403)
            #expect(try await server.send(.POST, "/management/v1/logout", key: first).status == 200)
            #expect(try await status(first) == 401)

            let second = try await logIn("right-password").token
            #expect(
                try await server.manage(.PUT, "accounts/ann", body: #"{"password":"other-password"}"#).status == 200)
            #expect(try await status(second) == 401)
            #expect(try await logIn("right-password").status == 401)
            let third = try await logIn("other-password").token
            #expect(try await status(third) == 200)
            time.advance(by: .seconds(12 * 3600))
            #expect(try await status(third) == 401)
            let types = try await server.items("audit-log").map {
                "\($0["type"]?.string ?? "") \($0["account"]?.string ?? "")"
            }
            #expect(types.contains("Login ann") && types.contains("AccountChange server.json"))
        }
    }

    @Test("A mistake in the accounts file is reported with its line, and no login succeeds")
    func accountsFile() async throws {
        try await Self.run { (server) async throws in
            let file = server.installation.settings.dataFolder.appending(path: "accounts")
            try Data("# a comment\nann:king:x\n".utf8).write(to: file)
            let answer = try await server.manage(.GET, "accounts")
            #expect(answer.status == 503 && answer.body.contains("accounts:2: expected name:role:hash"))
            let body = #"{"account":"ann","password":"x"}"#
            #expect(try await server.send(.POST, "/management/v1/login", body: body).status == 503)
        }
    }

    @Test("A token ends when it expires and when it is removed")
    func tokenEnds() async throws {
        let time = ManualTime()
        try await RunningServer.run(
            files: ["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": Self.script], time: time
        ) {
            (server) async throws in
            let expires = time.now.addingTimeInterval(60).spelling
            let body = #"{"name":"x","role":"monitor","expires":"\#(expires)"}"#
            let token = try JSONValue(parsing: try await server.manage(.POST, "tokens", body: body).body)["token"]?
                .string
            #expect(try await server.send(.GET, "/management/v1/overview", key: token).status == 200)
            #expect(try await server.manage(.POST, "tokens", body: body).status == 409)
            time.setClock(forwardBy: 61)
            #expect(try await server.send(.GET, "/management/v1/overview", key: token).status == 401)
            let second = try JSONValue(
                parsing: try await server.manage(.POST, "tokens", body: #"{"name":"y","role":"monitor"}"#).body)[
                    "token"]?.string
            #expect(try await server.manage(.DELETE, "tokens/y").status == 200)
            #expect(try await server.send(.GET, "/management/v1/overview", key: second).status == 401)
        }
    }

    @Test("refuses an access rule for an application or an environment that the project does not have")
    func unknownVersion() async throws {
        try await Self.run { (server) async throws in
            let rule = #"{"access":"disabled","message":"Old"}"#
            for (path, reason) in [
                ("App/androidd/1.0", "has no environment 'androidd'; its descriptor has: android; is 'android' meant?"),
                ("Apq/android/1.0", "there is no application 'Apq'"),
            ] {
                let answer = try await server.manage(.PUT, "applications/\(path)", body: rule)
                #expect(answer.status == 404)
                #expect(
                    try JSONValue(parsing: answer.body)["detail"]?.string?.contains(reason) == true, "\(answer.body)")
            }
            // Phones may have a version that the descriptor no longer names.
            #expect(try await server.manage(.PUT, "applications/App/Android/0.9", body: rule).status == 200)
            #expect(try await server.manage(.PUT, "applications/App/android/*", body: rule).status == 200)
        }
    }

    @Test("The audit log has account, change, address and outcome, and contains no token")
    func audit() async throws {
        try await Self.run { (server) async throws in
            let created = try await server.manage(.POST, "tokens", body: #"{"name":"op","role":"operator"}"#)
            let token = try #require(try JSONValue(parsing: created.body)["token"]?.string)
            let path = "/management/v1/applications/App/android/1.0"
            for access in ["notify", "disabled"] {
                let body = #"{"access":"\#(access)","message":"Old"}"#
                #expect(try await server.send(.PUT, path, body: body, key: token).status == 200)
            }
            #expect(try await server.send(.DELETE, "/management/v1/adapters/A", key: token).status == 403)
            #expect(try await server.send(.DELETE, "/management/v1/devices/App/none", key: token).status == 404)
            let entries = try await server.items("audit-log")
            #expect(
                entries.map { $0["type"]?.string } == [
                    "DeviceDeletion", "ApplicationAccessRuleChange", "ApplicationAccessRuleChange", "TokenCreation",
                ])
            #expect(entries.map { $0["account"]?.string } == ["token:op", "token:op", "token:op", "server.json"])
            #expect(entries.map { $0["outcome"]?.string } == ["FAILURE", "SUCCESS", "SUCCESS", "SUCCESS"])
            #expect(entries.allSatisfy { $0["address"] == "127.0.0.1" })
            #expect(entries[1]["before"]?["access"] == "notify" && entries[1]["after"]?["access"] == "disabled")
            #expect(entries[1]["target"] == "applications/App/android/1.0")
            #expect(try await server.items("audit-log?account=token:op&type=DeviceDeletion").count == 1)
            #expect(try await server.items("audit-log?since=2999-01-01T00:00:00Z").isEmpty)
            #expect(!JSONValue.array(entries).text.contains(token))
        }
    }

    @Test("The audit log says FAILURE for a failed action, also where the call returned 200")
    func failedActions() async throws {
        let script = """
            function run(kind) {
                if (kind === 'throws') { throw new Error('no'); }
                return { isSuccessful: kind !== 'refuses' };
            }
            """
        try await RunningServer.run(script: script) { (server) async throws in
            for trace in [false, true] {
                for kind in ["works", "refuses", "throws"] {
                    let body: JSONValue = ["procedure": "run", "parameters": [.string(kind)], "trace": .bool(trace)]
                    #expect(try await server.manage(.POST, "adapters/A/invoke", body: body.text).status == 200)
                }
            }
            let upload: JSONValue = ["archive": .string(Data("no archive".utf8).base64EncodedString())]
            #expect(try await server.manage(.PUT, "adapters/B", body: upload.text).status == 400)
            var delivery = Delivery(
                notificationID: UUID(), options: ["APNS": ["alert": "Hi"]],
                subscription: DeviceSubscription(
                    eventSource: EventSourceID(adapter: "A", name: "S"), userID: "ann", deviceID: "phone",
                    applicationID: "App", alias: "news", platform: .android, token: DeviceToken(stored: "t"),
                    options: [:]),
                createdAt: Date(), expiresAt: Date(timeIntervalSinceNow: 60))
            (delivery.state, delivery.attempts, delivery.endedAt) = (.delivered, 1, Date())
            try server.installation.store.outbox.enqueue([delivery])
            #expect(try await server.manage(.POST, "deliveries/1/retry").status == 409)
            let outcomes = try await server.items("audit-log").reversed().map {
                "\($0["type"]?.string ?? "") \($0["outcome"]?.string ?? "") \($0["status"]?.text ?? "")"
            }
            let calls = ["SUCCESS", "FAILURE", "FAILURE"].map { "ProcedureInvocation \($0) 200" }
            #expect(outcomes == calls + calls + ["AdapterDeployment FAILURE 400", "DeliveryRetry FAILURE 409"])
        }
    }

    @Test("The audit log names the user who ran a command, where the call has the key of server.json")
    func unixUser() async throws {
        try await Self.run { (server) async throws in
            let created = try await server.manage(.POST, "tokens", body: #"{"name":"op","role":"operator"}"#)
            let token = try #require(try JSONValue(parsing: created.body)["token"]?.string)
            let key = server.note.managementKey
            for (user, key) in [
                ("ann", key), ("ann bob", key), (String(repeating: "a", count: 65), key), ("ann", token),
            ] {
                let answer = try await server.send(
                    .PUT, "/management/v1/devices/App/phone/block", key: key, headers: [("Lamplighter-User", user)])
                #expect(answer.status == 200)
            }
            let accounts = try await server.items("audit-log?type=DeviceStatusChange").map { $0["account"]?.string }
            #expect(accounts == ["token:op", "server.json", "server.json", "unix:ann"])
        }
    }

    @Test("The audit log is returned as CSV by its format or the header Accept, with the same filters")
    func auditCSV() async throws {
        try await Self.run { (server) async throws in
            #expect(try await server.manage(.PUT, "devices/App/phone/block").status == 200)
            #expect(try await server.manage(.DELETE, "devices/App/none").status == 404)
            let header = #""number","time","type","account","address","resource","outcome","status","before","after""#
            let all = try await server.send(
                .GET, "/management/v1/audit-log", key: server.note.managementKey, headers: [("Accept", "text/csv")])
            #expect(all.headers.first(name: "Content-Type")?.hasPrefix("text/csv") == true)
            #expect(all.body.hasPrefix(header + "\r\n") && all.body.components(separatedBy: "\r\n").count == 4)
            let one = try await server.manage(.GET, "audit-log?format=csv&type=DeviceDeletion&since=1h").body
            #expect(
                one.contains(#""DeviceDeletion","server.json","127.0.0.1","devices/App/none","FAILURE","404","","""#))
            #expect(!one.contains("DeviceStatusChange"))
        }
    }

    @Test("A field of CSV is quoted, and never a formula")
    func csv() {
        var csv = CSVText()
        csv.add(["=1", "+1", "-1", "@a", "\tx", "\rx", "a\"b,c\nd", "x=1", ""])
        #expect(
            csv.text == "\"'=1\",\"'+1\",\"'-1\",\"'@a\",\"'\tx\",\"'\rx\",\"a\"\"b,c\nd\",\"x=1\",\"\"\r\n")
    }

    @Test(
        "refuses a wrong time of a filter with its field",
        arguments: [
            ("since=yesterday", "since", "a duration before now such as 30m, 1h or 7d"),
            ("until=5", "until", "a duration before now such as 30m, 1h or 7d"),
            ("since=1h&until=2h", "until", "expected a time after 'since'"),
        ])
    func wrongTime(query: String, field: String, reason: String) async throws {
        try await Self.run { (server) async throws in
            let answer = try await server.manage(.GET, "deliveries?\(query)")
            let problem = try JSONValue(parsing: answer.body)
            #expect(answer.status == 400 && problem["field"]?.string == field)
            #expect(problem["detail"]?.string?.contains(reason) == true, "\(answer.body)")
        }
    }

    @Test("A method that a path does not have gets status 405 with the methods that it has")
    func methods() async throws {
        try await Self.run { (server) async throws in
            for method in [HTTPMethod.PUT, .PATCH] {
                let answer = try await server.manage(method, "subscriptions")
                #expect(answer.status == 405 && answer.headers["Allow"] == ["GET, POST, DELETE"])
            }
            #expect(try await server.manage(.GET, "nowhere").status == 404)
        }
    }

    @Test("A cursor that no response contained is refused", arguments: ["x", "W10", "WzFd", "WyJkZXZpY2UiXQ"])
    func cursor(text: String) async throws {
        try await Self.run { (server) async throws in
            for list in ["subscriptions", "devices"] {
                let answer = try await server.manage(.GET, "\(list)?cursor=\(text)")
                #expect(answer.status == 400 && answer.body.contains(#""field":"cursor""#))
            }
        }
    }

    @Test("A session is listed with its user, and ended", .defaultTimeLimit)
    func sessions() async throws {
        try await RunningServer.attacked { (server) async throws in
            let client = WireClient(server, device: "phone-1")
            #expect(try await client.act("init").status == 200)
            let fields = [("adapter", "A"), ("eventSource", "Guarded"), ("subscribe", "{}")]
            _ = try await client.act("notifications", fields)
            _ = try await client.logIn("ann", "right-ann-secret")
            let sessions = try await server.items("sessions?user=ann")
            let session = try #require(sessions.first)
            #expect(sessions.count == 1 && session["application"] == "App")
            #expect(try await server.items("sessions?user=bob").isEmpty)
            #expect(!session.text.contains(client.cookies["JSESSIONID"] ?? "none"))
            let id = try #require(session["id"]?.string)
            #expect(try await server.manage(.DELETE, "sessions/\(id)").status == 200)
            #expect(try await server.items("sessions?user=ann").isEmpty)
            #expect(try await server.manage(.DELETE, "sessions/\(id)").status == 404)
        }
    }

    @Test("Credentials show their last responses; a reload that fails changes nothing", .defaultTimeLimit)
    func credentials() async throws {
        let refused = SandboxedServer.token(1)
        try await SandboxedServer.run(devices: 2) { settings in
            settings.fault = {
                $0.token == refused ? .status(400, reason: "BadTopic", timestamp: nil, retryAfter: nil) : nil
            }
        } _: { (world) async throws in
            let before = try #require(try await world.server.items("credentials").first)
            #expect(before["service"] == "APNs" && before["lastSuccess"] == nil && before["lastRefusal"] == nil)
            try await world.notify()
            #expect(try await world.settled(2) == [.delivered: 1, .refused: 1])
            let after = try await world.server.items("credentials")
            #expect(after.contains { $0["lastSuccess"] != nil })
            #expect(after.contains { $0["lastRefusal"]?["reason"]?.string?.contains("BadTopic") == true })
            let page = try await ConsoleVisitor.loggedIn(world.server).get("/console/credentials").body
            #expect(page.contains("Reason of the last refusal") && page.contains("BadTopic"))

            let root = world.server.installation.settings.project.appending(path: "root.pem")
            let certificate = try Data(contentsOf: root)
            try FileManager.default.removeItem(at: root)
            let failed = try await world.server.manage(.POST, "credentials/reload")
            #expect(failed.status == 422 && failed.body.contains("push.trustedCertificates"))
            let finding = try #require(
                world.server.installation.checkCredentials().findings.first { $0.name == "reload" })
            #expect(finding.severity == .error && finding.text.contains("the former ones are in use: "))
            try await world.notify("ann", "again")
            #expect(try await world.settled(4) == [.delivered: 2, .refused: 2])
            try certificate.write(to: root)
            #expect(try await world.server.manage(.POST, "credentials/reload").status == 200)
            #expect(world.server.installation.checkCredentials().findings.allSatisfy { $0.name != "reload" })
            try await world.notify("ann", "and again")
            #expect(try await world.settled(6) == [.delivered: 3, .refused: 3])
        }
    }
}
