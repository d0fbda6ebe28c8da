import AdapterRuntime
import Core
import Foundation
import HTTPTransfer
import NIOHTTP1
import PushModel
import TestSupport
import Testing

@testable import Installation
@testable import Management

@Suite("The console")
struct ConsoleTests {
    private static let files = [
        "adapters/A/A.xml": adapterXML("A"),
        "adapters/A/A-impl.js": """
        WL.Server.createEventSource({ name: 'S' });
        function run(first, second) { return { user: WL.Server.getActiveUser(), sum: first + second }; }
        """,
        "apps/App/application-descriptor.xml": #"""
        <application xmlns="http://www.worklight.com/application-descriptor" id="App"><android version="1.0"/></application>
        """#,
    ]

    private static func run(
        as role: String = "admin", _ body: @Sendable (ConsoleVisitor) async throws -> Void
    ) async throws {
        try await RunningServer.run(files: files) { (server) async throws in
            try await body(try await ConsoleVisitor.loggedIn(server, as: role))
        }
    }

    private static func subscribe(
        _ server: RunningServer, user: String = "ann", device: String = "phone"
    ) async throws {
        let body: JSONValue = [
            "eventSource": "A.S", "user": .string(user), "device": .string(device), "platform": "Android",
            "token": "t", "application": "App",
        ]
        #expect(try await server.manage(.POST, "subscriptions", body: body.text).status == 200)
    }

    @Test("shows that the server deploys changed files only where it watches them")
    func automaticDeployment() async throws {
        try await Self.run { (visitor) async throws in
            #expect(try await !visitor.get("/console/adapters/A").body.contains("does so itself"))
            let page = try #require(
                ConsoleSite.adapterPages.first { $0.pattern.match(["adapters", "A"]) != nil })
            let api = ManagementAPI(visitor.server.installation, isWatching: true)
            let call = ConsoleCall(
                api: api, principal: .commandLine, parameters: ["adapter": "A"], fields: FormFields(""),
                address: "adapters/A")
            let view = try await page.view(call)
            #expect("\(view)".contains("does so itself"))
        }
    }

    // MARK: Login

    @Test("A browser without a session is sent to the login, which leads back")
    func login() async throws {
        try await Self.run { (visitor) async throws in
            let stranger = ConsoleVisitor(visitor.server)
            let asked = try await stranger.get("/console/deliveries?state=refused")
            #expect(asked.status == 303)
            #expect(
                asked.headers.first(name: "Location") == "/console/login?next=%2Fconsole%2Fdeliveries%3Fstate%3Drefused"
            )
            let refused = try await stranger.logIn(as: "admin", "wrong")
            #expect(refused.status == 401 && refused.body.contains("wrong account or password"))
            let admitted = try await stranger.logIn(
                as: "admin", "right-password", next: "%2Fconsole%2Fdeliveries%3Fstate%3Drefused")
            #expect(admitted.headers.first(name: "Location") == "/console/deliveries?state=refused")
            #expect(try await stranger.get("/console/deliveries?state=refused").status == 200)
        }
    }

    @Test(
        "A login leads to no other site",
        arguments: ["https://example.com/", "//example.com", "/console/../x\\y", "/consoles", "/management/v1/me"])
    func otherSites(next: String) async throws {
        try await Self.run { (visitor) async throws in
            let stranger = ConsoleVisitor(visitor.server)
            let answer = try await stranger.logIn(
                as: "admin", "right-password", next: PercentEncoding.encode(next))
            #expect(answer.headers.first(name: "Location") == "/console")
        }
    }

    @Test("The session's cookie is out of reach for scripts and for forms of other sites, and secure behind HTTPS")
    func cookie() async throws {
        for (url, isSecure) in [("https://console.example.com", true), ("http://127.0.0.1:1", false)] {
            try await RunningServer.run(files: Self.files, change: { $0.consoleURL = url }) { (server) async throws in
                let account: JSONValue = ["name": "ann", "role": "monitor", "password": "right-password"]
                #expect(try await server.manage(.POST, "accounts", body: account.text).status == 201)
                let answer = try await ConsoleVisitor(server).logIn(as: "ann", "right-password")
                let name = isSecure ? "__Host-lamplighter-console=" : "lamplighter-console="
                let cookie = try #require(answer.headers["Set-Cookie"].first { $0.hasPrefix(name) })
                #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
                #expect(cookie.contains(isSecure ? "Path=/;" : "Path=/console;"))
                #expect(cookie.contains("Secure") == isSecure)
            }
        }
    }

    @Test("Two cookies of the session's name are both ignored")
    func twoCookies() async throws {
        try await Self.run { (visitor) async throws in
            let session = try #require(visitor.session)
            for (cookies, status) in [
                ("lamplighter-console=\(session)", 200), ("lamplighter-console=\(session); lamplighter-console=x", 303),
                ("lamplighter-console=x; lamplighter-console=\(session)", 303),
            ] {
                let answer = try await visitor.server.send(.GET, "/console", headers: [("Cookie", cookies)])
                #expect(answer.status == status)
            }
        }
    }

    @Test("Logging out ends the session")
    func logout() async throws {
        try await Self.run { (visitor) async throws in
            let session = try #require(visitor.session)
            #expect(try await visitor.post("/console/logout").headers.first(name: "Location") == "/console/login")
            #expect(visitor.session == nil)
            let answer = try await visitor.server.send(
                .GET, "/console", headers: [("Cookie", "lamplighter-console=\(session)")])
            #expect(answer.status == 303)
        }
    }

    // MARK: Protection

    @Test("A form without the session's token, or with another session's, is refused")
    func forgedForm() async throws {
        try await Self.run { (visitor) async throws in
            let other = ConsoleVisitor(visitor.server)
            _ = try await other.logIn(as: "admin", "right-password")
            let foreign = ConsoleVisitor.value(of: "csrf", in: try await other.get("/console").body)
            for token in ["", "x", foreign] {
                let answer = try await visitor.post("/console/adapters/A/undeploy", ["confirmed": "yes"], csrf: token)
                #expect(answer.status == 403)
            }
            #expect(visitor.server.installation.runtime.adapterNames == ["A"])
            let strangers = try await ConsoleVisitor(visitor.server).post(
                "/console/login", ["account": "admin", "password": "right-password"], csrf: "x")
            #expect(strangers.status == 401)
        }
    }

    @Test("Every page forbids other sites' scripts, frames and forms")
    func policy() async throws {
        try await Self.run { (visitor) async throws in
            for path in ["/console", "/console/login", "/console/nowhere", "/console/console.js"] {
                let headers = try await visitor.get(path).headers
                let policy = try #require(headers.first(name: "Content-Security-Policy"))
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self'") && !policy.contains("unsafe"))
                #expect(policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'self'"))
                #expect(headers.first(name: "X-Content-Type-Options") == "nosniff")
            }
        }
    }

    @Test("Strings of apps and users are escaped")
    func escaping() async throws {
        let name = "<script>alert(1)</script>\"'&"
        try await Self.run { (visitor) async throws in
            try await Self.subscribe(visitor.server, user: name, device: name)
            let encoded = PercentEncoding.encode(name)
            for path in [
                "users", "users/\(encoded)", "devices", "devices/App/\(encoded)", "subscriptions",
                "deliveries?user=\(encoded)",
            ] {
                let page = try await visitor.get("/console/\(path)")
                #expect(page.status == 200, "\(path)")
                #expect(!page.body.contains("<script>alert") && page.body.contains("&lt;script&gt;"), "\(path)")
            }
        }
    }

    @Test("Control characters of apps and users are spelt out")
    func controls() async throws {
        let name = "a\u{1B}[31m\u{202E}b"
        try await Self.run { (visitor) async throws in
            try await Self.subscribe(visitor.server, user: name, device: name)
            let encoded = PercentEncoding.encode(name)
            for path in ["users", "users/\(encoded)", "devices", "devices/App/\(encoded)", "subscriptions"] {
                let page = try await visitor.get("/console/\(path)")
                #expect(page.status == 200, "\(path)")
                #expect(page.body.contains("<bdi>a\\u001b[31m\\u202eb"), "\(path)")
                #expect(!page.body.contains("\u{1B}") && !page.body.contains("\u{202E}"), "\(path)")
            }
        }
    }

    @Test("Forms of strangers are read up to 16 KiB")
    func longForm() async throws {
        try await Self.run { (visitor) async throws in
            let long = try await ConsoleVisitor(visitor.server).post(
                "/console/login", ["account": String(repeating: "a", count: 20_000)], csrf: "x")
            #expect(long.status == 413)
        }
    }

    // MARK: The server's strip

    /// Runs `body` on a server of which only one health check counts.
    private static func run(
        checking check: HealthCheck.Name, files: [String: String] = Self.files,
        mode: InstallationSettings.Mode = .development, _ body: @Sendable (ConsoleVisitor) async throws -> Void
    ) async throws {
        try await RunningServer.run(
            files: files,
            change: {
                $0.serverName = "Shop <1>"
                $0.mode = mode
                $0.ignoredChecks = Set(HealthCheck.Name.allCases).subtracting([check])
            }
        ) { (server) async throws in
            try await body(try await ConsoleVisitor.loggedIn(server, as: "monitor"))
        }
    }

    @Test("Every page shows the server's name, mode and state, with a link to the findings")
    func strip() async throws {
        try await Self.run(checking: .store) { (visitor) async throws in
            for path in ["/console", "/console/settings", "/console/deliveries", "/console/nowhere", "/console/audit"] {
                let page = try await visitor.get(path).body
                #expect(page.contains("<b><bdi>Shop &lt;1&gt;</bdi></b>"), "\(path)")
                #expect(page.contains(#"<span class="state">development</span>"#), "\(path)")
                #expect(page.contains(#"<a class="state good" href="/console#state">Ready</a>"#), "\(path)")
                #expect(page.contains(" – Shop &lt;1&gt; – Lamplighter</title>"), "\(path)")
            }
            #expect(try await visitor.get("/console").body.contains(#"<section id="state""#))
        }
    }

    @Test("The strip counts the errors of the health report")
    func stripErrors() async throws {
        let files = Self.files.merging(["adapters/B/B.xml": "<broken"]) { _, new in new }
        try await Self.run(checking: .adapters, files: files) { (visitor) async throws in
            let errors = try await visitor.server.health().findings.count { $0["severity"]?.string == "error" }
            let page = try await visitor.get("/console/settings").body
            #expect(errors > 0)
            #expect(page.contains(#"<a class="state bad" href="/console#state">\#(errors.counted("error"))</a>"#))
        }
    }

    @Test("The strip shows that the server is not ready, even besides other problems")
    func stripNotReady() async throws {
        let files = ["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": "function ("]
        try await Self.run(checking: .adapters, files: files, mode: .production) { (visitor) async throws in
            let page = try await visitor.get("/console/settings").body
            #expect(page.contains(#"<a class="state bad" href="/console#state">Not ready</a>"#))
            #expect(page.contains(#"<span class="state">production</span>"#))
        }
    }

    @Test("The login shows the server's name, and neither its mode nor its state")
    func loginStrip() async throws {
        try await Self.run(checking: .store) { (visitor) async throws in
            let page = try await ConsoleVisitor(visitor.server).get("/console/login").body
            #expect(page.contains("<b><bdi>Shop &lt;1&gt;</bdi></b>"))
            #expect(page.contains("<title>Log in – Shop &lt;1&gt; – Lamplighter</title>"))
            #expect(!page.contains("class=\"state") && !page.contains("development"))
        }
    }

    // MARK: Pages

    @Test("Every page of the menu opens for the roles that may use it")
    func menu() async throws {
        for role in ManagementRole.allCases {
            try await Self.run(as: role.rawValue) { (visitor) async throws in
                for page in ConsoleSite.pages where page.menu != nil {
                    let path = (["/console"] + page.pattern.segments).joined(separator: "/")
                    #expect(try await visitor.get(path).status == (role >= page.role ? 200 : 403), "\(role) \(path)")
                }
            }
        }
    }

    /// The rows of the settings page by the ids of their sections, each as its cells without markup.
    private static func settings(
        _ query: String = "", of visitor: ConsoleVisitor
    ) async throws -> [String: [[String]]] {
        let page = try await visitor.get("/console/settings\(query)").body
        var sections: [String: [[String]]] = [:]
        for section in page.components(separatedBy: "<section id=\"settings-").dropFirst() {
            let rows = section.components(separatedBy: "<tr role=\"row\">").dropFirst(2)
            sections[String(section.prefix { $0 != "\"" })] = rows.map { row -> [String] in
                row.components(separatedBy: "<span class=\"cell\">").dropFirst().map { cell -> String in
                    let content = cell.components(separatedBy: "</span></td>")[0].replacing(/<[^>]*>/, with: "")
                    return content.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                }
            }
        }
        return sections
    }

    @Test("The settings are grouped by their keys' first part; a search covers keys, values and descriptions")
    func settings() async throws {
        let shown = [
            ShownSetting(key: "host", value: "127.0.0.1", source: "default", expected: "an address"),
            ShownSetting(key: "tls.key", value: nil, unset: "not set", source: "default", expected: "a file in PEM"),
            ShownSetting(
                key: "backEnds.token", value: nil, isSecret: true, source: "LAMPLIGHTER_X", expected: "a text"),
            ShownSetting(key: "data", value: "/srv/Shop", source: "lamplighter.yaml:3", expected: "a folder"),
        ]
        try await RunningServer.run(files: Self.files, change: { $0.shown = shown }) { (server) async throws in
            let visitor = try await ConsoleVisitor.loggedIn(server)
            #expect(
                try await Self.settings(of: visitor) == [
                    "server": [
                        ["host", "127.0.0.1 default", "", "an address"],
                        ["data", "/srv/Shop", "lamplighter.yaml:3", "a folder"],
                    ],
                    "tls": [["tls.key", "not set default", "", "a file in PEM"]],
                    "backEnds": [["backEnds.token", "not shown", "LAMPLIGHTER_X", "a text"]],
                ])
            let page = try await visitor.get("/console/settings").body
            #expect(page.contains("<h2>TLS</h2>") && page.contains("<h2>Back ends</h2>"))
            #expect(page.contains("<code><bdi>/<wbr>srv/<wbr>Shop</bdi></code>"))
            for (search, keys) in [
                ("SHOP", ["data"]), ("backends", ["backEnds.token"]), ("PEM", ["tls.key"]), ("+host+", ["host"]),
                ("%3Cb%3E", []),
            ] as [(String, [String])] {
                let found = try await Self.settings("?q=\(search)", of: visitor)
                #expect(found.values.flatMap(\.self).map { $0[0] } == keys, "\(search)")
            }
            let none = try await visitor.get("/console/settings?q=%3Cb%3E").body
            #expect(none.contains("No setting matches.") && none.contains(#"value="&lt;b&gt;""#))
        }
    }

    @Test("An action that cannot be undone needs a confirmation")
    func question() async throws {
        try await Self.run { (visitor) async throws in
            let question = try await visitor.post("/console/adapters/A/undeploy")
            #expect(question.status == 200 && question.body.contains("Undeploy the adapter?"))
            #expect(visitor.server.installation.runtime.adapterNames == ["A"])
            let done = try await visitor.post("/console/adapters/A/undeploy", ["confirmed": "yes"])
            #expect(done.headers.first(name: "Location") == "/console/adapters")
            #expect(visitor.server.installation.runtime.adapterNames.isEmpty)
            #expect(try await visitor.get("/console/adapters").body.contains("A was undeployed."))
            #expect(try await !visitor.get("/console/adapters").body.contains("A was undeployed."))
        }
    }

    @Test("A procedure is invoked as a user, with values separated by commas or as an array")
    func invoke() async throws {
        try await Self.run { (visitor) async throws in
            #expect(try await visitor.get("/console/invoke").body.contains(#"data-names="first, second""#))
            for parameters in [#""a", "b""#, #"["a", "b"]"#] {
                let page = try await visitor.post(
                    "/console/invoke", ["procedure": "A/run", "parameters": parameters, "user": "ann"])
                #expect(page.body.contains("&quot;sum&quot;: &quot;ab&quot;"))
                #expect(page.body.contains("&quot;userId&quot;: &quot;ann&quot;"))
            }
        }
    }

    @Test("A refused message names the wrong field, and is not sent")
    func wrongMessage() async throws {
        try await Self.run { (visitor) async throws in
            for (fields, text) in [
                (["target": "userIds", "alert": "x"], "Names: expected at least one"),
                (["target": "everybody", "alert": "x", "settings": "{"], "Settings by platform"),
                (["target": "everybody", "alert": "x", "names": "ann"], "Names: expected none"),
                (["target": "everybody", "alert": "x", "badge": "many"], "Badge: expected an integer"),
                (["target": "tagNames", "names": "nowhere", "alert": "x"], "target.tagNames"),
            ] {
                let answer = try await visitor.post("/console/send", fields)
                #expect(answer.status == 400 && answer.body.contains(text), "\(answer.body)")
            }
        }
    }

    @Test("The message that was previewed is sent once, however often its form is sent")
    func sendOnce() async throws {
        try await Self.run { (visitor) async throws in
            try await Self.subscribe(visitor.server)
            let form = ["application": "App", "target": "userIds", "names": " ann ,", "alert": "Dinner"]
            let preview = try await visitor.post("/console/send", form)
            #expect(preview.body.contains("Send to 1 device"))
            let key = ConsoleVisitor.value(of: "key", in: preview.body)
            let sent = try await visitor.post(
                "/console/send", form.merging(["key": key, "confirmed": "yes"]) { $1 })
            let again = try await visitor.post(
                "/console/send", form.merging(["key": key, "confirmed": "yes"]) { $1 })
            #expect(sent.status == 303 && sent.headers["Location"] == again.headers["Location"])
            let list = try await visitor.server.manage(.GET, "deliveries")
            #expect(try JSONValue(parsing: list.body)["items"]?.array?.count == 1)
        }
    }

    @Test("A preview lists the names that reach no device, and the number of blocked devices")
    func previewWarnings() async throws {
        try await Self.run { (visitor) async throws in
            try await Self.subscribe(visitor.server)
            #expect(try await visitor.server.manage(.PUT, "devices/App/phone/block").status == 200)
            let page = try await visitor.post(
                "/console/send", ["application": "App", "target": "userIds", "names": "ann, nobody", "alert": "x"])
            #expect(page.body.contains("no registered device: user &#39;nobody&#39;"))
            #expect(
                page.body.contains("1 device of the application is blocked") && page.body.contains("Send to 1 device"))
        }
    }

    @Test("The audit log shows resources decoded, and is downloaded as CSV by those who may read it")
    func auditLog() async throws {
        try await Self.run { (visitor) async throws in
            let server = visitor.server
            #expect(try await server.manage(.PUT, "devices/App/phone%20%C3%A9/block").status == 200)
            #expect(try await server.manage(.DELETE, "devices/App/none").status == 404)
            let page = try await visitor.get("/console/audit?account=server.json&type=").body
            #expect(page.contains("<bdi>devices/App/phone é/block</bdi>") && page.contains("failure 404"))
            #expect(page.contains("href=\"/console/audit.csv?account=server.json\""))
            let file = try await visitor.get("/console/audit.csv?type=DeviceDeletion")
            #expect(file.status == 200 && file.headers.first(name: "Content-Type")?.hasPrefix("text/csv") == true)
            #expect(file.headers.first(name: "Content-Disposition") == "attachment; filename=\"audit-log.csv\"")
            #expect(file.body.contains("devices/App/none") && !file.body.contains("DeviceStatusChange"))
            let monitor = try await ConsoleVisitor.loggedIn(server, as: "monitor")
            #expect(try await monitor.get("/console/audit.csv").status == 403)
            let stranger = try await ConsoleVisitor(server).get("/console/audit.csv")
            #expect(stranger.status == 303)
        }
    }

    @Test("A delivery's page lists its failed attempts, and shows if there was none")
    func failedAttempts() async throws {
        try await Self.run { (visitor) async throws in
            let now = Date()
            var delivery = Self.delivery(at: now)
            (delivery.state, delivery.attempts, delivery.endedAt) = (.refused, 2, now)
            try visitor.server.installation.store.outbox.enqueue([delivery])
            #expect(try await visitor.get("/console/deliveries/1").body.contains("No attempt has failed."))
            delivery = Self.delivery(at: now)
            (delivery.state, delivery.attempts, delivery.endedAt) = (.refused, 2, now)
            delivery.failures = [
                DeliveryFailure(time: now, reason: "503 <busy>"),
                DeliveryFailure(time: now, reason: "400 BadDeviceToken"),
            ]
            try visitor.server.installation.store.outbox.enqueue([delivery])
            let page = try await visitor.get("/console/deliveries/2").body
            #expect(page.contains("503 &lt;busy&gt;") && page.contains("400 BadDeviceToken"))
            let answer = try JSONValue(parsing: try await visitor.server.manage(.GET, "deliveries/2").body)
            #expect(
                answer["failedAttempts"]?.array?.map { $0["reason"]?.string } == ["503 <busy>", "400 BadDeviceToken"])
        }
    }

    @Test("The list of deliveries has the full text where a cell is cut, and is filtered by time")
    func deliveryList() async throws {
        try await Self.run { (visitor) async throws in
            var delivery = Self.delivery(at: Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded() - 7200))
            (delivery.state, delivery.reason, delivery.endedAt) = (.refused, "no such \"token\"", Date())
            try visitor.server.installation.store.outbox.enqueue([delivery])
            let page = try await visitor.get("/console/deliveries?since=1d&until=1h").body
            #expect(page.contains("title=\"no such &quot;token&quot;\""))
            #expect(page.contains("<time class=\"relative\" datetime=\"\(delivery.createdAt.spelling)\""))
            #expect(try await visitor.get("/console/deliveries?since=1h").body.contains("No delivery matches."))
            let refused = try await visitor.get("/console/deliveries?since=lately")
            #expect(refused.status == 400 && refused.body.contains("since: expected a time such as"))
        }
    }

    /// A delivery to ann's phone.
    private static func delivery(at time: Date) -> Delivery {
        Delivery(
            notificationID: UUID(), options: ["APNS": ["alert": "Dinner"]],
            subscription: DeviceSubscription(
                eventSource: EventSourceID(adapter: "A", name: "S"), userID: "ann", deviceID: "phone",
                applicationID: "App", alias: "news", platform: .android, token: DeviceToken(stored: "t"), options: [:]),
            createdAt: time, expiresAt: time.addingTimeInterval(60))
    }

    @Test("Unknown pages, devices and deliveries are not found")
    func notFound() async throws {
        try await Self.run { (visitor) async throws in
            for path in ["nowhere", "deliveries/7", "devices/App/none", "adapters/None", "messages/1"] {
                #expect(try await visitor.get("/console/\(path)").status == 404, "\(path)")
            }
            #expect(try await visitor.post("/console/nowhere").status == 404)
        }
    }

    @Test("Style sheet, script and icon come without a session, and once")
    func files() async throws {
        try await Self.run { (visitor) async throws in
            for file in ["console.css", "console.js", "icon.svg"] {
                let answer = try await visitor.server.send(.GET, "/console/\(file)")
                let tag = try #require(answer.headers.first(name: "ETag"))
                #expect(answer.status == 200)
                let known = try await visitor.server.send(
                    .GET, "/console/\(file)", headers: [("If-None-Match", tag)])
                #expect(known.status == 304 && known.body.isEmpty)
            }
        }
    }
}
