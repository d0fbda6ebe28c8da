import Foundation
import Synchronization
import TestSupport
import Testing

@testable import WorklightClient

@Suite("The handshake", .defaultTimeLimit)
struct HandshakeTests {
    private static let both = """
        {"wl_antiXSRFRealm":{"WL-Instance-Id":"abc123"},"wl_deviceNoProvisioningRealm":{"token":"tok"}}
        """

    @Test("Two challenges in one 401 get their replies at once, and the request is sent again unchanged")
    func composite() async throws {
        let server = try LoopbackServer {
            $0.number == 0 ? .challenge(Self.both) : .json(#"{"userInfo":{}}"#)
        }
        let client = try server.client()
        try await client.connect()
        let requests = server.requests.value
        try #require(requests.count == 2)
        #expect(requests[0].target == "/wl/apps/services/api/MyNative/iOSnative/init")
        #expect(requests[0].form["action"] == "test")
        #expect(requests[0].form["isAjaxRequest"] == "true")
        #expect(requests[0].header("WL-Instance-Id") == nil)
        #expect(requests[0].header("X-Requested-With") == "XMLHttpRequest")
        #expect(requests[0].header("x-wl-app-version") == "1.0")
        #expect(requests[0].header("x-wl-platform-version") == nil)
        #expect(requests[1].target == requests[0].target)
        #expect(requests[1].form["x"] != requests[0].form["x"])
        #expect(requests[1].header("WL-Instance-Id") == "abc123")
        let answer = try #require(requests[1].header("Authorization").flatMap(JSONText.object(parsing:)))
        #expect(Array(answer.keys) == ["wl_deviceNoProvisioningRealm"])
        let id = try #require((answer["wl_deviceNoProvisioningRealm"] as? [String: Any])?["ID"] as? [String: Any])
        #expect(id["token"] as? String == "tok")
        #expect(id["app"] as? [String: String] == ["id": "MyNative", "version": "1.0"])
        #expect((id["device"] as? [String: String])?["environment"] == "iOSnative")
    }

    @Test("A challenge for only the instance id adds no Authorization, and later requests carry the id")
    func instanceID() async throws {
        let server = try LoopbackServer {
            $0.number == 0
                ? .challenge(#"{"wl_antiXSRFRealm":{"WL-Instance-Id":"abc"}}"#)
                : .json(#"{"isSuccessful":true}"#)
        }
        let client = try server.client()
        try await client.connect()
        _ = try await client.invoke("p").response()
        #expect(server.requests.value.map { $0.header("WL-Instance-Id") } == [nil, "abc", "abc"])
        #expect(server.requests.value.allSatisfy { $0.header("Authorization") == nil })
    }

    @Test(
        "A challenge response of more than 900 characters goes into the body of authenticate, and the request follows")
    func large() async throws {
        let token = String(repeating: "t", count: 900)
        let server = try LoopbackServer { request in
            switch request.number {
            case 0: .challenge(#"{"wl_deviceNoProvisioningRealm":{"token":"\#(token)"}}"#)
            case 1: .json(#"{"WL-Authentication-Success":{"wl_deviceNoProvisioningRealm":{}}}"#)
            default: .json(#"{"userInfo":{}}"#)
            }
        }
        let client = try server.client()
        try await client.connect()
        let requests = server.requests.value
        #expect(requests.map(\.target).map { $0.split(separator: "/").last } == ["init", "authenticate", "init"])
        #expect(requests[1].header("Authorization") == "wl-authorization-in-body")
        #expect(requests[1].body.contains(token))
        #expect(requests[2].header("Authorization") == nil)
    }

    @Test("The real server takes large challenge responses, too")
    func largeForReal() async throws {
        try await TestServer.run { server in
            var settings = server.settings()
            settings.applicationVersion = String(repeating: "1", count: 200)
            let folder = try TemporaryFolder(["device-id": String(repeating: "d", count: 150)])
            let client = try SDKTestClient(settings, folder: folder)
            client.client.addGlobalHeader("X-Filler", headerValue: String(repeating: "f", count: 2500))
            #expect(try await client.connect().status == "200")
        }
    }

    @Test("Requests that are challenged at the same time belong to one session afterwards")
    func parallel() async throws {
        try await TestServer.connected { (server, client) async throws in
            let core = try client.client.core()
            // As after the server's restart: the session is gone.
            core.state.withLock { state in
                state.cookies = ClientCookieJar()
                state.instanceID = nil
            }
            let calls = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        try await client.client.invoke("demoAdapter", "count").object?["calls"] as? Int ?? 0
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // Each session has its own count.
            #expect(calls.sorted() == Array(1...10))
        }
    }

    @Test("An expired session is replaced, and the request succeeds all the same")
    func expired() async throws {
        try await TestServer.connected { (_, client) async throws in
            try client.client.core().state.withLock { $0.cookies = ClientCookieJar() }
            #expect(try await client.invoke("count").response().status == "200")
        }
    }

    @Test("A server that challenges endlessly is abandoned")
    func endless() async throws {
        let server = try LoopbackServer { _ in .challenge(#"{"wl_antiXSRFRealm":{"WL-Instance-Id":"abc"}}"#) }
        let failure = try await server.client().failure { $0.wlConnect(with: $1) }
        #expect(failure.errorMsg.contains("50 times"))
        #expect(server.requests.value.count == 50)
    }

    @Test("A realm without a handler fails with its name")
    func unknownRealm() async throws {
        let server = try LoopbackServer { _ in .challenge(#"{"wl_other":{}}"#) }
        let failure = try await server.client().failure { $0.wlConnect(with: $1) }
        #expect(failure.errorMsg.contains("wl_other"))
    }

    @Test("fails with the reason of a 403")
    func refused() async throws {
        let server = try LoopbackServer { _ in
            .json(
                #"{"WL-Authentication-Failure":{"wl_deviceNoProvisioningRealm":{"reason":"bad token"}}}"#, status: 403)
        }
        let failure = try await server.client().failure { $0.wlConnect(with: $1) }
        #expect(failure.errorMsg == "wl_deviceNoProvisioningRealm: bad token")
        #expect(failure.errorCode == WLErrorCodeUnexpectedError)
    }

    @Test("A compressed response is unpacked")
    func compressed() async throws {
        try await TestServer.connected { (_, client) async throws in
            let result = try await client.invoke("big", options: ["compressResponse": true]).response()
            #expect(result.answer?[header: "Content-Encoding"] == "gzip")
            #expect((result.invocationResult.response?["text"] as? String)?.utf8.count ?? 0 >= 30000)
        }
    }

    @Test("The SDK's release is sent when worklight.plist names one")
    func platformVersion() async throws {
        let server = try LoopbackServer { _ in .json(#"{"userInfo":{}}"#) }
        let settings = WorklightSettings(
            host: "127.0.0.1", port: server.port, applicationID: "A", platformVersion: "7.1.0.0",
            requestTimeout: .noLimit)
        try await SDKTestClient(settings).connect()
        #expect(server.requests.value.first?.header("x-wl-platform-version") == "7.1.0.0")
        #expect(server.requests.value.first?.target == "/apps/services/api/A/iOSnative/init")
    }
}
