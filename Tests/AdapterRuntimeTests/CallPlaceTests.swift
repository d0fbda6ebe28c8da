import AdapterRuntime
import Core
import Logging
import PushModel
import TestSupport
import Testing
import WorklightProject

@Suite("Locations in messages of native functions")
struct CallPlaceTests {
    /// A project whose adapter has `body` on line 2 of its script, with the back end that it calls.
    private struct Fixture {
        let backEnd: LoopbackServer
        let project: TestProject

        init(
            _ body: String,
            answer: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Reply = { .ok($0.target) }
        ) async throws {
            backEnd = try LoopbackServer(answer)
            project = try await TestProject(
                "function run(path) {\n    \(body)\n}", connectivity: httpConnectivity(port: backEnd.port))
        }

        func call(_ parameters: String) async -> String { await project.call(parameters) }

        var warnings: [String] { project.log.messages(at: .warning) }
    }

    private static let get = "return WL.Server.invokeHttp({ method: 'get', path: path, returnedContentType: 'json' });"

    @Test("logs the failures of each path and each cause, each with the file and line of the call")
    func failures() async throws {
        let fixture = try await Fixture(Self.get) { request in
            switch request.target {
            case "/html": .ok("<html>\n<b>Internal error</b>", type: "text/html", status: "500 Broken")
            case "/cut": .ok("{\"a\":1,}", type: "application/json")
            default: .ok("[]", type: "application/json")
            }
        }
        for path in ["/html", "/array", "/cut", "/cut", "/html"] { _ = await fixture.call("[\"\(path)\"]") }
        #expect(
            fixture.warnings == [
                "adapters/A/A-impl.js:2: invokeHttp: GET /html: Http request failed: FWLSE0310E: the back end's response is not JSON: "
                    + "expected a value at line 1, column 1; the back end returned status 500 with Content-Type 'text/html': "
                    + "'<html> <b>Internal error</b>'",
                "adapters/A/A-impl.js:2: invokeHttp: GET /cut: Http request failed: FWLSE0310E: the back end's response is not JSON: "
                    + "expected a key in double quotes at line 1, column 8; the back end returned status 200 with Content-Type "
                    + "'application/json': '{\"a\":1,}'",
            ])
    }

    @Test("counts paths that differ in numbers only as one, so that ids do not fill the log")
    func ids() async throws {
        let fixture = try await Fixture(Self.get) { _ in .ok("oops", type: "application/json") }
        for id in 1...5 { _ = await fixture.call("[\"/orders/\(id)?t=\(id)\"]") }
        #expect(fixture.warnings.count == 1)
    }

    @Test("reports the column of a word that is not JSON")
    func word() async throws {
        let fixture = try await Fixture(Self.get) { _ in .ok("not here", type: "application/json") }
        #expect(await fixture.call(#"["/"]"#).contains("expected a value at line 1, column 1"))
    }

    @Test(
        "warns once about bytes outside the response's encoding, and names returnedContentEncoding",
        arguments: ["application/json; charset=UTF-8", "text/xml", "text/plain"])
    func wrongBytes(type: String) async throws {
        let fixture = try await Fixture("return WL.Server.invokeHttp({ method: 'get', path: path });") { _ in
            var bytes = Array((type.contains("json") ? "{\"n\":\"M?ller\"}" : "<n>M?ller</n>").utf8)
            bytes = bytes.map { $0 == UInt8(ascii: "?") ? 0xFC : $0 }
            return .bytes(bytes, type: type)
        }
        for _ in 0..<2 { #expect(await fixture.call(#"["/"]"#).contains("M\u{FFFD}ller")) }
        let warnings = fixture.warnings
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("set returnedContentEncoding: \"ISO-8859-1\"") == true)
    }

    @Test("does not warn about a response that is in its encoding")
    func rightBytes() async throws {
        let fixture = try await Fixture("return WL.Server.invokeHttp({ method: 'get', path: path });") { _ in
            .ok("<n>Müller</n>", type: "text/xml; charset=utf-8")
        }
        #expect(await fixture.call(#"["/"]"#).contains("Müller"))
        #expect(fixture.warnings == [])
    }

    @Test(
        "puts the file and line before warnings of native functions",
        arguments: [
            (
                "WL.Server.invokeHttp({ method: 'get', path: '/', paramters: {} });",
                "FWLSE0014W: invokeHttp: the option 'paramters' is not known and does nothing; is 'parameters' meant?"
            ),
            (
                "WL.Server.invokeHttp({ method: 'get', path: '/', returnedContentType: 'jsn' });",
                "invokeHttp: returnedContentType 'jsn' is not known and is ignored; expected one of json, xml, html, plain, css, "
                    + "csv, javascript"
            ),
            (
                "WL.Server.invokeProcedure({ adapter: 'A', procedure: 'gone', parameter: [] });",
                "invokeProcedure: the option 'parameter' is not known and does nothing; is 'parameters' meant?"
            ),
            (
                "WL.Server.getUserNotificationSubscription('A.E', 'ann');",
                "getUserNotificationSubscription: no adapter declares the event source 'A.E'"
            ),
            (
                "WL.Server.getUserNotificationSubscription('A.E');",
                "getUserNotificationSubscription: the user id is undefined, so there is no subscription"
            ),
        ])
    func warnings(statement: String, message: String) async throws {
        let fixture = try await Fixture(statement)
        _ = await fixture.call(#"["/"]"#)
        #expect(fixture.warnings == ["adapters/A/A-impl.js:2: \(message)"])
    }

    @Test("fails a poll whose onPoll names no function, and suggests one")
    func poll() async throws {
        let project = try await TestProject(
            "WL.Server.createEventSource({ name: 'E', poll: { interval: 1, onPoll: 'lokk' } });\nfunction look() {}\nfunction run() {}"
        )
        #expect(
            project.problems.map(\.description).contains {
                $0.hasPrefix("adapters/A/A-impl.js:1: warning: event source 'E': onPoll names 'lokk'")
                    && $0.hasSuffix("every poll fails")
            })
        let failure = try await #require(throws: PollError.self) {
            try await project.runtime.poll(EventSourceID(adapter: "A", name: "E"))
        }
        #expect(
            failure.description
                == "adapters/A/A-impl.js:1: event source 'E': onPoll names 'lokk', but adapters/A/A-impl.js has no function of that name; is 'look' meant?"
        )
    }
}

