import Core
import Foundation
import NIOHTTP1
import PushModel
import TestSupport
import Testing

@testable import Installation

private let guarded = [("adapter", "A"), ("eventSource", "Guarded")]

@Suite("A web page subscribes")
struct WebPushSubscribingTests {
    private func subscriptions(_ server: RunningServer) async throws -> [JSONValue] {
        try await server.items("subscriptions")
    }

    @Test("A page that responds to the challenge is subscribed, as a device of the platform Web")
    func subscribe() async throws {
        try await RunningServer.attacked { (server) async throws in
            let page = WebPushPage(server)
            let fields = [
                ("adapter", "A"), ("eventSource", "Open"), ("alias", "news"), ("options", #"{"badge":false}"#),
            ]
            let answer = try await page.subscribe(fields)
            #expect(answer.status == 200 && answer["isSuccessful"] == true)
            let subscription = try #require(try await subscriptions(server).first)
            #expect(subscription["platform"] == "Web" && subscription["alias"] == "news")
            #expect(subscription["device"]?.string == page.device)
            #expect(subscription["options"] == ["badge": false])
            #expect(subscription["token"] == "push.example.com/…")
            #expect(subscription["user"]?.string == page.client.cookies["WL_PERSISTENT_COOKIE"])
        }
    }

    @Test("A request without the header that other sites' pages cannot send gets only the challenge")
    func forgery() async throws {
        try await RunningServer.attacked { (server) async throws in
            let page = WebPushPage(server)
            let fields = page.all([("adapter", "A"), ("eventSource", "Open")])
            for _ in 1...2 {
                let answer = try await page.client.sendOnce(.POST, "/lamplighter/webpush/subscribe", fields)
                #expect(answer.status == 401 && answer["challenges"]?["wl_antiXSRFRealm"] != nil)
            }
            #expect(try await subscriptions(server).isEmpty)
        }
    }

    @Test("An event source with a test requires its user, who owns the subscription then")
    func user() async throws {
        try await RunningServer.attacked { (server) async throws in
            let page = WebPushPage(server)
            #expect(try await page.subscribe(guarded).text.contains("j_security_check"))
            #expect(try await subscriptions(server).isEmpty)
            try await page.client.logIn("ann", "right-ann-secret")
            #expect(try await page.subscribe(guarded).status == 200)
            #expect(try await subscriptions(server).map { $0["user"] } == ["ann"])
        }
    }

    @Test("Subscribing twice has no effect, and another browser is another device")
    func twice() async throws {
        try await RunningServer.attacked { (server) async throws in
            let page = WebPushPage(server)
            for _ in 1...2 { #expect(try await page.subscribe().status == 200) }
            #expect(try await subscriptions(server).count == 1)
            try await WebPushPage(server, endpoint: "https://push.example.com/p/2").subscribe()
            #expect(try await subscriptions(server).count == 2)
        }
    }

    @Test("Unsubscribing ends the page's own subscription")
    func unsubscribe() async throws {
        try await RunningServer.attacked { (server) async throws in
            let page = WebPushPage(server)
            try await page.subscribe()
            #expect(try await page.unsubscribe()["isSuccessful"] == true)
            #expect(try await subscriptions(server).isEmpty)
        }
    }

    @Test("A stranger who knows an endpoint cannot end another user's subscription")
    func foreign() async throws {
        try await RunningServer.attacked { (server) async throws in
            let page = WebPushPage(server)
            try await page.subscribe(guarded)
            try await page.client.logIn("ann", "right-ann-secret")
            try await page.subscribe(guarded)
            let thief = WebPushPage(server)
            try await thief.subscribe(guarded)
            try await thief.client.logIn("bob", "right-bob-secret")
            #expect(try await thief.unsubscribe(guarded).status == 200)
            #expect(try await subscriptions(server).map { $0["user"] } == ["ann"])
        }
    }

    @Test(
        "An invalid subscription, or one that is not at a public push service, is refused",
        arguments: [
            "", "{}", #"{"endpoint":"https://127.0.0.1/","keys":{"p256dh":"x","auth":"y"}}"#,
            #"{"endpoint":"https://localhost/x","keys":{"p256dh":"\#(WebPushPage.publicKey)","auth":"\#(WebPushPage.auth)"}}"#,
        ])
    func damaged(text: String) async throws {
        try await RunningServer.attacked { (server) async throws in
            let page = WebPushPage(server)
            let fields = [
                ("application", "App"), ("subscription", text), ("adapter", "A"), ("eventSource", "Open"),
            ]
            let answer = try await page.client.send("/lamplighter/webpush/subscribe", fields)
            #expect(answer.status == 400)
            #expect(answer["errorMsg"]?.string?.hasPrefix("not a device token for Web: ") == true)
            #expect(try await subscriptions(server).isEmpty)
        }
    }

    @Test("An unknown event source, application or environment is 404")
    func unknown() async throws {
        try await RunningServer.attacked { (server) async throws in
            let page = WebPushPage(server)
            #expect(try await page.subscribe([("adapter", "A"), ("eventSource", "None")]).status == 404)
            #expect(try await WebPushPage(server, application: "None").subscribe().status == 404)
            #expect(try await page.subscribe([("environment", "mobilewebapp")]).status == 404)
        }
    }

    @Test("A phone does not pass for a page")
    func phone() async throws {
        try await RunningServer.attacked { (server) async throws in
            let phone = WireClient(server, device: "phone-1")
            let fields = WebPushPage(server).all([
                ("adapter", "A"), ("eventSource", "Open"), ("environment", "android"),
            ])
            let answer = try await phone.send("/lamplighter/webpush/subscribe", fields)
            #expect(answer.status == 400)
            #expect(answer["errorMsg"] == "Web Push is for pages in browsers, not for android")
        }
    }

    @Test("The fields of the protocol's other actions are not obeyed here")
    func otherActions() async throws {
        try await RunningServer.attacked { (server) async throws in
            let page = WebPushPage(server)
            let fields = [
                ("adapter", "A"), ("eventSource", "Open"), ("transport", "SMS"), ("phoneNumber", "+491701"),
                ("updateToken", "x"), ("unsubscribe", ""),
            ]
            #expect(try await page.subscribe(fields).status == 200)
            #expect(try await subscriptions(server).map { $0["platform"] } == ["Web"])
        }
    }

    @Test("A page subscribes to a tag, and without a tag to broadcasts")
    func tags() async throws {
        try await RunningServer.attacked { (server) async throws in
            let page = WebPushPage(server)
            let store: any RegistrationStore = server.installation.store
            #expect(try await page.subscribe([]).status == 200)
            #expect(try store.tags(applicationID: "App", deviceID: page.device) == ["Push.ALL"])
            #expect(try await page.subscribe([("tag", "news")]).status == 200)
            #expect(try store.tags(applicationID: "App", deviceID: page.device).contains("news"))
            #expect(try store.registration(applicationID: "App", deviceID: page.device)?.platform == .web)
            #expect(try await page.unsubscribe([("tag", "news")]).status == 200)
            #expect(try store.tags(applicationID: "App", deviceID: page.device) == ["Push.ALL"])
            #expect(try await page.subscribe([("tag", "none")]).status == 400)
        }
    }
}
