import Core
import Foundation
import PushSandbox
import TestSupport
import Testing

@Suite("The actions of the page of phones", .defaultTimeLimit)
struct PageActionTests {
    @Test("sends a test message to a phone", arguments: [SandboxService.apns, .fcm, .wns, .sms, .webPush])
    func sends(service: SandboxService) async throws {
        try await WebCase.run(WebCase.settingsWithPage) { web in
            let token = service == .webPush ? web.sandbox.makeWebPushSubscriber().id : "12345"
            let text = "Hello <you> & \"them\""
            let reply = try await web.postToPage(
                "/send", ["service": .string(service.rawValue), "token": .string(token), "text": .string(text)])
            #expect(reply.status == 200)
            let status: JSONValue = service == .webPush ? 201 : 200
            #expect(reply.json["status"] == status)
            let arrival = try #require(web.sandbox.arrivals(of: service).first)
            #expect(arrival.token == token)
            #expect(arrival.isAccepted)
            let shown = try await web.pageArrivals(of: service)
            #expect(shown.column("text") == .array([.string(text)]))
            #expect(shown.column("fromPage") == [true])
        }
    }

    @Test("does not show an app server's message as sent from the page")
    func marksOnlyItsOwn() async throws {
        try await WebCase.run(WebCase.settingsWithPage) { web in
            _ = try await web.sendSMS("hello")
            let shown = try await web.pageArrivals(of: .sms)
            #expect(shown.column("fromPage") == [false])
        }
    }

    @Test("applies faults to a test message and shows the refusal with the phone's token")
    func appliesFaults() async throws {
        try await WebCase.run(WebCase.settingsWithPage) { web in
            _ = try await web.send("PUT", web.pageURL("/faults"), [:], "sms:503@12345\nsms:never@67890\n")
            let refused = try await web.postToPage("/send", ["service": "sms", "token": "12345", "text": "a"])
            #expect(refused.json["status"] == 503)
            let unanswered = try await web.postToPage("/send", ["service": "sms", "token": "67890", "text": "b"])
            #expect(unanswered.json["status"] == JSONValue.null)
            let shown = try await web.pageArrivals(of: .sms)
            #expect(shown.column("token") == ["12345", "67890"])
            #expect(shown.column("accepted") == [false, false])
            #expect(shown.column("reason") == ["ServiceUnavailable", "never"])
            #expect(shown.column("status") == [503, .null])
        }
    }

    @Test("refuses a test message to an unknown or ended Web Push subscription")
    func refusesUnknownSubscription() async throws {
        try await WebCase.run(WebCase.settingsWithPage) { web in
            let subscriber = web.sandbox.makeWebPushSubscriber()
            web.sandbox.removeWebPushSubscriber(subscriber)
            let gone = try await web.postToPage(
                "/send", ["service": "webPush", "token": .string(subscriber.id), "text": "a"])
            #expect(gone.json["status"] == 410)
            let unknown = try await web.postToPage("/send", ["service": "webPush", "token": "none", "text": "a"])
            #expect(unknown.json["status"] == 404)
        }
    }

    static let incomplete: [(JSONValue, String)] = [
        (["service": "oauth", "token": "1", "text": "a"], "'service' is unknown"),
        (["service": "sms", "text": "a"], "'token' is missing"),
        (["service": "sms", "token": "1", "text": ""], "'text' has 0 characters"),
        (["service": "sms", "token": "1", "text": .string(String(repeating: "x", count: 501))], "501 characters"),
    ]

    @Test("names the missing part of an incomplete test message", arguments: incomplete)
    func namesMissingPart(body: JSONValue, problem: String) async throws {
        try await WebCase.run(WebCase.settingsWithPage) { web in
            let reply = try await web.postToPage("/send", body)
            #expect(reply.status == 400)
            #expect(reply.body.contains(problem), "\(reply.body)")
            #expect(web.sandbox.arrivalCount() == 0)
        }
    }

    @Test("refuses actions that another site's page can request", arguments: ["/send", "/clear"])
    func refusesOtherSites(path: String) async throws {
        try await WebCase.run(WebCase.settingsWithPage) { web in
            _ = try await web.sendSMS("hello")
            for type in ["text/plain", "application/x-www-form-urlencoded", "text/plain; application/json"] {
                let reply = try await web.postToPage(
                    path, ["service": "sms", "token": "12345", "text": "a"], type: type)
                #expect(reply.status == 415)
            }
            let preflight = try await web.send(
                "OPTIONS", web.pageURL(path),
                ["Origin": "http://example.com", "Access-Control-Request-Method": "POST"], "")
            #expect(preflight.status == 404)
            #expect(!preflight.headers.keys.contains { $0.hasPrefix("access-control-") })
            #expect(web.sandbox.arrivals().count == 1)
        }
    }

    @Test("clears the kept arrivals and announces it to open pages")
    func clears() async throws {
        try await WebCase.run(WebCase.settingsWithPage) { web in
            try await web.withEvents(after: 0) { text in
                _ = try await web.sendSMS("one")
                try await text.wait { $0.contains(#""text":"one""#) }
                #expect(try await web.postToPage("/clear", [:]).json["discarded"] == 1)
                try await text.wait { $0.contains("id: 1\nevent: cleared\ndata: 1\n\n") }
                #expect(web.sandbox.arrivals().isEmpty)
                #expect(web.sandbox.arrivalCount() == 1)
                _ = try await web.sendSMS("two")
                try await text.wait { $0.contains(#""text":"two""#) }
            }
            let shown = try await web.pageArrivals(of: .sms)
            #expect(shown.column("number") == [2])
            #expect(shown.first?["totals"]?["accepted"] == 1)
        }
    }

    @Test("announces an earlier clear to a page that reconnects")
    func announcesEarlierClear() async throws {
        try await WebCase.run(WebCase.settingsWithPage) { web in
            for text in ["one", "two"] { _ = try await web.sendSMS(text) }
            _ = try await web.postToPage("/clear", [:])
            _ = try await web.sendSMS("three")
            try await web.withEvents(after: 1) { text in
                try await text.wait { $0.contains(#""text":"three""#) }
                #expect(text.value.contains("id: 2\nevent: cleared\ndata: 2\n\n"))
            }
            try await web.withEvents(after: 2) { text in
                try await text.wait { $0.contains(#""text":"three""#) }
                #expect(!text.value.contains("event: cleared"))
            }
        }
    }
}
