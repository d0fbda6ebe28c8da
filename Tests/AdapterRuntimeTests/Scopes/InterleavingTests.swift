import AdapterRuntime
import Core
import Foundation
import JavaScriptEngine
import Logging
import PushModel
import Synchronization
import TestSupport
import Testing

/// Calls of several sessions in one machine, which go on in a random order at every wait for the back end.
@Suite("Calls that take turns at their waits", .defaultTimeLimit)
struct InterleavingTests {
    /// Holds the responses of a back end until every caller waits for one, and then sends any of them.
    private final class RandomOrder: Sendable {
        private struct State {
            var numbers: SeededNumbers
            var callers: Int
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let state: Mutex<State>

        init(seed: UInt64, callers: Int) {
            state = Mutex(State(numbers: SeededNumbers(state: seed), callers: callers))
        }

        func turn() async {
            await withCheckedContinuation { continuation in
                release { $0.waiting.append(continuation) }
            }
        }

        /// A caller makes no more requests.
        func end() { release { $0.callers -= 1 } }

        private func release(_ change: (inout State) -> Void) {
            let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
                change(&state)
                guard state.waiting.count >= state.callers, !state.waiting.isEmpty else { return nil }
                return state.waiting.remove(at: Int.random(in: 0..<state.waiting.count, using: &state.numbers))
            }
            next?.resume()
        }
    }

