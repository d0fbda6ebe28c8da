import AdapterRuntime
import Core
import Foundation
import NIOHTTP1
import PushModel
import ServiceLifecycleTestKit
import Storage
import TestSupport
import Testing

@testable import Installation

@Suite("Deploying over the management interface", .defaultTimeLimit)
struct DeploymentRouteTests {
    private static func script(_ version: Int) -> String {
        "WL.Server.createEventSource({ name: 'S' }); function run() { return { version: \(version) } }"
    }

    private static let call = "/invoke?adapter=A&procedure=run"

    @Test("POST deploys the adapter's folder, and lists its content")
    func deploy() async throws {
        let folder = try TemporaryFolder()
        try await RunningServer.run(script: Self.script(1), in: folder) { (server) async throws in
            try folder.write(Self.script(2), to: "adapters/A/A-impl.js")
            let answer = try await server.manage(.POST, "adapters/A")
            #expect(answer.status == 200)
            #expect(
                answer.body
                    == #"{"adapter":"A","outcome":"deployed","isRunning":true,"procedures":["run"],"#
                    + #""eventSources":["A.S"],"problems":[]}"#)
            #expect(try await server.develop(.GET, Self.call).body == #"{"isSuccessful":true,"version":2}"#)
            let again = try await server.manage(.POST, "adapters/A")
            #expect(again.status == 200)
            #expect(again.body.contains(#""outcome":"unchanged""#))
        }
    }

    @Test("A broken version is refused with status 422 and its location, and the one before stays")
    func refused() async throws {
        let folder = try TemporaryFolder()
        try await RunningServer.run(script: Self.script(1), in: folder) { (server) async throws in
            try folder.write("var x = 1;\nnull.x;", to: "adapters/A/A-impl.js")
            let answer = try await server.manage(.POST, "adapters/A")
            #expect(answer.status == 422)
            let json = try JSONValue(parsing: answer.body)
            #expect(json["outcome"] == "refused" && json["isRunning"] == true)
            let problem = try #require(json["problems"]?.array?.first)
            #expect(problem["file"] == "adapters/A/A-impl.js" && problem["line"] == 2 && problem["column"] == 5)
            #expect(problem["severity"] == "error")
            #expect(problem["message"]?.string?.hasPrefix("thrown while loading: TypeError") == true)
            #expect(try await server.develop(.GET, Self.call).body == #"{"isSuccessful":true,"version":1}"#)
        }
    }

    @Test("DELETE removes an adapter, whose subscriptions return with it")
    func undeploy() async throws {
        try await RunningServer.run(script: Self.script(1)) { (server) async throws in
            let form =
                #"{"eventSource":"A.S","user":"ann","device":"phone","platform":"Android","token":"t-1","application":"App"}"#
            _ = try await server.manage(.POST, "subscriptions", body: form)
            let answer = try await server.manage(.DELETE, "adapters/A")
            #expect(answer.status == 200)
            #expect(answer.body.contains(#""outcome":"undeployed""#))
            #expect(try await server.develop(.GET, Self.call).body.contains("there is no adapter 'A'"))
            #expect(try await server.items("adapters").isEmpty)
            #expect(try await server.manage(.DELETE, "adapters/A").status == 404)
            #expect(try await server.manage(.POST, "adapters/A").status == 200)
            #expect(try await server.manage(.GET, "subscriptions?user=ann").body.contains(#""device":"phone""#))
        }
    }

    @Test("DELETE drops the pending callbacks of an adapter, even if it is missing; the watch keeps them")
    func dropCallbacks() async throws {
        try await RunningServer.run(script: Self.script(1)) { (server) async throws in
            let store = server.installation.store
            await server.installation.deployments.undeploy("A")
            for (adapter, device) in [("A", "a"), ("Gone", "b")] {
                _ = try store.subscribe(
                    DeviceSubscription(
                        eventSource: EventSourceID(adapter: adapter, name: "S"), userID: "ann", deviceID: device,
                        applicationID: "App", alias: "alias", platform: .android, token: DeviceToken(stored: device),
                        options: [:]), owing: UUID())
            }
            await server.installation.deployments.undeploy("A")
            #expect(try store.pendingCallbackCounts(exceptOf: []) == ["A": 1, "Gone": 1])
            for adapter in ["A", "Gone"] {
                #expect(try await server.manage(.DELETE, "adapters/\(adapter)").status == 200)
                #expect(try await server.manage(.DELETE, "adapters/\(adapter)").status == 404)
            }
            #expect(try store.pendingCallbackCounts(exceptOf: []).isEmpty)
        }
    }

