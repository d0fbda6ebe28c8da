import Core
import TestSupport
import Testing

@testable import ClientProtocol
@testable import Installation

/// The items of the checklist of wire-protocol 11 that no conversation shows by itself.
@Suite("The short checklist of the protocol", .defaultTimeLimit)
struct ChecklistConversationTests {
    private static let android = HybridDialect(release: .v506, environment: "android")

    /// The headers that make a bare request one of the client's.
    private func proof(of client: ClientDouble) async -> [String] {
        [
            "WL-Instance-Id: \(await client.instanceID ?? "")",
            "Cookie: JSESSIONID=\(await client.cookies["JSESSIONID"] ?? "")",
        ]
    }

    @Test("1: a path counts in its decoded form, with its environment in any case")
    func decodedPath() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (server, client) async throws in
            try await client.connect()
            for path in [
                "/wl/apps/services/api/%4DyApp/android/heartbeat", "/wl/apps/services/api/MyApp/Android/heartbeat",
                "/wl/apps/services/api/MyApp/android/heart%62eat", "/wl/apps/services/api/MyApp/android/heartbeat;x=1",
            ] {
                #expect(try await server.rawAnswer("POST", path, await proof(of: client)).status == 200, "\(path)")
            }
        }
    }

    @Test("1: fields of the query and of the form count together, the query over the form")
    func mergedParameters() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            try await client.connect()
            let reply = try await client.send(
                "POST", .path("/apps/services/api/MyApp/android/query?adapter=demoAdapter&parameters=%5B1%5D"),
                [Field("procedure", "getDemoAccount"), Field("parameters", "[2]")])
            // Of a parameter that comes twice the first counts, and servlets have the query's first.
            #expect(reply["echo"] == [1] && reply.isSuccess)
        }
    }

    @Test("1: unknown parameters and headers are ignored")
    func unknownParameters() async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            try await client.connect()
            let reply = try await client.send(
                "POST", .action("query"),
                [
                    Field("adapter", "demoAdapter"), Field("procedure", "count"), Field("isAjaxRequest", "1"),
                    Field("__wl_deviceCtx", "AC4322ssvm-n0BAA"), Field("__wl_deviceCtxDelta", "no JSON"),
                    Field("__wl_deviceCtxVersion", "x"), Field("tomorrow", "1"), Field("compressResponse", "maybe"),
                ],
                headers: [
                    ("X-Tomorrow", "1"), ("WL_TAS", "{"), ("x-wl-app-details", "{"),
                    ("x-wl-platform-version", "tomorrow"),
                    ("Cookie2", "$Version=1"),
                ])
            #expect(reply["calls"] == 1 && reply.isSuccess)
        }
    }

    @Test(
        "3: every action but the login form needs the instance id, and reveals nothing without it",
        arguments: ApplicationAction.allCases.filter { $0 != .loginForm })
    func everyActionIsGuarded(action: ApplicationAction) async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (server, client) async throws in
            try await client.connect()
            let cookie = try #require(await proof(of: client).last)
            let answer = try await server.rawAnswer(
                "POST", "/wl/apps/services/api/MyApp/android/\(action.rawValue)", [cookie])
            let challenge =
                #/\/\*-secure-\n\{"challenges":\{"wl_antiXSRFRealm":\{"WL-Instance-Id":"[a-z0-9]+"\}\}\}\*\//#
            #expect(answer.status == 401 && answer.text.wholeMatch(of: challenge) != nil, "\(answer.text)")
            #expect(answer["Set-Cookie"].isEmpty)
        }
    }

    @Test("3: so does /invoke; exempt paths respond without it, most of them without a session")
    func exemptions() async throws {
        try await RunningServer.converse(.nobody, change: { $0.isDevelopmentOpen = true }) { (server) async throws in
            let client = ClientDouble(Self.android, at: server)
            try await client.connect()
            let cookie = try #require(await proof(of: client).last)
            let invoke = "/wl/invoke?adapter=demoAdapter&procedure=count"
            #expect(try await server.rawAnswer("POST", invoke, [cookie]).status == 401)
            for (target, status) in [
                ("apps/services/reach", 200), ("apps/services/random", 200), ("apps/services/configprofile", 204),
                ("apps/services/loguploader", 201), ("dev/invoke?adapter=demoAdapter&procedure=count", 200),
                ("authorization/v1/authorization?client_id=x", 400), ("authorization/v1/token", 400),
                ("authorization/v1/clients/instance", 400),
            ] {
                let answer = try await server.rawAnswer("POST", "/wl/\(target)")
                #expect(answer.status == status && answer["Set-Cookie"].isEmpty, "\(target): \(answer.text)")
            }
            let form = try await server.rawAnswer("POST", "/wl/apps/services/j_security_check", [cookie])
            #expect(form.status == 200 && form.text.contains("j_security_check"))
        }
    }

    @Test(
        "3: a browser proves only the instance id, a phone the device too",
        arguments: ["mobilewebapp", "desktopbrowser", "android"])
    func challenges(environment: String) async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let answer = try await server.rawAnswer("POST", "/wl/apps/services/api/MyApp/\(environment)/init")
            #expect(answer.status == 401)
            #expect(answer.text.contains("wl_antiXSRFRealm"))
            #expect(answer.text.contains("wl_deviceNoProvisioningRealm") == (environment == "android"))
            #expect(!answer.text.contains("PushAppRealm") && !answer.text.contains("AdapterRealm"))
        }
    }

    @Test(
        "8: actions that set, delete or prove something return an empty object",
        arguments: [
            ("setup", Field("userprefs", #"{"a":"1"}"#), "{}"), ("deleteup", Field("userprefkey", "a"), "{}"),
            ("authenticate", Field("x", "1"), "{}"), ("deviceauth", Field("x", "1"), "{}"),
        ])
    func small(action: String, field: Field, body: String) async throws {
        try await RunningServer.converse(.nobody, as: Self.android) { (_, client) async throws in
            try await client.connect()
            #expect(try await client.act(action, field).answer.text == "/*-secure-\n\(body)*/")
        }
    }

    @Test(
        "8: the log profile has no body unless a level is set, because an empty object breaks clients",
        arguments: ["GET", "POST"])
    func logProfile(method: String) async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let answer = try await server.rawAnswer(method, "/wl/apps/services/configprofile")
            #expect(answer.status == 204 && answer.body.isEmpty)
        }
        try await RunningServer.converse(.nobody, change: { $0.clientLogLevel = "warn" }) { (server) async throws in
            let answer = try await server.rawAnswer(method, "/wl/apps/services/configprofile")
            #expect(answer.text == "/*-secure-\n{\"wllogger\":{\"capture\":true,\"level\":\"warn\",\"filters\":{}}}*/")
        }
    }
}
