import AdapterRuntime
import Core
import HTTPServer
import Logging
import NIOHTTP1
import TestSupport
import Testing

@testable import Installation

@Suite("Requests of telephone network gateways", .defaultTimeLimit)
struct PhoneGatewayTests {
    private static let files = [
        "adapters/A/A.xml": adapterXML("A", procedures: ["seen", "subscribers"]),
        "adapters/A/A-impl.js": """
        var message = null;
        WL.Server.createEventSource({ name: 'News' });
        WL.Server.setEventHandlers([
            WL.Server.createSMSEventHandler({ keyword: 'BALANCE' }, function (event) { message = event; }),
            WL.Server.createUSSDEventHandler({ shortcode: '*123#' }, function (event) {
                return WL.Server.createUSSDResponse('1. ' + event.params.from + '\\n2. bye', 'text/x-menu', true);
            }),
            WL.Server.createUSSDEventHandler({ shortcode: 'split' }, function (event) {
                return WL.Server.createUSSDResponse('x', 'text/plain\\r\\nX-Evil: 1', true);
            }),
            WL.Server.createUSSDEventHandler({ __wlpath: '/menu' }, function (event) {
                return WL.Server.createUSSDResponse(event.body + event.headers['X-Gate']);
            })]);
        function seen() { return { message: message }; }
        function subscribers(user) {
            var all = WL.Server.getUserNotificationSubscription('A.News', user);
            return { count: all === null ? 0 : all.getDeviceSubscriptions().length };
        }
        """,
        "apps/My-App/application-descriptor.xml": """
        <application id="My-App" platformVersion="6.2.0.0" xmlns="http://www.worklight.com/application-descriptor">
        <displayName>App</displayName><android version="1.0"/><smsGateway id="gate"/></application>
        """,
        "server/conf/SMSConfig.xml": """
        <sms:config xmlns:sms="http://www.worklight.com/sms/config/SMSConfig.xsd">
        <gateway id="gate" hostname="sms.example.com" port="8080" programName="send" toParamName="to" textParamName="text"/>
        </sms:config>
        """,
    ]

    private static func run(
        from gateways: [String] = ["127.0.0.1"], log: LogRecorder? = nil, proxies: [String] = [],
        _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        let (gateways, proxies) = (try TrustedProxies(gateways), try TrustedProxies(proxies))
        try await RunningServer.run(
            files: files, log: log,
            change: {
                $0.phoneGateways = gateways
                $0.trustedProxies = proxies
                $0.contextRoot = "/wl"
                // So that seen() sees the message which the handler has had.
                $0.runtime.scopes.shared = .all
                $0.runtime.scopes.machines = 1
            }, body)
    }

    private static let targets = [
        "/wl/receiveSMS?keyword=BALANCE", "/wl/ussd?shortcode=*123%23", "/wl/ussd/menu",
        "/wl/subscribeSMS?eventSource=A.News&phoneNumber=123456&appId=My-App-android-1.0",
    ]

    @Test("returns 404 unless phoneGateways is set", arguments: targets)
    func off(target: String) async throws {
        try await RunningServer.run(files: Self.files, change: { $0.contextRoot = "/wl" }) { (server) async throws in
            #expect(try await server.send(.GET, target).status == 404)
            #expect(try await Self.message(server) == .null)
        }
    }

    @Test("refuses requests from other addresses", arguments: targets)
    func elsewhere(target: String) async throws {
        let log = LogRecorder()
        try await Self.run(from: ["192.0.2.0/24"], log: log) { (server) async throws in
            for method in ["GET", "POST"] {
                let answer = try await server.sendRaw(method, target, headers: ["X-Forwarded-For: 192.0.2.1"])
                #expect(answer.hasPrefix("HTTP/1.1 403"))
            }
            #expect(log.messages(at: .notice).contains { $0.contains("phoneGateways") })
            #expect(try await Self.message(server) == .null)
            #expect(try await Self.subscribers(server, "123456") == 0)
        }
    }

    @Test("uses the client's address that a trusted proxy reports")
    func proxied() async throws {
        try await Self.run(from: ["192.0.2.1"], proxies: ["127.0.0.1"]) { (server) async throws in
            let target = "/wl/receiveSMS?keyword=BALANCE"
            for (address, status) in [("192.0.2.1", "200"), ("192.0.2.2", "403")] {
                let answer = try await server.sendRaw("GET", target, headers: ["X-Forwarded-For: \(address)"])
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"))
            }
        }
    }

