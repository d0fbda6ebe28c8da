import NIOHTTP1
import Testing
import WorklightProject

@testable import Installation

@Suite("/invoke")
struct InvokeRouteTests {
    private static let echo = "function run() { return { got: Array.prototype.slice.call(arguments) } }"

    @Test("GET and POST call a procedure, with parameters in the query or in the form")
    func call() async throws {
        try await RunningServer.run(script: Self.echo) { (server) async throws in
            let expected = #"{"isSuccessful":true,"got":["a b",1]}"#
            let query = "/invoke?adapter=A&procedure=run"
            #expect(try await server.develop(.GET, query + "&parameters=%5B%22a+b%22,1%5D").body == expected)
            #expect(try await server.develop(.POST, query + "&parameters=%5B%22a%20b%22,1%5D").body == expected)
            let form = try await server.develop(
                .POST, "/invoke", body: "adapter=A&procedure=run&parameters=%5B%22a+b%22%2C1%5D",
                type: "application/x-www-form-urlencoded; charset=UTF-8")
            #expect(form.body == expected)
            #expect(form.status == 200)
        }
    }

    @Test("Absent and empty parameters are no arguments")
    func noParameters() async throws {
        try await RunningServer.run(script: Self.echo) { (server) async throws in
            for tail in ["", "&parameters=", "&parameters=%5B%5D"] {
                let answer = try await server.develop(.GET, "/invoke?adapter=A&procedure=run\(tail)")
                #expect(answer.body == #"{"isSuccessful":true,"got":[]}"#)
            }
        }
    }

