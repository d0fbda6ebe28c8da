import Core
import PushSandbox
import TestSupport
import Testing

@Suite("WNS's side", .defaultTimeLimit)
struct WNSTests {
    private static let toast =
        #"<toast><visual><binding template="ToastText01"><text id="1">hi</text></binding></visual></toast>"#

    private func send(
        _ web: WebCase, method: String = "POST", _ changes: [String: String?] = [:], body: String = toast
    ) async throws -> WebCase.Reply {
        let credentials = web.sandbox.credentials
        let token = try await web.form(
            "/accesstoken.srf",
            [
                "grant_type": "client_credentials", "client_id": credentials.wnsPackageSID,
                "client_secret": credentials.wnsClientSecret, "scope": "notify.windows.com",
            ]
        ).json["access_token"]?.string
        var headers: [String: String?] = [
            "Authorization": "Bearer \(token ?? "")", "X-WNS-Type": "wns/toast", "Content-Type": "text/xml",
            "X-WNS-TTL": "60",
        ]
        for (name, value) in changes { headers[name] = .some(value) }
        return try await web.send(method, web.base + "/?token=AwYAAAB", headers, body)
    }

    @Test("A good toast is received, with the service's headers")
    func accepts() async throws {
        try await WebCase.run { web in
            let reply = try await send(web, ["X-WNS-RequestForStatus": "true"])
            #expect(reply.status == 200)
            #expect(reply.headers["x-wns-status"] == "received")
            #expect(reply.headers["x-wns-deviceconnectionstatus"] == "connected")
            let arrival = try #require(await web.sandbox.waitForArrivals(1, of: .wns).first)
            #expect(arrival.token == "AwYAAAB")
            #expect(arrival.id == reply.headers["x-wns-msg-id"])
        }
    }

    struct Bad: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let status: Int
        var method = "POST"
        var changes: [String: String?] = [:]
        var body = WNSTests.toast
    }

    static let bad = [
        Bad(testDescription: "PUT", status: 405, method: "PUT"),
        Bad(testDescription: "no token", status: 401, changes: ["Authorization": nil]),
        Bad(testDescription: "an unknown token", status: 401, changes: ["Authorization": "Bearer x"]),
        Bad(testDescription: "an unknown type", status: 400, changes: ["X-WNS-Type": "wns/song"]),
        Bad(testDescription: "a toast as JSON", status: 400, changes: ["Content-Type": "application/json"]),
        Bad(testDescription: "raw as XML", status: 400, changes: ["X-WNS-Type": "wns/raw"]),
        Bad(testDescription: "a time to live of 0", status: 400, changes: ["X-WNS-TTL": "0"]),
        Bad(testDescription: "XML that does not end", status: 400, body: "<toast>"),
        Bad(testDescription: "a badge in place of a toast", status: 400, body: "<badge value=\"1\"/>"),
        Bad(
            testDescription: "5,001 bytes", status: 413,
            body: "<toast>\(String(repeating: "x", count: 4986))</toast>"),
    ]

    @Test("refuses an invalid notification with an error description", arguments: bad)
    func refuses(_ bad: Bad) async throws {
        try await WebCase.run { web in
            let reply = try await send(web, method: bad.method, bad.changes, body: bad.body)
            #expect(reply.status == bad.status)
            #expect(reply.headers["x-wns-error-description"]?.isEmpty == false)
            #expect(reply.headers["x-wns-status"] == "dropped")
        }
    }

    @Test("returns 406 and the WNS status for a throttled channel")
    func throttles() async throws {
        var settings = PushSandbox.Settings()
        settings.fault = { $0.service == .wns ? .status(406, reason: "throttled", retryAfter: 3) : nil }
        try await WebCase.run(settings) { web in
            let reply = try await send(web)
            #expect(reply.status == 406)
            #expect(reply.headers["x-wns-status"] == "channelThrottled")
            #expect(reply.headers["retry-after"] == "3")
        }
    }
}