    @Test("A client behind a trusted proxy claims no other address in header fields that the proxy does not set")
    func claimed() async throws {
        try await Self.run(from: ["192.0.2.1"], proxies: ["127.0.0.1"]) { (server) async throws in
            let answer = try await server.sendRaw(
                "GET", "/wl/receiveSMS?keyword=BALANCE",
                headers: ["Forwarded: for=192.0.2.1", "X-Forwarded-For: 198.51.100.7"])
            #expect(answer.hasPrefix("HTTP/1.1 403"))
        }
    }

    @Test("A text message reaches the handler whose filter matches, and the gateway gets an empty response")
    func message() async throws {
        try await Self.run { (server) async throws in
            let answer = try await server.send(.GET, "/wl/receiveSMS?keyword=BALANCE&from=%2B4912&text=how+much")
            #expect(answer.status == 200 && answer.body.isEmpty)
            #expect(
                try await Self.message(server) == ["keyword": "BALANCE", "from": "+4912", "text": "how much"])
            let other = try await server.send(
                .POST, "/wl/receiveSMS", body: "keyword=OTHER", type: "application/x-www-form-urlencoded")
            #expect(other.status == 200)
            #expect(try await Self.message(server)["keyword"] == "BALANCE")
        }
    }

    @Test("a USSD response has the handler's content and content type")
    func dialogue() async throws {
        try await Self.run { (server) async throws in
            let answer = try await server.send(.GET, "/wl/ussd?shortcode=*123%23&from=4912")
            #expect(answer.status == 200 && answer.body == "1. 4912\n2. bye")
            #expect(answer.headers["Content-Type"] == ["text/x-menu"])
            #expect(try await server.send(.GET, "/wl/ussd?shortcode=other").status == 404)
        }
    }

    @Test("A USSD handler sees path, headers and body")
    func details() async throws {
        try await Self.run { (server) async throws in
            let answer = try await server.sendRaw(
                "POST", "/wl/ussd/menu", headers: ["X-Gate: 7", "Content-Type: text/xml"], body: "<ussd/>")
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.hasSuffix("\r\n\r\n<ussd/>7"))
            #expect(answer.contains("text/plain; charset=UTF-8"))
        }
    }

    @Test("A handler's content type does not split the response")
    func splitting() async throws {
        try await Self.run { (server) async throws in
            let answer = try await server.send(.GET, "/wl/ussd?shortcode=split")
            #expect(answer.headers["X-Evil"].isEmpty && answer.headers["Content-Type"] == ["text/plain; charset=UTF-8"])
        }
    }

    @Test(
        "A phone without an application subscribes, as the number or by a name",
        arguments: [("", "123456"), ("&userName=ann", "ann"), ("&option=subscribe&userName=", "123456")])
    func subscribe(more: String, user: String) async throws {
        try await Self.run { (server) async throws in
            let query = "eventSource=A.News&phoneNumber=123-456&alias=n&appId=My-App-android-1.0\(more)"
            #expect(try await server.send(.GET, "/wl/subscribeSMS?\(query)").status == 200)
            #expect(try await Self.subscribers(server, user) == 1)
            // Somebody else's is not ended.
            let other = "eventSource=A.News&phoneNumber=123456&option=unsubscribe&userName=eve"
            #expect(try await server.send(.GET, "/wl/subscribeSMS?\(other)").status == 200)
            #expect(try await Self.subscribers(server, user) == 1)
            let end = "eventSource=A.News&phoneNumber=123456&option=stop&userName=\(user == "ann" ? user : "")"
            #expect(try await server.send(.GET, "/wl/subscribeSMS?\(end)").status == 200)
            #expect(try await Self.subscribers(server, user) == 0)
        }
    }

    @Test(
        "An incomplete request for text messages is refused, with a reason",
        arguments: [
            ("phoneNumber=123456&appId=My-App-android-1.0", 400, "eventSource"),
            ("eventSource=A.Other&phoneNumber=123456&appId=My-App-android-1.0", 404, "A.Other"),
            ("eventSource=A.News&phoneNumber=12x&appId=My-App-android-1.0", 400, "phone"),
            ("eventSource=A.News&phoneNumber=123456", 400, "appId"),
            ("eventSource=A.News&phoneNumber=123456&appId=Other-android-1.0", 400, "appId"),
        ])
    func refused(query: String, status: Int, reason: String) async throws {
        try await Self.run { (server) async throws in
            let answer = try await server.send(.GET, "/wl/subscribeSMS?\(query)")
            #expect(answer.status == status && answer.body.contains(reason), "\(answer)")
        }
    }

    private static func message(_ server: RunningServer) async throws -> JSONValue {
        try await server.call("A", "seen")["message"] ?? .null
    }

    private static func subscribers(_ server: RunningServer, _ user: String) async throws -> JSONValue? {
        try await server.call("A", "subscribers", .string(user))["count"]
    }
}
