import Core
import Foundation
import NIOHTTP1
import Push
import TestSupport
import Testing

@testable import Installation

@Suite("Files that a web page loads")
struct WebPushResourceTests {
    @Test("The key is made at the first start, and is for its owner alone")
    func key() async throws {
        let folder = try TemporaryFolder()
        try await RunningServer.run(script: "", in: folder) { (server) async throws in
            let answer = try await server.send(.GET, "/lamplighter/webpush/key")
            #expect(answer.status == 200 && answer.headers["Content-Type"] == ["application/json; charset=UTF-8"])
            let key = try JSONValue(parsing: answer.body)["applicationServerKey"]?.string
            #expect(Base64URL.decode(key ?? "")?.count == 65)
        }
        let file = folder.url.appending(path: ".lamplighter/web-push-key.pem").path
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    }

    @Test("The key of an earlier start is used again")
    func oldKey() async throws {
        let folder = try TemporaryFolder()
        let data = folder.url.appending(path: ".lamplighter")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        let key = try VAPIDKey(file: data.appending(path: "web-push-key.pem").path)
        try await RunningServer.run(script: "", in: folder) { (server) async throws in
            #expect(try await server.send(.GET, "/lamplighter/webpush/key").body.contains(key.publicKey))
        }
    }

    @Test("A key in the settings replaces the one in the folder")
    func givenKey() async throws {
        let key = VAPIDKey()
        let folder = try TemporaryFolder()
        try await RunningServer.run(script: "", in: folder, change: { $0.webPushKey = key }) { (server) async throws in
            #expect(try await server.send(.GET, "/lamplighter/webpush/key").body.contains(key.publicKey))
        }
        #expect(
            !FileManager.default.fileExists(atPath: folder.url.appending(path: ".lamplighter/web-push-key.pem").path))
    }

    @Test(
        "The scripts are JavaScript, and are found under the context root alone",
        arguments: ["/lamplighter/webpush.js", "/lamplighter/webpush-sw.js"])
    func scripts(path: String) async throws {
        try await RunningServer.run(script: "", change: { $0.contextRoot = "/wl" }) { (server) async throws in
            let answer = try await server.send(.GET, "/wl" + path)
            #expect(answer.status == 200 && answer.headers["Content-Type"] == ["text/javascript; charset=UTF-8"])
            #expect(answer.body.contains("docs/web-push.md"))
            #expect(try await server.send(.GET, path).status == 404)
        }
    }

    @Test(
        "a service worker may control all pages under the context root",
        arguments: [("/", "/"), ("/wl", "/wl/")])
    func scope(root: String, allowed: String) async throws {
        try await RunningServer.run(script: "", change: { $0.contextRoot = root }) { (server) async throws in
            let prefix = root == "/" ? "" : root
            let answer = try await server.send(.GET, prefix + "/lamplighter/webpush-sw.js")
            #expect(answer.headers["Service-Worker-Allowed"] == [allowed])
        }
    }

    @Test("Subscribing needs POST", arguments: ["subscribe", "unsubscribe"])
    func method(name: String) async throws {
        try await RunningServer.run(script: "") { (server) async throws in
            let answer = try await server.send(.GET, "/lamplighter/webpush/\(name)?application=App&subscription=x")
            #expect(answer.status == 405 && answer.headers["Allow"] == ["POST"])
        }
    }

    @Test("A request without an application or a subscription gets 400 with the missing fields")
    func fields() async throws {
        try await RunningServer.run(script: "") { (server) async throws in
            let answer = try await server.send(
                .POST, "/lamplighter/webpush/subscribe", body: "application=App",
                type: "application/x-www-form-urlencoded")
            #expect(
                answer.status == 400 && answer.body.contains("expected the fields 'application' and 'subscription'"))
        }
    }

    @Test("returns 404 for other paths under /lamplighter", arguments: ["", "/", "/webpush", "/webpush/key/x", "/x"])
    func nothing(path: String) async throws {
        try await RunningServer.run(script: "") { (server) async throws in
            #expect(try await server.send(.GET, "/lamplighter" + path).status == 404)
        }
    }

    @Test("A notification to a page is shown as it would be sent, and the adapter reads Web", .defaultTimeLimit)
    func preview() async throws {
        let script = """
            WL.Server.createEventSource({ name: 'News' });
            function tell() {
                var page = WL.Server.getUserNotificationSubscription('A.News', 'ann').getDeviceSubscriptions()[0];
                WL.Server.notifyAllDevices(
                    WL.Server.getUserNotificationSubscription('A.News', 'ann'),
                    WL.Server.createDefaultNotification('Snow', 2, { id: 7 }));
                return { platform: page.platform };
            }
            """
        let files = ["adapters/A/A.xml": adapterXML("A", procedures: ["tell"]), "adapters/A/A-impl.js": script]
        try await RunningServer.run(files: files) { (server) async throws in
            let page = WebPushPage(server)
            let form: JSONValue = [
                "eventSource": "A.News", "user": "ann", "device": "web-1", "platform": "Web",
                "token": .string(page.subscription), "application": "App",
            ]
            let subscribed = try await server.manage(.POST, "subscriptions", body: form.text)
            #expect(subscribed.body.contains(#""isSuccessful":true"#))
            #expect(try await page.client.call("tell")["platform"] == "Web")
            let delivery = try await server.delivery { $0["platform"] == "Web" }
            let request = delivery["requests"]?.array?.first
            #expect(request?["service"] == "Web Push" && request?["url"]?.string == page.endpoint)
            #expect(
                request?["body"]?["alert"] == "Snow" && request?["body"]?["badge"] == 2
                    && request?["body"]?["payload"]?["alias"] == "News")
        }
    }
}
