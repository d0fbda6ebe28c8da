import AdapterRuntime
import Core
import Logging
import TestSupport
import Testing
import WorklightProject

@Suite("WL.Server.invokeHttp")
struct HTTPBindingTests {
    /// Runs `body` against a back end on a free port that reports its requests.
    private func withBackEnd(
        timeout: Int = Duration.noLimitMilliseconds,
        _ body: (_ call: @Sendable (String) async throws -> String) async throws -> Void
    ) async throws {
        let json = "application/json"
        let backEnd = try LoopbackServer { request in
            switch request.target.prefix(while: { $0 != "?" }) {
            case "/echo":
                let (type, custom) = (request.header("Content-Type") ?? "", request.header("X-Custom") ?? "")
                return .ok(
                    #"{"method":"\#(request.method)","uri":"\#(request.target)","body":"\#(request.body)","type":"\#(type)","custom":"\#(custom)"}"#,
                    type: json)
            case "/cookies":
                let count = request.target.hasSuffix("?n=2") ? 2 : 1
                return .ok("", headers: ["Set-Cookie: a=1\r\n", "Set-Cookie: b=2\r\n"].prefix(count).joined())
            case "/array": return .ok("[1,2]", type: json)
            case "/plain": return .ok("héllo")
            case "/broken": return .ok("{oops", type: json)
            case "/missing": return .ok(#"{"a":1}"#, type: json, status: "404 Not Found")
            case "/own": return .ok(#"{"isSuccessful":false,"errors":["mine"]}"#, type: json)
            default: return .nothing
            }
        }
        let project = try await TestProject(
            "function run(options) { return WL.Server.invokeHttp(options) }",
            connectivity: httpConnectivity(port: backEnd.port, timeout: timeout))
        try await body { options in await project.call("[\(options)]") }
    }

    @Test("Options that an object inherits count, and those of all objects do not")
    func inherited() async throws {
        let backEnd = try LoopbackServer { .ok($0.target) }
        let project = try await TestProject(
            """
            Object.prototype.path = '/all';
            function Options() { this.method = 'get' }
            Options.prototype.path = '/inherited';
            function run() { return WL.Server.invokeHttp(new Options()).text }
            """, connectivity: httpConnectivity(port: backEnd.port))
        #expect(await project.call("[]").contains("/inherited"))
    }

    @Test("options that a class, a Proxy or a member that is not enumerable provides count as well")
    func hiddenOptions() async throws {
        let backEnd = try LoopbackServer { .ok("\($0.target) \($0.header("If-Match") ?? "none")") }
        let project = try await TestProject(
            """
            class Options {
                get method() { return 'get' } get path() { return '/x' }
                get headers() { return { 'If-Match': 'a' } } get parameters() { return { q: 1 } }
            }
            var hidden = { method: 'get', path: '/x' };
            Object.defineProperty(hidden, 'headers', { value: { 'If-Match': 'a' } });
            Object.defineProperty(hidden, 'parameters', { value: { q: 1 } });
            var all = { method: 'get', path: '/x', headers: { 'If-Match': 'a' }, parameters: { q: 1 } };
            var proxies = [
                new Proxy({}, { get: function (target, name) { return all[name] } }),
                new Proxy(all, { ownKeys: function () { throw new Error('no') } })
            ];
            function run() {
                return [new Options(), hidden].concat(proxies).map(function (o) { return WL.Server.invokeHttp(o).text });
            }
            """, connectivity: httpConnectivity(port: backEnd.port))
        let one = #""/x?q=1 a""#
        #expect(await project.call().contains("[\([one, one, one, one].joined(separator: ","))]"))
    }

    @Test("get sends parameters in the query, and headers, and returns the JSON object's members")
    func get() async throws {
        try await withBackEnd { call in
            let answer = try await call(
                #"{"method":"get","path":"echo","parameters":{"q":"a b&ü","n":5},"headers":{"X-Custom":"yes"}}"#)
            #expect(answer.contains(#""method":"GET","uri":"/echo?q=a+b%26%C3%BC&n=5""#))
            #expect(answer.contains(#""custom":"yes""#))
            #expect(answer.contains(#""statusCode":200,"statusReason":"OK""#))
            #expect(answer.contains(#""isSuccessful":true,"errors":[],"warnings":[],"info":[]"#))
        }
    }

    @Test("post sends parameters as a form")
    func postForm() async throws {
        try await withBackEnd { call in
            let answer = try await call(#"{"method":"POST","path":"/echo","parameters":{"a":"1 2"}}"#)
            #expect(answer.contains(#""body":"a=1+2","type":"application/x-www-form-urlencoded; charset=utf-8""#))
        }
    }

    @Test("post sends a body with its content type")
    func postBody() async throws {
        try await withBackEnd { call in
            let answer = try await call(
                #"{"method":"post","path":"/echo","body":{"contentType":"text/xml; charset=utf-8","content":"<a/>"}}"#)
            #expect(answer.contains(#""body":"<a/>","type":"text/xml; charset=utf-8""#))
        }
    }

    @Test("An array, a string and a failed request's object arrive in the members that adapters read")
    func bodies() async throws {
        try await withBackEnd { call in
            let array = try await call(#"{"method":"get","path":"/array"}"#)
            #expect(array.contains(#""array":[1,2],"statusCode":200"#))
            let answer = try await call(#"{"method":"get","path":"/plain"}"#)
            #expect(answer.contains(#","text":"héllo"}"#))
            let missing = try await call(#"{"method":"get","path":"/missing"}"#)
            #expect(missing.contains(#""a":1,"statusCode":404,"statusReason":"Not Found""#))
            #expect(missing.contains(#""isSuccessful":true"#))
        }
    }

    @Test("returnedContentType overrides the back end's Content-Type")
    func returnedContentType() async throws {
        try await withBackEnd { call in
            let answer = try await call(#"{"method":"get","path":"/array","returnedContentType":"plain"}"#)
            #expect(answer.contains(#""text":"[1,2]""#))
        }
    }

    @Test("The body's own isSuccessful and errors stay")
    func ownMembers() async throws {
        try await withBackEnd { call in
            let answer = try await call(#"{"method":"get","path":"/own"}"#)
            #expect(answer.contains(#""isSuccessful":false,"errors":["mine"]"#))
        }
    }

    @Test("Invalid JSON is a failure that says so")
    func brokenJSON() async throws {
        try await withBackEnd { call in
            let answer = try await call(#"{"method":"get","path":"/broken"}"#)
            #expect(
                answer.contains(
                    #""isSuccessful":false,"errors":["Runtime: Http request failed: FWLSE0310E: the back end's response is not JSON: expected"#
                ))
        }
    }

    @Test(
        "A body that only looks like a JSON object or array is a failure, and no part of it reaches the result",
        arguments: [
            #"{"a":1},"b":{}"#, #"{"a":1}}"#, #"{{"a":1}"#, #"{"a":1,}"#, #"{,}"#, #"{"a":1} x"#, #"{"a":[}"#,
            #"{"a":{"b":1}"#,
            "{", "{\"a\":1}\u{0}}", "{\"a\":\"\u{0}\"}", #"[1],"isSuccessful":[2]"#, "[1]}", #"{"a":1}/*{}"#,
        ])
    func notAnObject(body: String) async throws {
        let backEnd = try LoopbackServer { _ in .ok(body, type: "application/json") }
        let project = try await TestProject(
            "function run(options) { return WL.Server.invokeHttp(options) }", connectivity: backEnd.connectivity)
        let answer = try JSONValue(parsing: await project.call(#"[{"method":"get","path":"/"}]"#))
        #expect(answer["isSuccessful"] == false && answer["statusCode"] == 200)
        #expect(answer["errors"]?.text.contains("FWLSE0310E") == true, "\(answer)")
        #expect(answer["a"] == nil && answer["array"] == nil)
    }

    @Test("A JSON response gets U+FFFD for invalid UTF-8, and 10,000 nested arrays are read")
    func strangeJSON() async throws {
        let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        let bytes: [UInt8] =
            Array(#"{"a":""#.utf8) + [0xFF] + Array(#"ü","deep":"#.utf8) + Array(deep.utf8) + Array("}".utf8)
        let backEnd = try LoopbackServer { _ in .bytes(bytes, type: "application/json") }
        let script = """
            function run() {
                var answer = WL.Server.invokeHttp({ method: "get", path: "/" });
                for (var depth = 0, list = answer.deep; list; depth++) list = list[0];
                return { a: answer.a, depth: depth };
            }
            """
        let project = try await TestProject(script, connectivity: backEnd.connectivity)
        #expect(await project.call() == "{\"isSuccessful\":true,\"a\":\"\u{FFFD}ü\",\"depth\":10000}")
    }

    @Test("A back end that never responds is abandoned after its timeout")
    func timeout() async throws {
        try await withBackEnd(timeout: 50) { call in
            let answer = try await call(#"{"method":"get","path":"/never"}"#)
            #expect(answer.hasPrefix(#"{"isSuccessful":false,"errors":["Runtime: Http request failed: "#))
        }
    }

    @Test("The options' own timeouts go over the descriptor's")
    func ownTimeouts() async throws {
        try await withBackEnd { call in
            let answer = try await call(
                #"{"method":"get","path":"/never","socketTimeoutInMilliseconds":50,"connectionTimeoutInMilliseconds":50}"#
            )
            #expect(answer.contains("Http request failed"))
        }
    }

    @Test("an unreachable back end is a failure in the result, and one warning in the log")
    func refused() async throws {
        let project = try await TestProject(
            "function run() { return WL.Server.invokeHttp({ method: 'get', path: '/' }) }",
            connectivity: httpConnectivity(port: 1))
        #expect(await project.call().hasPrefix(#"{"isSuccessful":false,"errors":["Runtime: Http request failed: "#))
        _ = await project.call()
        #expect(project.log.messages(at: .warning).count == 1)
    }

    @Test("Only the log names a failing stylesheet in production, with the id in the result", arguments: [1, 2])
    func stylesheetInProduction(calls: Int) async throws {
        let backEnd = try LoopbackServer { _ in .ok("<rss/>", type: "text/xml") }
        let script = """
            function run() {
                return WL.Server.invokeHttp({
                    method: 'get', path: '/feed', returnedContentType: 'xml',
                    transformation: { type: 'xslFile', xslFile: 'missing.xsl' }
                });
            }
            """
        for showsDetails in [true, false] {
            var settings = RuntimeSettings.patient
            settings.showsFailureDetails = showsDetails
            let project = try await TestProject(script, connectivity: backEnd.connectivity, settings: settings)
            let client = Caller(request: ClientRequest(method: "POST", url: "http://localhost/invoke"))
            // Only the first failure of several in a row is a warning.
            for _ in 1..<calls { _ = await project.call(as: client) }
            let answer = await project.call(as: client)
            #expect(answer.contains("FWLSE0311E") && answer.contains("missing.xsl") == showsDetails, "\(answer)")
            guard !showsDetails else { continue }
            let id = try #require(answer.firstMatch(of: /transformation failed \(error (\w+)\)"/)).1
            let line = try #require(project.log.lines.value.first { $0.metadata["error"] == String(id) })
            #expect(line.message.contains("missing.xsl") && line.level >= .info)
        }
    }

    @Test("A failure without a client, as of a poll, is one line a minute in production")
    func failingPollInProduction() async throws {
        var settings = RuntimeSettings.patient
        settings.showsFailureDetails = false
        let project = try await TestProject(
            "function run() { return WL.Server.invokeHttp({ method: 'get', path: '/' }) }",
            connectivity: httpConnectivity(port: 1), settings: settings, time: ManualTime())
        for _ in 0..<3 { _ = await project.call() }
        #expect(project.log.lines.value.count { $0.message.contains("invokeHttp") && $0.level >= .info } == 1)
    }

    @Test(
        "Invalid options are an error that names the option",
        arguments: [
            ("{ path: '/' }", "'method' must be a string, got undefined"),
            (
                "{ method: 'brew', path: '/' }",
                "'method' must be get, post, put, delete, head, patch or options, got 'brew'"
            ),
            ("{ method: 'get' }", "'path' must be a string"), ("'x'", "expected an object with 'method' and 'path'"),
            ("{ method: 'get', path: '/', body: { content: 'x' } }", "'body' is not allowed with get"),
            ("{ method: 'get', path: '/', parameters: 5 }", "'parameters' must be an object"),
        ])
    func badOptions(options: String, reason: String) async throws {
        let project = try await TestProject(
            "function run() { return WL.Server.invokeHttp(\(options)) }", connectivity: httpConnectivity(port: 1))
        #expect(await project.call().contains(reason))
    }

    @Test("a back end with spnego fails only in the call, with the remedy")
    func spnego() async throws {
        let project = try await TestProject(
            "function run() { return WL.Server.invokeHttp({ method: 'get', path: '/' }) } function other() { return { a: 1 } }",
            procedures: ["run", "other"],
            connectivity: httpConnectivity(port: 1).replacing(
                "</connectionPolicy>", with: "<authentication><spnego/></authentication></connectionPolicy>"))
        #expect(await project.call().contains("use basic, digest or ntlm"))
        #expect(await project.call(procedure: "other").contains(#""isSuccessful":true"#))
    }

    @Test("An adapter without HTTP connectivity is an error that says so")
    func noConnectivity() async throws {
        let project = try await TestProject(
            "function run() { return WL.Server.invokeHttp({ method: 'get', path: '/' }) }")
        #expect(await project.call().contains("adapters/A/A.xml has no HTTP connectivity"))
    }

    @Test("A body that is an object is sent as JSON")
    func objects() async throws {
        try await withBackEnd { call in
            let answer = try await call(
                #"{"method":"post","path":"echo","returnedContentType":"plain","#
                    + #""body":{"contentType":"application/json","content":{"a":[1]}}}"#)
            #expect(answer.contains(#"\"body\":\"{\"a\":[1]}\",\"type\":\"application/json\""#))
        }
    }

    @Test("Several Set-Cookie headers are one string, joined by a comma")
    func cookies() async throws {
        try await withBackEnd { call in
            let two = try await call(#"{"method":"get","path":"cookies","parameters":{"n":2}}"#)
            #expect(two.contains(#""Set-Cookie":"a=1, b=2""#))
            let one = try await call(#"{"method":"get","path":"cookies","parameters":{"n":1}}"#)
            #expect(one.contains(#""Set-Cookie":"a=1""#))
        }
    }
}