    @Test("A failure is a response of status 200, as clients expect it")
    func failure() async throws {
        try await RunningServer.run(script: "function run() { throw new Error('no') }") { (server) async throws in
            let answer = try await server.develop(.GET, "/invoke?adapter=A&procedure=run")
            #expect(answer.status == 200)
            #expect(
                answer.body.hasPrefix(
                    #"{"isSuccessful":false,"errors":["Runtime: Error: no (adapters/A/A-impl.js#1)"]"#))
        }
    }

    @Test("A request that names no procedure gets 400 with the missing parameter")
    func missing() async throws {
        try await RunningServer.run(script: Self.echo) { (server) async throws in
            let answer = try await server.develop(.GET, "/invoke?adapter=A")
            #expect(answer.status == 400)
            #expect(answer.body.contains("the parameter 'procedure' is missing"))
        }
    }

    @Test(
        "Hostile requests get a response, and the server stays up",
        arguments: [
            "/invoke?adapter=%00&procedure=%FF%FE", "/invoke?adapter=A&procedure=run&parameters=%5B%5B%5B",
            "/invoke?adapter=__proto__&procedure=constructor", "/invoke?adapter=A&procedure=toString",
            "/invoke?&&&==&adapter=%3Cscript%3E&procedure=x", "/invoke?adapter=..%2F..%2Fetc&procedure=passwd",
        ])
    func hostile(path: String) async throws {
        try await RunningServer.run(script: Self.echo) { (server) async throws in
            let answer = try await server.develop(.GET, path)
            #expect(answer.body.hasPrefix(#"{"isSuccessful":false"#))
            #expect(try await server.develop(.GET, "/invoke?adapter=A&procedure=run").status == 200)
        }
    }

    @Test("A body that is too long is refused")
    func tooLong() async throws {
        try await RunningServer.run(script: Self.echo, change: { $0.longestRequest = 1000 }) { (server) async throws in
            let answer = try await server.develop(.POST, "/invoke", body: String(repeating: "x", count: 5000))
            #expect(answer.status == 413)
        }
    }

    @Test("/invoke exists only under the context root")
    func contextRoot() async throws {
        try await RunningServer.run(script: Self.echo, change: { $0.contextRoot = "/wl" }) { (server) async throws in
            #expect(try await server.develop(.GET, "/wl/invoke?adapter=A&procedure=run").status == 200)
            #expect(try await server.develop(.GET, "/invoke?adapter=A&procedure=run").status == 404)
        }
    }

    @Test("A long call delays no health check")
    func healthWhileBusy() async throws {
        try await RunningServer.run(script: "function run() { var e = Date.now() + 1000; while (Date.now() < e); }") {
            (server) async throws in
            async let slow = server.develop(.GET, "/invoke?adapter=A&procedure=run")
            #expect(try await server.send(.GET, "/health/live").body == #"{"status":"live"}"#)
            #expect(try await slow.body == #"{"isSuccessful":true}"#)
        }
    }

    @Test("The top leads a browser to the console")
    func top() async throws {
        try await RunningServer.run(script: Self.echo) { (server) async throws in
            let page = try await server.send(.GET, "/", headers: [("Accept", "text/html,*/*;q=0.8")])
            #expect(page.status == 303 && page.headers["Location"] == ["/console"])
        }
    }

    @Test(
        "A browser finds a page at the state, and programs find JSON there and at the top", arguments: ["/", "/health"])
    func pages(path: String) async throws {
        try await RunningServer.run(script: Self.echo) { (server) async throws in
            let page = try await server.send(
                .GET, "/health", headers: [("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")])
            #expect(page.status == 200 && page.headers["Content-Type"] == ["text/html; charset=utf-8"])
            #expect(page.body.contains("<h1>Ready</h1>"))
            #expect(page.headers["Content-Security-Policy"].first?.hasPrefix("default-src 'none'") == true)
            let json = try await server.send(.GET, path)
            let expected = [
                "/": #"{"name":"Lamplighter","health":"/health"}"#,
                "/health": #"{"status":"ready"}"#,
            ]
            #expect(json.status == 200 && json.body == expected[path])
        }
    }

    @Test("The route of 7.0 calls the same procedure", arguments: ["", "/wl"])
    func adapterRoute(root: String) async throws {
        try await RunningServer.run(script: Self.echo) {
            $0.contextRoot = root.isEmpty ? "/" : root
        } _: { (server) async throws in
            let expected = #"{"isSuccessful":true,"got":[1]}"#
            #expect(try await server.develop(.GET, "\(root)/adapters/A/run?params=%5B1%5D").body == expected)
            #expect(try await server.develop(.POST, "\(root)/adapters/A/run?params=%5B1%5D").body == expected)
        }
    }

    @Test("The tools of the original find the result in a textarea, indented by three blanks")
    func developmentRoute() async throws {
        try await RunningServer.run(script: "function run(a) { return { quote: '\"', tag: '</textarea>', a: a } }") {
            (server) async throws in
            let answer = try await server.develop(
                .GET, "/dev/invoke?adapter=A&procedure=run&parameters=%5B'JohnDoe'%5D")
            #expect(answer.status == 200)
            #expect(answer.headers["Content-Type"] == ["text/html; charset=UTF-8"])
            let area = try #require(answer.body.firstRange(of: "<textarea"))
            let text = answer.body[area.upperBound...].drop { $0 != "{" }.prefix { $0 != "<" }
            #expect(
                text == #"""
                    {
                       "isSuccessful": true,
                       "quote": "\"",
                       "tag": "\u003c/textarea>",
                       "a": "JohnDoe"
                    }
                    """#)
        }
    }

    @Test("Headers of addResponseHeader go with the response")
    func responseHeaders() async throws {
        let script =
            "function run() { WL.Server.addResponseHeader('X-One', 'a'); WL.Server.addResponseHeader('X-One', 'b') }"
        try await RunningServer.run(script: script) { (server) async throws in
            let answer = try await server.develop(.GET, "/invoke?adapter=A&procedure=run")
            #expect(answer.headers["X-One"] == ["a", "b"])
        }
    }

    @Test("getClientRequest returns the data that came over the network")
    func clientRequest() async throws {
        let script = """
            function run() {
                var r = WL.Server.getClientRequest();
                return { v: [r.getMethod(), r.getRequestURI(), r.getHeader('content-type'), r.getParameter('adapter'),
                             r.getRemoteAddr(), r.getContextPath(), r.getServerName()].join(' ') };
            }
            """
        try await RunningServer.run(script: script) {
            $0.contextRoot = "/wl/"
        } _: { (server) async throws in
            let answer = try await server.develop(.POST, "/wl/invoke?adapter=A&procedure=run", body: "x=1", type: "a/b")
            #expect(answer.body == #"{"isSuccessful":true,"v":"POST /wl/invoke a/b A 127.0.0.1 /wl 127.0.0.1"}"#)
        }
    }

    @Test("Called from the command line, a script still finds a request")
    func managementRequest() async throws {
        let script = "function run() { return { method: WL.Server.getClientRequest().getMethod() } }"
        try await RunningServer.run(script: script) { (server) async throws in
            let answer = try await server.manage(.POST, "adapters/A/invoke", body: #"{"procedure":"run"}"#)
            #expect(answer.body == #"{"result":{"isSuccessful":true,"method":"POST"}}"#)
        }
    }

    @Test("The command line's route for calls has no context root, and needs the key")
    func management() async throws {
        try await RunningServer.run(script: Self.echo) {
            $0.contextRoot = "/wl"
        } _: { (server) async throws in
            let answer = try await server.manage(
                .POST, "adapters/A/invoke", body: #"{"procedure":"run","parameters":"1"}"#)
            #expect(answer.body == #"{"result":{"isSuccessful":true,"got":[1]}}"#)
            let body = #"{"procedure":"run"}"#
            #expect(try await server.send(.POST, "/management/v1/adapters/A/invoke", body: body).status == 401)
        }
    }
}