@Suite("Secrets in logs of failures")
struct FailureSecretTests {
    private func log(
        procedure attributes: String, production: Bool = false
    ) async throws -> String {
        let backEnd = try LoopbackServer { .ok("<html>\($0.body)</html>", type: "application/json") }
        var settings = RuntimeSettings.patient
        settings.showsFailureDetails = !production
        let project = try await TestProject(
            files: [
                "adapters/A/A.xml": adapterXML("A", connectivity: httpConnectivity(port: backEnd.port)).replacing(
                    #"<procedure name="run""#, with: #"<procedure name="run" \#(attributes)"#),
                "adapters/A/A-impl.js": """
                function run(p) {
                    return WL.Server.invokeHttp({ method: 'post', path: '/x?pw=' + p, body: { content: p } });
                }
                """,
            ], settings: settings)
        _ = await project.call(#"["hunter2"]"#)
        withExtendedLifetime(backEnd) {}
        return project.log.messages(at: .warning).joined(separator: "\n")
    }

    @Test("shows neither query nor response of a procedure that may receive a password")
    func password() async throws {
        let log = try await log(procedure: #"securityTest="wl_unprotected""#)
        #expect(log.contains("POST /x: Http request failed"))
        #expect(!log.contains("hunter2"))
    }

    @Test("shows neither query nor response in production")
    func production() async throws {
        let log = try await log(procedure: "", production: true)
        #expect(log.contains("POST /x: Http request failed"))
        #expect(log.contains("the back end returned status 200 with Content-Type 'application/json'"))
        #expect(!log.contains("hunter2"))
    }

    @Test("quotes both in development")
    func development() async throws {
        #expect(try await log(procedure: "").contains("'<html>hunter2</html>'"))
    }
}
