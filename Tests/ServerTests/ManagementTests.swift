import Core
import Foundation
import NIOHTTP1
import Push
import TestSupport
import Testing

@testable import Installation

@Suite("Management")
struct ManagementTests {
    private static let script = """
        WL.Server.createEventSource({ name: 'S' });
        function run(user) {
            var u = WL.Server.getUserNotificationSubscription('S', user);
            return { wait: WL.Server.notifyAllDevices(u, WL.Server.createDefaultNotification('hi', 1, {})) };
        }
        """

    private static func form(_ user: String = "ann", token: String = "token-1", source: String = "A.S") -> String {
        #"{"eventSource":"\#(source)","user":"\#(user)","device":"phone","platform":"Android","token":"\#(token)","application":"App"}"#
    }

    @Test("is refused without the key", arguments: [nil, "wrong", ""])
    func key(key: String?) async throws {
        try await RunningServer.run(script: Self.script) { (server) async throws in
            let answer = try await server.send(.GET, "/management/v1/subscriptions", key: key)
            #expect(answer.status == 401)
            #expect(answer.body.contains("server.json"))
        }
    }

    @Test(
        "Code with an impossible line number is refused, and the server stays up",
        arguments: ["9223372036854775807", "-9223372036854775808", "0", "1000001"])
    func line(number: String) async throws {
        try await RunningServer.run(script: Self.script) { (server) async throws in
            let path = "adapters/A/evaluate"
            for code in ["null.x", "1 +", "let"] {
                let form = #"{"code":"\#(code)","line":\#(number)}"#
                let answer = try await server.manage(.POST, path, body: form)
                #expect(answer.status == 400 && answer.body.contains("expected an integer from 1 to 1000000"))
            }
            let form = #"{"code":"1 + 1","line":1000000}"#
            #expect(try await server.manage(.POST, path, body: form).status == 200)
        }
    }

    @Test("A notification goes from subscription to delivery", .defaultTimeLimit)
    func wholeWay() async throws {
        try await RunningServer.run(script: Self.script) { (server) async throws in
            let subscribed = try await server.manage(.POST, "subscriptions", body: Self.form())
            #expect(subscribed.body == #"{"result":{"isSuccessful":true,"subscription":"created"}}"#)
            let called = try await server.develop(.GET, "/invoke?adapter=A&procedure=run&parameters=%5B%22ann%22%5D")
            #expect(called.body == #"{"isSuccessful":true,"wait":0}"#)
            var delivered: [JSONValue] = []
            while delivered.isEmpty { delivered = try await server.items("deliveries?state=previewed") }
            let delivery = try #require(delivered.first)
            let request = try #require(delivery["requests"]?.array?.first)
            #expect(request["service"] == "FCM")
            #expect(request["body"]?["message"]?["data"]?["alert"] == "hi")
        }
    }

    @Test(
        "A bad form is refused with the field and the reason",
        arguments: [
            (form(source: "S"), 400, "eventSource", "expected Adapter.EventSource, found 'S'"),
            (form(source: "A.Nope"), 404, nil, "there is no event source 'A.Nope'; there are: A.S"),
            (form(""), 400, "user", "expected a string of 1 to 512 characters"),
            (form(token: "no token"), 400, "token", "not a device token for Android"),
            (form().replacing("Android", with: "Symbian"), 400, "platform", "expected one of Apple, Android"),
            ("{}", 400, "eventSource", "missing"), ("oops", 400, nil, "expected JSON"),
            (
                form().replacing("alias", with: "x").replacing(#""user""#, with: #""more":1,"user""#), 400, "more",
                "unknown field"
            ),
        ] as [(String, Int, String?, String)])
    func badForm(form: String, status: Int, field: String?, reason: String) async throws {
        try await RunningServer.run(script: Self.script) { (server) async throws in
            let answer = try await server.manage(.POST, "subscriptions", body: form)
            #expect(answer.status == status)
            let problem = try JSONValue(parsing: answer.body)
            #expect(
                problem["field"]?.string == field && problem["detail"]?.string?.contains(reason) == true,
                "\(answer.body)")
        }
    }

    @Test("An unknown state or a bad limit is refused", arguments: ["state=lost", "limit=0", "limit=x"])
    func badQuery(query: String) async throws {
        try await RunningServer.run(script: Self.script) { (server) async throws in
            #expect(try await server.manage(.GET, "deliveries?\(query)").status == 400)
        }
    }

    @Test("The data folder belongs to one server at a time; the second one's error says so")
    func inUse() async throws {
        let folder = try TemporaryFolder()
        try await RunningServer.run(script: Self.script, in: folder) { (server) async throws in
            let error = try await #require(throws: DataFolderError.self) {
                try await RunningServer.run(script: Self.script, in: folder) { _ in }
            }
            #expect(error.description.contains("is in use by the server at \(server.url)"))
        }
    }

    @Test("reports the system's reason when the lock of the data folder cannot be opened")
    func lockReason() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("lock"), withIntermediateDirectories: false)
        let error = #expect(throws: DataFolderError.self) { try DataFolder(locking: folder.url) }
        #expect(error?.description.contains("Is a directory") == true)
    }

    @Test("names the owner of a data folder that denies access")
    func deniedFolder() {
        let error = DataFolderError.permissionDenied("/data", user: "ann", owner: "lamplighter")
        #expect(
            error.description
                == "the data folder cannot be opened: /data: permission denied for the user 'ann'; run the command as the user "
                + "'lamplighter', who owns it, or choose another folder with --data")
    }

    @Test("A second start on the same data folder finds everything")
    func restart() async throws {
        let folder = try TemporaryFolder()
        try await RunningServer.run(script: Self.script, in: folder) { (server) async throws in
            _ = try await server.manage(.POST, "subscriptions", body: Self.form())
        }
        try await RunningServer.run(script: Self.script, in: folder) { (server) async throws in
            #expect(try await server.manage(.GET, "subscriptions?user=ann").body.contains(#""device":"phone""#))
        }
    }

    @Test("Production mode refuses to start without the credentials that the project's applications need")
    func production() async throws {
        let files = [
            "adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": Self.script,
            "apps/App/application-descriptor.xml": """
            <application xmlns="http://www.worklight.com/application-descriptor" id="App">
                <iphone bundleId="com.example.app"><pushSender password="x"/></iphone>
                <android><pushSender key="AIza" senderId="1"/></android>
            </application>
            """,
        ]
        let error = try await #require(throws: ModeError.self) {
            try await RunningServer.run(files: files, change: { $0.mode = .production }) { _ in }
        }
        #expect(
            error.missing == [
                "apps/App/application-descriptor.xml:2: App sends through APNs, and there are no credentials: set "
                    + "applications.App.apns.key, keyID and teamID, or put a valid .p12 beside the descriptor",
                "apps/App/application-descriptor.xml:3: App sends through FCM, and there are no credentials: Google has shut "
                    + "down GCM, so the key here is of no use; set applications.App.fcm.serviceAccount",
            ])
    }
}
