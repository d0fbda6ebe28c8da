import Core
import Foundation
import HTTPTransfer
import PushSandbox
import TestSupport
import Testing

@Suite("The page of phones", .defaultTimeLimit)
struct PhonePageTests {
    private func page(_ web: WebCase, host: String = "127.0.0.1") throws -> String {
        "http://\(host):\(try #require(web.sandbox.pagePort))"
    }

    private var settings: PushSandbox.Settings {
        var settings = PushSandbox.Settings()
        settings.pagePort = 0
        return settings
    }

    private func sendSMS(_ web: WebCase, _ text: String) async throws {
        _ = try await web.send("GET", "http://127.0.0.1:\(web.sandbox.smsPort)/?to=12345&text=\(text)")
    }

    @Test("loads nothing from elsewhere, and no script but its own")
    func isClosed() async throws {
        try await WebCase.run(settings) { web in
            let reply = try await web.send("GET", try page(web))
            #expect(reply.status == 200)
            #expect(reply.headers["content-security-policy"]?.contains("default-src 'none'") == true)
            #expect(!reply.body.contains("http://") && !reply.body.contains("https://"))
            for file in ["/page.css", "/page.js"] {
                let text = try await web.send("GET", try page(web) + file)
                #expect(text.status == 200)
                #expect(!text.body.contains("innerHTML") && !text.body.contains("//cdn"))
            }
        }
    }

    @Test("is not served under another host's name")
    func checksHost() async throws {
        try await WebCase.run(settings) { web in
            let reply = try await web.send("GET", try page(web), ["Host": "evil.example.com"])
            #expect(reply.status == 403)
        }
    }

    @Test("Events contain earlier and later arrivals")
    func sendsEvents() async throws {
        try await WebCase.run(settings) { web in
            try await sendSMS(web, "one")
            let request = TransferRequest(url: try page(web) + "/events?after=0")
            let (text, types) = (AwaitableValue(""), AwaitableValue<Set<String?>>([]))
            let listening = Task {
                try await web.client.send(request) { head, piece in
                    types.update { _ = $0.insert(head.first("Content-Type")) }
                    text.update { $0 += String(decoding: piece, as: UTF8.self) }
                }
            }
            try await text.wait { $0.contains(#""text":"one""#) }
            try await sendSMS(web, "two")
            try await text.wait { $0.contains(#""text":"two""#) }
            listening.cancel()
            #expect(types.value == ["text/event-stream"])
            #expect(text.value.contains("id: 1\n") && text.value.contains("id: 2\n"))
        }
    }

    @Test("a page that is opened late starts with the kept messages")
    func listsArrivals() async throws {
        try await WebCase.run(settings) { web in
            try await sendSMS(web, "one")
            let list = try await web.send("GET", try page(web) + "/arrivals").json
            #expect(list.array?.count == 1)
            #expect(list.array?.first?["token"] == "12345")
            #expect(list.array?.first?["number"] == 1)
        }
    }

    @Test("A slow reader gets a response whole when the connection closes after it")
    func slowReader() async throws {
        try await WebCase.run(settings) { web in
            let text = String(repeating: "x", count: 1000)
            for _ in 0..<300 { try await sendSMS(web, text) }
            let client = try await RawClient(port: #require(web.sandbox.pagePort), receiveBuffer: 4 << 10)
            try await client.send("GET /arrivals HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let answer = await client.readToEnd()
            await client.close()
            let body = answer.split(separator: "\r\n\r\n", maxSplits: 1).last ?? ""
            #expect(try JSONValue(parsing: String(body)).array?.count == 300, "\(answer.count) characters came")
        }
    }

    @Test("Faults are shown, set as lines or as JSON, and taken back")
    func setsFaults() async throws {
        try await WebCase.run(settings) { web in
            let url = try page(web) + "/faults"
            #expect(try await web.send("GET", url).body == "[]")
            let set = try await web.send("PUT", url, [:], "sms:503\napns:never:1%\n")
            #expect(set.body == #"["sms:503","apns:never:1%"]"#)
            let sms = try await web.send("GET", "http://127.0.0.1:\(web.sandbox.smsPort)/?to=12345&text=x")
            #expect(sms.status == 503)
            let again = try await web.send("PUT", url, [:], #"["fcm:429"]"#)
            #expect(again.body == #"["fcm:429"]"#)
            let bad = try await web.send("PUT", url, [:], "fcm:quickly")
            #expect(bad.status == 400)
            #expect(bad.body.contains("a status such as 503"))
            #expect(try await web.send("DELETE", url).body == "[]")
        }
    }

    @Test("Lines of JSON hold neither the provider's token nor the gateway's password")
    func keepsSecrets() async throws {
        try await WebCase.run(settings) { web in
            let url = "http://127.0.0.1:\(web.sandbox.smsPort)/send?to=12345&text=x&password=geheim"
            _ = try await web.send("GET", url, ["Authorization": "Basic geheim"])
            let line = try #require(web.sandbox.arrivals().first).json
            #expect(!line.contains("geheim"))
            #expect(!line.contains("\n"))
            #expect(try JSONValue(parsing: line)["token"] == "12345")
        }
    }
}