    @Test("GET lists the adapters, also one that was not there at the start")
    func list() async throws {
        let folder = try TemporaryFolder()
        try await RunningServer.run(script: Self.script(1), in: folder) { (server) async throws in
            try folder.write(adapterXML("New", procedures: ["run", "more"]), to: "adapters/New/New.xml")
            try folder.write(
                "var more = function (a, {b, c}, ...d) {}; function run() {}", to: "adapters/New/New-impl.js")
            #expect(try await server.manage(.POST, "adapters/New").status == 200)
            let own = "Each session has its own scope."
            let calls = #"{"running":{"count":0},"waiting":{"count":0},"queued":{"count":0}}"#
            let expected = """
                {"items":[{"name":"A","procedures":["run"],"parameters":{"run":[]},"variables":"\(own)",\
                "calls":\(calls),"eventSources":[{"name":"S"}]},\
                {"name":"New","procedures":["run","more"],"parameters":{"more":["a","{b, c}","...d"],"run":[]},\
                "variables":"\(own)","calls":\(calls),"eventSources":[]}]}
                """
            #expect(try await server.manage(.GET, "adapters").body == expected)
        }
    }

    @Test("A request without the key deploys nothing", arguments: [HTTPMethod.POST, .DELETE, .GET])
    func key(method: HTTPMethod) async throws {
        try await RunningServer.run(script: Self.script(1)) { (server) async throws in
            for key in [nil, "wrong"] {
                let path = method == .GET ? "adapters" : "adapters/A"
                #expect(try await server.send(method, "/management/v1/\(path)", key: key).status == 401)
            }
            #expect(try await server.develop(.GET, Self.call).body == #"{"isSuccessful":true,"version":1}"#)
        }
    }

    @Test("A name that leads out of the folder of the adapters is refused", arguments: ["..%2FA", "%2e%2e", "A%00"])
    func names(name: String) async throws {
        try await RunningServer.run(script: Self.script(1)) { (server) async throws in
            #expect([400, 404, 422].contains(try await server.manage(.POST, "adapters/\(name)").status))
        }
    }

    @Test(
        "A stopping server waits for no deployment, whether its script waits for a back end or runs on",
        arguments: ["", "for (;;) {}"])
    func stopping(end: String) async throws {
        let backEnd = try HeldBackEnd()
        if !end.isEmpty { backEnd.open() }
        let folder = try TemporaryFolder()
        let files = [
            "adapters/A/A.xml": adapterXML("A", connectivity: backEnd.connectivity),
            "adapters/A/A-impl.js": Self.script(1),
        ]
        try await testGracefulShutdown { trigger in
            try await RunningServer.run(files: files, in: folder) { (server) async throws in
                let script = "WL.Server.invokeHttp({ method: 'get', path: '/' }); \(end)\n" + Self.script(2)
                try folder.write(script, to: "adapters/A/A-impl.js")
                async let deployment = server.manage(.POST, "adapters/A")
                try await backEnd.arrivals(1)
                trigger.triggerGracefulShutdown()
                let answer = try await deployment
                #expect(answer.status == 422 && answer.body.contains("the server is stopping"))
                // The HTTP client would try to connect for two minutes.
                while let client = try? await RawClient(port: server.port) { await client.close() }
                backEnd.open()
                #expect(!(await server.installation.deployments.undeploy("A").isSuccessful))
                #expect(server.installation.runtime.adapterNames == ["A"])
            }
        }
    }

    @Test("The status shows only current problems")
    func problems() async throws {
        let folder = try TemporaryFolder()
        try await RunningServer.run(script: "null.x", in: folder) { (server) async throws in
            let problems = {
                JSONValue.array(
                    try JSONValue(parsing: try await server.manage(.GET, "overview").body)["problems"]?.array ?? [])
            }
            #expect(try await problems().array?.count == 1)
            try folder.write(Self.script(1), to: "adapters/A/A-impl.js")
            _ = try await server.manage(.POST, "adapters/A")
            #expect(try await problems() == [])
        }
    }
}
