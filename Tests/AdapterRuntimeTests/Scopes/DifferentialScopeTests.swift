import AdapterRuntime
import AdapterSyntax
import Core
import Foundation
import TestSupport
import Testing
import WorklightProject

/// Runs many adapters twice: as the server does, and with a JavaScript realm for each session. Every call must return the same.
@Suite("The same results in a shared realm and in a session's", .defaultTimeLimit)
struct DifferentialScopeTests {
    private struct Call: Sendable, CustomStringConvertible {
        let adapter: Adapter
        let procedure: String
        let parameters: String

        var description: String { "\(adapter.title): \(procedure)(\(parameters))" }
    }

    private struct Adapter: Sendable {
        let name: String
        /// Its name, or what its script does.
        let title: String
        let script: String
        let procedures: [String]
        /// The parameters of the calls of its procedures.
        let parameters: [String]

        /// - Returns: `nil` for a script that the test cannot call.
        init?(name: String, title: String, script: String) {
            // A script whose results differ from run to run proves nothing.
            guard script.firstMatch(of: /random|UUID|nanoTime|currentTimeMillis|getClientId/) == nil,
                let tree = try? SyntaxTree(script, file: name)
            else { return nil }
            self.name = name
            self.title = title
            self.script = script
            procedures = ScriptFacts(tree).globalFunctionNames.sorted()
            parameters = [
                "[]", #"["a"]"#, "[3,4]", #"[{"id":7,"name":"x"}]"#, "[[3,1,2]]", #"["b",{"x":1}]"#,
            ]
            if procedures.isEmpty { return nil }
        }

        init(name: String, _ program: LeakProgram) {
            self.name = name
            title = program.name
            script = program.script
            procedures = ["set", "get"]
            parameters = [#"["SECRET-A"]"#, #"["SECRET-B"]"#, "[]"]
        }
    }

