import AdapterRuntime
import Core
import Foundation
import JavaScriptEngine
import Logging
import PushModel
import TestSupport
import Testing
import WorklightProject

@Suite("Calls by twins of functions that wait for a back end", .defaultTimeLimit)
struct TwinTests {
    /// The results and the log of a project, and the requests that its back end gets.
    private struct Outcome: Equatable {
        var results: [String] = []
        var log: [String] = []
        var requests: [String] = []
    }

    private static func outcome(
        _ files: [String: String], calls: [String], withTwins: Bool, _ settings: RuntimeSettings = .patient
    ) async throws -> Outcome {
        let backEnd = try LoopbackServer { request in
            if request.target.hasPrefix("/xml") {
                return .ok("<list><item>1</item></list>", type: "application/xml")
            }
            return .ok(#"{"path":"\#(request.target)"}"#, type: "application/json")
        }
        var files = files
        files["adapters/A/A.xml"] = adapterXML("A", connectivity: httpConnectivity(port: backEnd.port))
        files["adapters/B/B.xml"] = adapterXML(
            "B",
            connectivity: """
                <connectivity><connectionPolicy xsi:type="sql:SQLConnectionPolicy"><dataSourceDefinition>
                <url>jdbc:sqlite:data.db</url></dataSourceDefinition></connectionPolicy></connectivity>
                """)
        files["adapters/B/B-impl.js"] =
            files["adapters/B/B-impl.js"]
                ?? """
                function run(sql) { return WL.Server.invokeSQLStatement({ preparedStatement: WL.Server.createSQLStatement(sql), parameters: [] }) }
                """
        var settings = settings
        settings.scopes.runsTwins = withTwins
        let project = try await TestProject(files: files, settings: settings)
        var outcome = Outcome()
        outcome.log = project.problems.map(\.description)
        for call in calls { outcome.results.append(await project.call(call, as: .session("one"))) }
        for source in project.runtime.eventSources {
            do {
                try await project.runtime.poll(source.id)
            } catch {
                outcome.results.append("\(error)")
            }
        }
        outcome.log += [.info, .warning, .error].flatMap { project.log.messages(at: $0) }
        outcome.requests = backEnd.requests.value.map { "\($0.method) \($0.target)" }
        return outcome
    }

    private static let get = "function get(path) { return WL.Server.invokeHttp({ method: 'get', path: path }).path } "

    @Test(
        "Results, log lines with positions and stacks, and requests are the same by a function and by its twin",
        arguments: [
            "function run(a) {\n  return { path: get(a) + get('/b') };\n}",
            "var n = 0; function run(a) { n++; get('/x'); return { n: n, a: a } }",
            "function run() { return WL.Server.invokeHttp({ method: 'get' }) }",
            "function run() { return { a: WL.Server.invokeHttp({ method: 'get', path: '/a', unknown: 1 }).path } }",
            "function run() {\n  return WL.Server.invokeHttp({ method: 'get', path: '/a' }).none.member;\n}",
            "function run() {\n  get('/a');\n  return get('/b').none.member;\n}",
            "function run() {\n  try { get('/a'); null.x }\n  catch (e) { return { message: e.message, line: e.line, name: e.name } }\n}",
            "function run() { try { WL.Server.invokeHttp({}) } catch (e) { return { message: e.message, line: e.line } } }",
            "function run() { get('/a'); throw { code: 7 } }",
            "function run() { get('/a'); throw new RangeError('own') }",
            "function run() { get('/a'); var a = {}; a.a = a; return a }",
            "function run() { var s = ''; for each (var x in ['/1', '/2']) s += get(x); return { s: s } }",
            "function run() {\n  var x = WL.Server.invokeHttp({ method: 'get', path: '/xml', returnedContentType: 'xml' });\n  return { item: x.list.item };\n}",
            "function run() { return { all: [get('/m') for each (x in [1, 2])].length, last: get('/n') } }",
            "function run() { return WL.Server.invokeProcedure({ adapter: 'B', procedure: 'run', parameters: ['select 1 as one'] }) }",
            "function run() { return WL.Server.invokeProcedure({ adapter: 'B', procedure: 'run', parameters: ['no sql'] }) }",
            "function run() { return WL.Server.invokeProcedure({ adapter: 'C', procedure: 'run' }) }",
            "function run() { WL.Logger.warn('before ' + get('/a')); WL.Logger.error('after') }",
            "WL.Server.createEventSource({ name: 'S', poll: { interval: 1, onPoll: poll } }); function run() {}\nfunction poll() {\n  WL.Logger.info(get('/poll'));\n  null.x;\n}",
            "WL.Server.createEventSource({ name: 'S', poll: { interval: 1, onPoll: 'poll' } }); function run() {}\nfunction poll() { WL.Logger.info(get('/poll')) }",
            "function run() { return WL.Server.getClientRequest() + get('/r') + WL.Server.getActiveUser() }",
            "function run() { return { a: typeof __twin_run, keys: Object.keys(globalThis).join() + get('/a') } }",
        ])
    func differences(script: String) async throws {
        let files = ["adapters/A/A-impl.js": Self.get + script]
        let calls = [#"["/p"]"#, "[]", #"["/q"]"#]
        let plain = try await Self.outcome(files, calls: calls, withTwins: false)
        let twin = try await Self.outcome(files, calls: calls, withTwins: true)
        #expect(twin.results == plain.results)
        #expect(twin.log == plain.log)
        #expect(twin.requests == plain.requests)
    }

    @Test("A call that exceeds its CPU time after a request has the same error and stack by its twin")
    func limits() async throws {
        var settings = RuntimeSettings.patient
        settings.calls.cpuTime = .milliseconds(100)
        let files = [
            "adapters/A/A-impl.js": Self.get
                + "function run() {\n  get('/a');\n  endless();\n}\nfunction endless() { for (;;) {} }"
        ]
        let plain = try await Self.outcome(files, calls: ["[]"], withTwins: false, settings)
        let twin = try await Self.outcome(files, calls: ["[]"], withTwins: true, settings)
        #expect(twin.results == plain.results)
        #expect(twin.log.map(Self.withoutColumns) == plain.log.map(Self.withoutColumns))
        #expect(twin.log.contains { $0.contains("endless@") && $0.contains("run@") })
    }

    /// The script is stopped anywhere in its loop.
    private static func withoutColumns(_ text: String) -> String { text.replacing(/:\d+:\d+/, with: "") }
}
