import Dispatch
import Foundation
import TestSupport
import Testing
import WorklightClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("2.2.1, 2.2.2, 2.8: connecting", .defaultTimeLimit)
struct ConnectTests {
    @Test("2.2.1 wlConnect succeeds, and the delegate gets the server's response")
    func connect() async throws {
        try await TestServer.run { server in
            let response = try await server.client().connect()
            #expect(response.status == "200")
            #expect(response.getResponseJson()?["userInfo"] != nil)
            #expect(response.invocationResult == nil)
        }
    }

    @Test("2.2.1 An application that the server does not know fails")
    func unknownApplication() async throws {
        try await TestServer.run { server in
            var settings = server.settings()
            settings.applicationID = "Nobody"
            let failure = try await SDKTestClient(settings).failure { $0.wlConnect(with: $1) }
            #expect(failure.status == "404")
            #expect(failure.errorCode == WLErrorCodeUnexpectedError)
            #expect(failure.errorMsg.contains("Nobody"))
        }
    }

    @Test("2.2.1 Calls before wlConnect fail without a request")
    func before() async throws {
        let server = try LoopbackServer { _ in .nothing }
        let client = try server.client()
        let token = Data([1, 2, 3])
        let data = WLProcedureInvocationData(adapter: "a", procedure: "p")
        let failures = [
            try await client.failure { $0.invokeProcedure(data, with: $1) },
            try await client.failure { $0.updateDeviceToken(token, delegate: $1) },
            try await client.failure { $0.unsubscribeAdapter("a", eventSource: "e", delegate: $1) },
            try await client.failure {
                $0.subscribe(
                    withToken: token, adapter: "a", eventSource: "e", eventSourceID: 1, notificationType: .alert,
                    delegate: $1)
            },
            try await client.failure { $0.push.subscribe("alias", nil, $1) },
            try await client.failure { $0.push.unsubscribe("alias", $1) },
        ]
        for failure in failures {
            #expect(failure.errorMsg.contains("call wlConnect first"))
            #expect(failure.errorCode == WLErrorCodeUnexpectedError)
            #expect(failure.status == nil)
        }
        await #expect(throws: WLError.self) { try await client.client.log(activity: "x") }
        #expect(server.requests.value.isEmpty)
    }

    @Test("A connect that failed can be tried again")
    func again() async throws {
        let server = try LoopbackServer {
            $0.number == 0 ? .html("busy", status: 503) : .json(#"{"userInfo":{}}"#)
        }
        let client = try server.client()
        let failure = try await client.failure { $0.wlConnect(with: $1) }
        #expect(failure.errorCode == WLErrorCodeUnresponsiveHost)
        #expect(try await client.connect().status == "200")
    }

    @Test("A client that was connected stays so when it connects again and the server is away")
    func stays() async throws {
        let server = try LoopbackServer { request in
            switch request.number {
            case 0: .json(#"{"userInfo":{}}"#)
            case 1: .html("busy", status: 503)
            default: .json(#"{"isSuccessful":true}"#)
            }
        }
        let client = try server.client()
        try await client.connect()
        _ = try await client.failure { $0.wlConnect(with: $1) }
        #expect(try await client.invoke("p").response().status == "200")
    }

    @Test("Two connects at the same time are one request, and both delegates get the response")
    func twice() async throws {
        try await TestServer.withClient { (_, client) async throws in
            let delegates = [RecordingDelegate(), RecordingDelegate()]
            for delegate in delegates { client.client.wlConnect(with: delegate) }
            for delegate in delegates { #expect(try await delegate.outcome().response().status == "200") }
        }
    }

    @Test("A procedure that is called while the client connects waits for it")
    func during() async throws {
        final class Held: FormChallengeHandler {
            let shown = AwaitableValue(false)
            override func handleChallenge(_ response: WLResponse!) { shown.update { $0 = true } }
            func goOn() { super.handleChallenge(nil) }
        }
        try await TestServer.withClient(.form) { (_, client) async throws in
            let handler = Held()
            client.client.registerChallengeHandler(handler)
            let (first, second) = (RecordingDelegate(), RecordingDelegate())
            client.client.wlConnect(with: first)
            try await handler.shown.wait { $0 }
            let data = WLProcedureInvocationData(adapter: "demoAdapter", procedure: "count")
            client.client.invokeProcedure(data, with: second)
            client.queue.sync { handler.goOn() }
            #expect(try await first.outcome().response().status == "200")
            #expect(try await second.outcome().response().invocationResult.isSuccessful())
        }
    }

    @Test("2.2.2, 2.8 A cookie extractor passes the web view's cookies to the server, and the server's back")
    func cookies() async throws {
        let server = try LoopbackServer { _ in
            .json(#"{"userInfo":{}}"#, headers: ["Set-Cookie: fromServer=1; Path=/wl"])
        }
        let storage = HTTPCookieStorage.sharedCookieStorage(forGroupContainerIdentifier: UUID().uuidString)
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/wl/page"))
        let cookie = try #require(
            HTTPCookie(properties: [.name: "web", .value: "view", .domain: "127.0.0.1", .path: "/"]))
        storage.setCookie(cookie)
        let client = try server.client()
        _ = try await client.response { $0.wlConnect(with: $1, cookieExtractor: WLCookieExtractor(storage: storage)) }
        #expect(server.requests.value.first?.header("Cookie") == "web=view")
        #expect(storage.cookies(for: url)?.contains { $0.name == "fromServer" && $0.value == "1" } == true)
    }

    @Test("2.8.1 An extractor is created without arguments, and may be nil")
    func extractor() async throws {
        try await TestServer.withClient { (server, client) async throws in
            #expect(
                try await client.response { $0.wlConnect(with: $1, cookieExtractor: WLCookieExtractor()) }.status
                    == "200")
            let other = try server.client()
            #expect(try await other.response { $0.wlConnect(with: $1, cookieExtractor: nil) }.status == "200")
        }
    }

    @Test(
        "sharedInstance is always the same, calls back on the main queue, and reports a wrong worklight.plist")
    func shared() async throws {
        let client = try #require(WLClient.sharedInstance())
        #expect(client === WLClient.sharedInstance())
        #expect(client.callbackQueue.label == DispatchQueue.main.label)
        #expect(WLPush.sharedInstance() === client.push)
        let error = await #expect(throws: WLError.self) { try await client.connect() }
        #expect(error?.message.contains("worklight.plist: it is not in") == true)
    }
}