    /// The example projects' adapters, scripts that keep nothing, and programs that keep a value.
    private static let adapters: [Adapter] = {
        let examples = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../examples").standardizedFileURL
        let files =
            FileManager.default.enumerator(at: examples, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
            ?? []
        let own = files.filter { $0.lastPathComponent.hasSuffix("-impl.js") }.compactMap { file in
            (try? String(contentsOf: file, encoding: .utf8)).flatMap {
                let name = file.deletingLastPathComponent().lastPathComponent
                return Adapter(name: name, title: name, script: $0)
            }
        }
        let stateless = StatelessScript.all.enumerated().compactMap { index, script in
            Adapter(name: "S\(index)", title: script.name, script: script.script)
        }
        let programs = LeakProgram.all.filter { !LeakProgram.hiddenChanges.contains($0.name) }.enumerated().map {
            index, program in
            Adapter(name: "P\(index)", program)
        }
        return own + stateless + programs
    }()

    private static func calls(_ count: Int, of adapters: [Adapter], _ generator: inout SeededNumbers) -> [Call] {
        (0..<count).compactMap { _ in
            guard let adapter = adapters.randomElement(using: &generator),
                let procedure = adapter.procedures.randomElement(using: &generator),
                let parameters = adapter.parameters.randomElement(using: &generator)
            else { return nil }
            return Call(adapter: adapter, procedure: procedure, parameters: parameters)
        }
    }

    /// Makes a runtime with all the adapters, whose back end responds with the request.
    private static func project(_ backEnd: LoopbackServer, _ settings: RuntimeSettings) async throws -> TestProject {
        var files: [String: String] = [:]
        for adapter in adapters {
            files["adapters/\(adapter.name)/\(adapter.name).xml"] = adapterXML(
                adapter.name, procedures: adapter.procedures, connectivity: backEnd.connectivity)
            files["adapters/\(adapter.name)/\(adapter.name)-impl.js"] = adapter.script
        }
        var settings = settings
        settings.movesScriptClock = true
        settings.scopes.number = 1_000_000
        return try await TestProject(files: files, settings: settings, time: StillTime())
    }

    private static func backEnd() throws -> LoopbackServer {
        try LoopbackServer { request in
            .ok(#"{"asked":"\#(request.target)","items":[{"id":1,"name":"a"}],"name":"n"}"#, type: "application/json")
        }
    }

    private static func run(_ call: Call, in project: TestProject, _ session: String?) async -> String {
        let caller = session.map { Caller(session: ClientSession(id: $0)) } ?? Caller()
        return await project.runtime.invoke(
            adapter: call.adapter.name, procedure: call.procedure, parameters: call.parameters, caller: caller
        ).json.replacing(/"(responseTime|totalTime)":\d+/, with: "")
            // Of two limits either may come first.
            .replacing(/was stopped: [^"]*/, with: "was stopped")
    }

    private static let alone: RuntimeSettings = {
        var settings = RuntimeSettings.patient
        settings.scopes.ownRealm = .all
        return settings
    }()

    @Test(
        "Every procedure returns the same in a new scope as in a used one",
        arguments: TestExtent.size([1], full: [1, 2, 3]))
    func warmed(seed: UInt64) async throws {
        let differences = try await Self.differences(from: .patient, seed: seed)
        #expect(differences.isEmpty, "\(differences)")
    }

    @Test("Scripts with state that share scopes return different results")
    func shared() async throws {
        var settings = RuntimeSettings.patient
        settings.scopes.shared = .all
        // Measured: about one for each program, since half of the calls of `get` come after one of `set`.
        #expect(try await Self.differences(from: settings, seed: 1).count > LeakProgram.all.count / 2)
    }

    /// Returns the calls whose results in new scopes differ from those with these settings.
    private static func differences(from settings: RuntimeSettings, seed: UInt64) async throws -> [String] {
        var generator = SeededNumbers(state: seed)
        var calls = Self.adapters.flatMap { adapter in
            adapter.procedures.map {
                Call(
                    adapter: adapter, procedure: $0,
                    parameters: adapter.parameters.randomElement(using: &generator) ?? "[]")
            }
        }
        calls = (calls + calls).shuffled(using: &generator)
        let backEnd = try Self.backEnd()
        let fresh = try await Self.project(backEnd, Self.alone)
        let shared = try await Self.project(backEnd, settings)
        var different: [String] = []
        for call in calls {
            let (expected, found) = (await Self.run(call, in: fresh, nil), await Self.run(call, in: shared, nil))
            if expected != found { different.append("\(call): \(found) instead of \(expected)") }
        }
        #expect(calls.count > 500)
        return different
    }

    @Test(
        "Sessions that call at the same time get what each would get alone",
        arguments: TestExtent.size([1], full: [1, 2, 3]))
    func interleaved(seed: UInt64) async throws {
        var generator = SeededNumbers(state: seed)
        // So few adapters that each session calls many of them more than once.
        let adapters = Array(Self.adapters.shuffled(using: &generator).prefix(TestExtent.size(40, full: 160)))
        let plans = (0..<10).map { _ in Self.calls(TestExtent.size(150, full: 600), of: adapters, &generator) }
        let backEnd = try Self.backEnd()
        let alone = try await Self.project(backEnd, Self.alone)
        var expected: [[String]] = []
        for (number, plan) in plans.enumerated() {
            var answers: [String] = []
            for call in plan { answers.append(await Self.run(call, in: alone, "\(number)")) }
            expected.append(answers)
        }
        let together = try await Self.project(backEnd, .patient)
        let found = await withTaskGroup(of: (Int, [String]).self) { group in
            for (number, plan) in plans.enumerated() {
                group.addTask {
                    var answers: [String] = []
                    for call in plan { answers.append(await Self.run(call, in: together, "\(number)")) }
                    return (number, answers)
                }
            }
            return await group.reduce(into: [Int: [String]]()) { $0[$1.0] = $1.1 }
        }
        for (number, plan) in plans.enumerated() {
            for (index, call) in plan.enumerated() {
                #expect(found[number]?[index] == expected[number][index], "\(call), call \(index) of session \(number)")
            }
        }
    }
}

/// A clock that does not move.
private struct StillTime: TimeSource {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let uptime = Duration.seconds(1)

    func sleep(untilUptime deadline: Duration) async throws {
        try await AwaitableValue(false).wait { $0 }
    }
}
