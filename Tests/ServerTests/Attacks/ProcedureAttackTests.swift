import Core
import Foundation
import NIOHTTP1
import Testing

@Suite("Attacks by calls of procedures")
struct ProcedureAttackTests {
    private static let names = [
        "constructor", "__proto__", "toString", "hasOwnProperty", "helper", "onAuthRequired", "onLogout", "value", "WL",
        "eval", "Function", "echo.call", "echo ", " echo", "ECHO", "echo\u{0}", "",
    ]

    @Test(
        "refuses to call a function that is not a declared procedure, over any endpoint",
        arguments: WireProtocol.allCases)
    func undeclared(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            for name in version.some(of: Self.names) {
                let client = WireClient(server)
                try await client.act("init")
                let fields = [("adapter", "A"), ("procedure", name), ("parameters", "[]")]
                var answers = [
                    try await client.act("query", fields), try await client.sendOnce(.POST, "/invoke", fields),
                    // As a tool on the developer's machine.
                    try await WireClient(server).sendOnce(.POST, "/invoke", fields),
                ]
                let segment = PercentEncoding.encode(name)
                answers.append(try await WireClient(server).sendOnce(.GET, "/adapters/A/\(segment)"))
                for answer in answers {
                    #expect(answer["isSuccessful"] != true, "\(name)")
                    #expect(
                        answer["reached"] == nil && answer["got"] == nil && answer["authRequired"] == nil, "\(name)")
                }
            }
        }
    }

    @Test(
        "refuses a call of an unknown adapter",
        arguments: WireProtocol.allCases)
    func adapters(version: WireProtocol) async throws {
        let cases: [String] = ["constructor", "__proto__", "a", "A/../A", "../A", "A.xml", "A\u{0}", "WL"]
        try await RunningServer.attacked(over: version) { (server) async throws in
            for name in version.some(of: cases) {
                let answer = try await WireClient(server).call("echo", adapter: name)
                #expect(answer["isSuccessful"] == false, "\(name)")
            }
        }
    }

    @Test(
        "refuses a guarded procedure without its security test, over any endpoint",
        arguments: WireProtocol.allCases)
    func guarded(version: WireProtocol) async throws {
        let cases: [String] = ["ofForms", "ofNobody"]
        try await RunningServer.attacked(over: version) { (server) async throws in
            for name in version.some(of: cases) {
                let client = WireClient(server)
                let fields = [("adapter", "A"), ("procedure", name)]
                var answers = [
                    try await client.act("query", fields), try await client.send("/invoke", fields),
                    try await WireClient(server).sendOnce(.POST, "/invoke", fields),
                    try await WireClient(server).sendOnce(.GET, "/adapters/A/\(name)"),
                ]
                // Which of two names counts must be the same for the guard and for the call.
                answers.append(
                    try await client.act(
                        "query", [("adapter", "A"), ("procedure", name), ("procedure", "echo")] + fields))
                answers.append(
                    try await client.send(
                        "/invoke?adapter=A&procedure=\(name)", [("adapter", "A"), ("procedure", "echo")]))
                for answer in answers {
                    #expect(answer["reached"] == nil && answer["user"] == nil && answer["got"] == nil, "\(name)")
                    #expect(answer["isSuccessful"] != true, "\(name)")
                }
                // The first name counts, which is the query's.
                let open = try await client.send("/invoke?adapter=A&procedure=echo", fields)
                #expect(open["got"] != nil && open["reached"] == nil && open["user"] == nil, "\(name)")
            }
        }
    }

    @Test("ignores a user named in a proxy's header by another client", arguments: WireProtocol.any)
    func proxyHeader(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = WireClient(server)
            client.headers = [("X-User", "ann"), ("X-Forwarded-For", "10.0.0.1")]
            let answer = try await client.call("ofProxy")
            #expect(answer.status == 403)
            #expect(answer["user"] == nil)
        }
    }

    @Test(
        "parameters cannot change the prototype of all objects",
        arguments: WireProtocol.cases([
            #"[{"__proto__":{"polluted":1}}]"#, #"[{"constructor":{"prototype":{"polluted":1}}}]"#,
            #"[[{"__proto__":{"polluted":1}}]]"#, #"[JSON.parse('{"__proto__":{"polluted":1}}')]"#,
            #"{"__proto__":{"polluted":1}}"#, #"['x', {__proto__: {polluted: 1}}]"#,
        ]))
    func prototypes(parameters: String, version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = WireClient(server)
            let first = try await client.call("polluted", parameters)
            #expect(first["own"] != false)
            #expect(try await client.call("polluted")["own"] == true)
            #expect(try await WireClient(server).call("polluted")["own"] == true)
        }
    }

    @Test(
        "runs no code in parameters",
        arguments: WireProtocol.allCases)
    func code(version: WireProtocol) async throws {
        let cases: [String] = ["(function(){value='x'})()", "[value='x']", "[]);value='x';(", "value"]
        try await RunningServer.attacked(over: version) { (server) async throws in
            for parameters in version.some(of: cases) {
                let client = WireClient(server)
                try await client.call("echo", parameters)
                #expect(try await client.call("kept")["value"] == "nothing", "\(parameters)")
            }
        }
    }

    @Test(
        "the device's context, preferences and events cannot change the prototype of all objects",
        arguments: WireProtocol.any)
    func otherPrototypes(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = WireClient(server)
            let evil = #"{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}"#
            try await client.act(
                "query",
                [("adapter", "A"), ("procedure", "echo"), ("__wl_deviceCtxDelta", #"{"updates":\#(evil)}"#)])
            try await client.act("setup", [("userprefs", evil)])
            try await client.act("events", [("events", "[\(evil)]")])
            #expect(try await client.call("polluted")["own"] == true)
        }
    }

    @Test(
        "a client's string in a header field cannot split the response",
        arguments: WireProtocol.allCases)
    func splitting(version: WireProtocol) async throws {
        let cases: [String] = [
            "a\r\nX-Evil: 1", "a\nX-Evil: 1", "a\rX-Evil: 1", "a\u{0}b", "a\r\n\r\n<script>",
        ]
        try await RunningServer.attacked(over: version) { (server) async throws in
            for text in version.some(of: cases) {
                let client = WireClient(server)
                let parameters = JSONValue.array(["X-Told", .string(text)]).text
                let answer = try await client.call("header", parameters)
                #expect(answer.headers["X-Evil"].isEmpty, "\(text)")
                let name = JSONValue.array([.string("X-\(text)"), "a"]).text
                #expect(try await client.call("header", name).headers["X-Evil"].isEmpty, "\(text)")
            }
        }
    }

    @Test(
        "line ends in the request's path or query cannot split the response",
        arguments: WireProtocol.allCases)
    func echoes(version: WireProtocol) async throws {
        let cases: [String] = ["%0d%0aX-Evil:%201", "%E5%98%8A%E5%98%8DX-Evil:%201"]
        try await RunningServer.attacked(over: version) { (server) async throws in
            for text in version.some(of: cases) {
                for target in [
                    "/apps/services/api/\(text)/android/init", "/apps/services/api/App/\(text)/init",
                    "/apps/services/api/App/android/\(text)", "/apps/services/\(text)", "/authorization/v1/\(text)",
                    "/adapters/\(text)/\(text)", "/invoke?adapter=\(text)&procedure=\(text)", "/\(text)",
                    "/authorization/v1/authorization?client_id=\(text)&scope=\(text)&redirect_uri=\(text)",
                ] {
                    let answer = try await server.sendRaw("GET", target)
                    let head = answer.components(separatedBy: "\r\n\r\n").first ?? ""
                    #expect(head.hasPrefix("HTTP/1.1 "), "\(text)")
                    #expect(!head.lowercased().contains("x-evil"), "\(text)")
                }
            }
        }
    }

    @Test(
        "a procedure cannot set header fields that only the server may set",
        arguments: WireProtocol.allCases)
    func framing(version: WireProtocol) async throws {
        let cases: [String] = ["Content-Length", "Transfer-Encoding", "Connection"]
        try await RunningServer.attacked(over: version) { (server) async throws in
            for header in version.some(of: cases) {
                let answer = try await WireClient(server).call("header", #"["\#(header)","1"]"#)
                #expect(answer.headers[header] != ["1"], "\(header)")
                #expect(answer.json != nil, "\(header)")
            }
        }
    }
}