    /// A back end that responds with the request's path and the user who is named in `Authorization: Basic`.
    private static func backEnd(_ order: RandomOrder) throws -> LoopbackServer {
        try LoopbackServer { request in
            .later {
                await order.turn()
                let identity = request.header("Authorization").flatMap {
                    Data(base64Encoded: String($0.dropFirst(6)))
                }
                let user = identity.map { String(decoding: $0, as: UTF8.self) } ?? "nobody"
                return .ok(#"{"path":"\#(request.target)","user":"\#(user)"}"#, type: "application/json")
            }
        }
    }

    private static func files(port: Int) -> [String: String] {
        let connectivity = httpConnectivity(port: port).replacing(
            "</connectionPolicy>",
            with: """
                <authentication><basic/><serverIdentity><username>server</username><password>machine</password></serverIdentity>
                </authentication></connectionPolicy><loadConstraints maxConcurrentConnectionsPerNode="20"/>
                """)
        let asUser = ["work", "fail"].map { #"<procedure name="\#($0)" securityTest="FormTest" connectAs="endUser"/>"# }
        let check = """
            var mine = null;
            function note(problems, name, value, expected) { if (value !== expected) problems.push(name + ' is ' + value + ', not ' + expected) }
            """
        return [
            "server/conf/authenticationConfig.xml": """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
            <securityTests><customSecurityTest name="FormTest"><test realm="Form" isInternalUserID="true"/></customSecurityTest></securityTests>
            <realms><realm name="Form" loginModule="M"><className>com.worklight.core.auth.ext.FormBasedAuthenticator</className></realm></realms>
            <loginModules><loginModule name="M"><className>com.worklight.core.auth.ext.NonValidatingLoginModule</className></loginModule></loginModules>
            </tns:loginConfiguration>
            """,
            "adapters/A/A.xml": adapterXML("A", procedures: ["logIn"], connectivity: connectivity)
                .replacing("</wl:adapter>", with: asUser.joined() + "</wl:adapter>"),
            "adapters/A/A-impl.js": """
            \(check)
            function logIn(tag) { WL.Server.setActiveUser('Form', { userId: tag, credentials: 'secret' }) }
            function ask(tag) { return WL.Server.invokeHttp({ method: 'get', path: '/' + tag }) }
            function work(tag, depth) {
                var problems = [];
                mine = tag;
                for (var i = 0; i < 2; i++) {
                    var answer = ask(tag + i);
                    note(problems, 'path', answer.path, '/' + tag + i);
                    note(problems, 'back end', answer.user, tag + ':secret');
                    note(problems, 'variable', mine, tag);
                    note(problems, 'user', WL.Server.getActiveUser('Form').userId, tag);
                    note(problems, 'request', WL.Server.getClientRequest().getHeader('X-Tag'), tag);
                    WL.Logger.info(tag + ' works for ' + WL.Server.getActiveUser('Form').userId);
                }
                if (depth > 0) {
                    var inner = WL.Server.invokeProcedure({ adapter: 'B', procedure: 'work', parameters: [tag, depth - 1] });
                    if (!inner.problems) problems.push('inner: ' + inner.errors); else problems.push.apply(problems, inner.problems);
                    note(problems, 'back end after', ask(tag).user, tag + ':secret');
                }
                return { problems: problems };
            }
            function fail(tag) { throw new Error(tag + ' fails after ' + ask(tag).path) }
            """,
            "adapters/B/B.xml": adapterXML("B", procedures: ["work"], connectivity: connectivity),
            "adapters/B/B-impl.js": """
            \(check)
            function work(tag, depth) {
                var problems = [];
                mine = tag;
                var answer = WL.Server.invokeHttp({ method: 'get', path: '/b/' + tag });
                note(problems, 'path of B', answer.path, '/b/' + tag);
                note(problems, 'back end of B', answer.user, 'server:machine');
                note(problems, 'variable of B', mine, tag);
                if (depth > 0) {
                    var inner = WL.Server.invokeProcedure({ adapter: 'A', procedure: 'work', parameters: [tag, depth - 1] });
                    if (!inner.problems) problems.push('inner: ' + inner.errors); else problems.push.apply(problems, inner.problems);
                    note(problems, 'back end of B after', WL.Server.invokeHttp({ method: 'get', path: '/b' }).user, 'server:machine');
                }
                return { problems: problems };
            }
            """,
        ]
    }

    @Test(
        "Sessions see their own users, requests, variables and errors only",
        arguments: [1, 2, 3] as [UInt64], [false, true])
    func sessions(seed: UInt64, isShared: Bool) async throws {
        let names = ["ann", "bob", "cid", "dan", "eve", "fay"]
        let order = RandomOrder(seed: seed, callers: names.count)
        let backEnd = try Self.backEnd(order)
        var settings = RuntimeSettings.patient
        settings.scopes.runsTwins = true
        settings.scopes.machines = isShared ? 64 : 1
        settings.scopes.shared = isShared ? .all : .none
        let project = try await TestProject(files: Self.files(port: backEnd.port), settings: settings)
        let results = await withTaskGroup(of: (name: String, results: [String]).self) { group in
            for name in names {
                group.addTask {
                    var caller = Caller.session(name)
                    caller.request = ClientRequest(
                        method: "GET", url: "http://x/", headers: [(name: "X-Tag", value: name)])
                    _ = await project.call(#"["\#(name)"]"#, procedure: "logIn", as: caller)
                    var results: [String] = []
                    for depth in [2, 0, 3] {
                        results.append(await project.call(#"["\#(name)",\#(depth)]"#, procedure: "work", as: caller))
                        results.append(await project.call(#"["\#(name)"]"#, procedure: "fail", as: caller))
                    }
                    order.end()
                    return (name, results)
                }
            }
            return await group.reduce(into: [:]) { $0[$1.name] = $1.results }
        }
        for name in names {
            for (index, result) in (results[name] ?? []).enumerated() {
                if index % 2 == 0 {
                    #expect(result == #"{"isSuccessful":true,"problems":[]}"#)
                } else {
                    #expect(result.contains("\(name) fails after /\(name)"))
                }
            }
            #expect(results[name]?.count == 6)
        }
        let lines = project.log.messages(at: .info).compactMap { $0.firstMatch(of: /(\w+) works for (\w+)/) }
        #expect(lines.count >= names.count * 6)
        #expect(lines.allSatisfy { $0.1 == $0.2 })
    }

    /// A call of a procedure that waits, and calls others of five adapters.
    private struct Plan: Encodable {
        let id: Int
        let adapter: String
        let waits: Int
        let calls: [Plan]
        let fails: Bool
        let spins: Bool

        init(_ id: inout Int, depth: Int, _ numbers: inout SeededNumbers) {
            self.id = id
            id += 1
            adapter = "A\(Int.random(in: 0..<5, using: &numbers))"
            waits = Int.random(in: 0...2, using: &numbers)
            fails = Int.random(in: 0..<10, using: &numbers) == 0
            spins = Int.random(in: 0..<400, using: &numbers) == 0
            var calls: [Plan] = []
            for _ in 0..<(depth > 0 ? Int.random(in: 0...2, using: &numbers) : 0) {
                calls.append(Plan(&id, depth: depth - 1, &numbers))
            }
            self.calls = calls
        }

        /// True if a limit ends the call.
        var isEndless: Bool { spins || calls.contains(where: \.isEndless) }

        /// The member `said` of the result.
        var expected: JSONValue {
            let said = (0..<waits).map { JSONValue.string("/\(id)/\($0)") }
            return .array(said + calls.map { $0.fails ? .string("failed") : $0.expected })
        }

        var json: String { (try? String(decoding: JSONEncoder().encode(self), as: UTF8.self)) ?? "" }
    }

    private static func script(version: Int) -> String {
        """
        // \(version)
        function run(plan) {
            var said = [];
            for (var i = 0; i < plan.waits; i++) {
                said.push(WL.Server.invokeHttp({ method: 'get', path: '/' + plan.id + '/' + i }).path);
            }
            for (var k = 0; k < plan.calls.length; k++) {
                var next = plan.calls[k];
                var inner = WL.Server.invokeProcedure({ adapter: next.adapter, procedure: 'run', parameters: [next] });
                said.push(inner.isSuccessful ? inner.said : /planned/.test(inner.errors[0]) ? 'failed' : inner.errors[0]);
            }
            while (plan.spins) {}
            if (plan.fails) throw new Error('planned');
            return { said: said };
        }
        """
    }

    @Test(
        "Random graphs of calls, with deployments, limits and cancelled calls, have the results of calls that run alone"
    )
    func graphs() async throws {
        let rounds = TestExtent.isFull ? 10_000 : 400
        let backEnd = try LoopbackServer { request in .ok(#"{"path":"\#(request.target)"}"#, type: "application/json") }
        var files: [String: String] = [:]
        for name in 0..<5 {
            files["adapters/A\(name)/A\(name).xml"] = adapterXML(
                "A\(name)", connectivity: httpConnectivity(port: backEnd.port))
            files["adapters/A\(name)/A\(name)-impl.js"] = Self.script(version: 0)
        }
        var settings = RuntimeSettings.patient
        settings.scopes.runsTwins = true
        settings.scopes.machines = 2
        settings.calls.cpuTime = .milliseconds(500)
        let project = try await TestProject(files: files, settings: settings)
        let differences = AwaitableValue<[String]>([])
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<6 {
                group.addTask {
                    var numbers = SeededNumbers(state: UInt64(task))
                    for round in 0..<(rounds / 6) {
                        var id = task * 1_000_000 + round * 1000
                        let plan = Plan(&id, depth: 3, &numbers)
                        // Two tasks call for one session.
                        let caller = Caller.session("\(task / 2 * 2 == 4 ? 4 : task)-\(round / 20)")
                        let call = Task {
                            await caller.withTaskCancellation { caller in
                                await project.runtime.invoke(
                                    adapter: plan.adapter, procedure: "run", parameters: "[\(plan.json)]",
                                    caller: caller)
                            }
                        }
                        let isCancelled = Int.random(in: 0..<20, using: &numbers) == 0
                        if isCancelled { call.cancel() }
                        let result = await call.value
                        let said = (try? JSONValue(parsing: result.json))?["said"]
                        let isRight =
                            isCancelled
                            || (plan.isEndless
                                ? !result.isSuccessful
                                : plan.fails ? result.json.contains("planned") : said == plan.expected)
                        if !isRight {
                            differences.update { $0.append("\(plan.json): \(result.json), not \(plan.expected.text)") }
                        }
                    }
                }
            }
            group.addTask {
                var numbers = SeededNumbers(state: 99)
                for version in 1...(rounds / 20) {
                    _ = try? await project.deploy(
                        script: Self.script(version: version), of: "A\(Int.random(in: 0..<5, using: &numbers))")
                }
            }
        }
        #expect(differences.value.isEmpty, "\(differences.value.prefix(3))")
    }
}
