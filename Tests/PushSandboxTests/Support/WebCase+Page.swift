import Core
import HTTPTransfer
import PushSandbox
import TestSupport
import Testing

extension [JSONValue] {
    /// The member `name` of each value as a JSON array; null where it is missing.
    func column(_ name: String) -> JSONValue { .array(map { $0[name] ?? .null }) }
}

extension WebCase {
    /// Settings with which the page of phones listens on any free port.
    static var settingsWithPage: PushSandbox.Settings {
        var settings = PushSandbox.Settings()
        settings.pagePort = 0
        return settings
    }

    func pageURL(_ path: String) throws -> String {
        "http://127.0.0.1:\(try #require(sandbox.pagePort))\(path)"
    }

    /// Posts JSON to the page's port.
    func postToPage(_ path: String, _ body: JSONValue, type: String = "application/json") async throws -> Reply {
        try await send("POST", pageURL(path), ["Content-Type": type], body.text)
    }

    /// The arrivals of one service as the page receives them.
    func pageArrivals(of service: SandboxService) async throws -> [JSONValue] {
        let all = try await send("GET", pageURL("/arrivals")).json.array ?? []
        return all.filter { $0["service"]?.string == service.rawValue }
    }

    func sendSMS(_ text: String) async throws -> Reply {
        try await send("GET", "http://127.0.0.1:\(sandbox.smsPort)/?to=12345&text=\(text)")
    }

    /// Sends the parts of one Windows notification in Lamplighter's order.
    func sendWindowsNotification(_ text: String) async throws {
        let visual = "<visual><binding template=\"ToastText01\"><text id=\"1\">\(text)</text></binding></visual>"
        let parts = [
            ("toast", "<toast>\(visual)</toast>"), ("tile", "<tile>\(visual)</tile>"),
            ("badge", "<badge value=\"3\"/>"), ("raw", #"{"alias":"balance"}"#),
        ]
        let token = try await windowsToken()
        for (part, body) in parts {
            let reply = try await send(
                "POST", base + "/?token=AwYAAAB",
                [
                    "Authorization": "Bearer \(token)", "X-WNS-Type": "wns/\(part)",
                    "Content-Type": part == "raw" ? "application/octet-stream" : "text/xml",
                ], body)
            #expect(reply.status == 200)
        }
    }

    private func windowsToken() async throws -> String {
        let reply = try await form(
            "/accesstoken.srf",
            [
                "grant_type": "client_credentials", "client_id": sandbox.credentials.wnsPackageSID,
                "client_secret": sandbox.credentials.wnsClientSecret, "scope": "notify.windows.com",
            ])
        return try #require(reply.json["access_token"]?.string)
    }

    /// Runs `body` while a client reads the page's events after arrival `last`.
    func withEvents(after last: Int, _ body: (AwaitableValue<String>) async throws -> Void) async throws {
        let request = TransferRequest(url: try pageURL("/events?after=\(last)"))
        let text = AwaitableValue("")
        let listening = Task { [client] in
            try await client.send(request) { _, piece in text.update { $0 += String(decoding: piece, as: UTF8.self) } }
        }
        defer { listening.cancel() }
        try await body(text)
    }
}
