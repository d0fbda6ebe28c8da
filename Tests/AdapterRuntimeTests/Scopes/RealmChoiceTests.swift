import AdapterRuntime
import Foundation
import Logging
import TestSupport
import Testing
import WorklightProject

@Suite("The realm that the parser chooses for a script", .defaultTimeLimit)
struct RealmChoiceTests {
    private static func settings(_ change: (inout RuntimeSettings.Scopes) -> Void) -> RuntimeSettings {
        var settings = RuntimeSettings.patient
        change(&settings.scopes)
        return settings
    }

    private static func project(
        _ settings: RuntimeSettings = .patient, coverage: CoverageCollector? = nil
    ) async throws -> TestProject {
        var files: [String: String] = [:]
        for (index, script) in OldScript.all.enumerated() {
            files["adapters/O\(index)/O\(index).xml"] = adapterXML("O\(index)")
            files["adapters/O\(index)/O\(index)-impl.js"] = script.script
        }
        return try await TestProject(files: files, settings: settings, coverage: coverage)
    }

    /// The results of three calls of each script.
    private static func results(in project: TestProject, _ sessions: [String]) async -> [String: [String]] {
        var results: [String: [String]] = [:]
        for (index, script) in OldScript.all.enumerated() {
            for (session, text) in zip(sessions, ["a", "b", "a"]) {
                let result = await project.runtime.invoke(
                    adapter: "O\(index)", procedure: "run", parameters: #"["\#(text)"]"#, caller: .session(session))
                results[script.name, default: []].append(result.json)
            }
        }
        return results
    }

    @Test("Old scripts return the same in the realm that the parser chooses as in their own")
    func sameResults() async throws {
        let expected = await Self.results(
            in: try await Self.project(Self.settings { $0.ownRealm = .all }), ["one", "one", "one"])
        let chosen = try await Self.project()
        #expect(chosen.problems.filter { $0.severity == .error } == [])
        let found = await Self.results(in: chosen, ["one", "one", "one"])
        for script in OldScript.all {
            #expect(found[script.name] == expected[script.name], "\(script)")
            #expect(found[script.name]?.allSatisfy { $0.contains(#""isSuccessful":true"#) } == true, "\(script)")
        }
    }

    @Test("Coverage is the same in the realm that the parser chooses as in a script's own")
    func coverage() async throws {
        let (own, chosen) = (CoverageCollector(), CoverageCollector())
        _ = await Self.results(in: try await Self.project(Self.settings { $0.ownRealm = .all }, coverage: own), ["one"])
        _ = await Self.results(in: try await Self.project(coverage: chosen), ["one"])
        #expect(own.result.count == OldScript.all.count)
        for (expected, found) in zip(own.result, chosen.result) {
            #expect(found.file == expected.file && found.lines == expected.lines)
            #expect(found.counts == expected.counts, "\(expected.file)")
            #expect(expected.counts.contains { $0 > 0 }, "\(expected.file)")
        }
    }

    @Test(
        "An error has the same message, position and stack in the log in both kinds of realms",
        arguments: [
            "function run() { return missing.name }", "function run() {\n  return this.missing.name;\n}",
            "var list = []; function run() { list.forEach(inner); return [1].map(inner) }\nfunction inner(x) { throw new RangeError('no ' + x) }",
            "'use strict'; function run() { return this.name }", "function run() { throw { code: 1 } }",
            "function run() { for each (var x in [1]) { x.y.z() } }",
            "var a = 1; function run() { globalThis.none.value = a }",
            "function run() { return run() + 1 }", "var x = <a b='1'/>; function run() { return x.@b.missing().y() }",
            "function run() { WL.Server.invokeHttp({ path: 1 }) }",
            "start(); function start() { return nothing.here }\nfunction run() {}",
            "/* a comment */ function run() { var f = function named() { null.x }; f() }",
            "function run() { new (function () { this.a.b })() }", "function run() { return JSON.parse('{') }",
            "function A() { if (!(this instanceof A)) return new A(); undefined.x }\nfunction run() { A() }",
        ])
    func errors(script: String) async throws {
        var logs: [[String]] = []
        for isOwn in [true, false] {
            let project = try await TestProject(script, settings: Self.settings { $0.ownRealm = isOwn ? .all : .none })
            let result = await project.call()
            #expect(!project.problems.isEmpty || result.contains(#""isSuccessful":false"#))
            logs.append([result] + project.problems.map(\.description) + project.log.messages(at: .error))
        }
        #expect(logs[0] == logs[1])
    }

    @Test("Only scripts that change the language get their own realm")
    func choice() async throws {
        let project = try await Self.project()
        let own = OldScript.all.enumerated().filter { index, _ in
            project.runtime.scopeUse(ofAdapter: "O\(index)").contains("its own JavaScript realm")
        }
        #expect(Set(own.map(\.element.name)) == OldScript.needingOwnRealm)
    }

    @Test("A second session gets the results of a first one, also if all scripts run in one locked realm")
    func sessions() async throws {
        let project = try await Self.project(
            Self.settings {
                $0.sharesAllRealms = true
                $0.machines = 1
            })
        let first = await Self.results(in: project, ["one", "one", "one"])
        let second = await Self.results(in: project, ["two", "two", "two"])
        for script in OldScript.all { #expect(second[script.name] == first[script.name], "\(script)") }
    }

    @Test("No adapter of the examples needs its own realm")
    func examples() async throws {
        let examples = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../examples").standardizedFileURL
        let folders = try FileManager.default.contentsOfDirectory(at: examples, includingPropertiesForKeys: nil)
            .filter { FileManager.default.fileExists(atPath: $0.appending(path: "adapters").path) }
        #expect(folders.count > 1)
        for folder in folders {
            let notes = try await Project(reading: folder).syntaxProblems()
            #expect(notes.filter { $0.message.contains("its own JavaScript realm") } == [])
        }
    }

    @Test("check notes the line and the reason, and the adapter's description names them")
    func reasons() async throws {
        let project = try await TestProject(
            "function run() {\n  return 1;\n}\nDate.prototype.toJSON = function () { return 'x'; };")
        let notes = try await Project(reading: project.folder.url).syntaxProblems()
        #expect(
            notes.map(\.description) == [
                "adapters/A/A-impl.js:4:1: note: each session has its own JavaScript realm of this script, which takes more memory and time: "
                    + "the script changes 'Date', which all sessions use; the script works as written, so nothing needs to be done"
            ])
        #expect(
            project.runtime.scopeNotes == [
                "A: Each session has its own scope. Each scope has its own JavaScript realm: the script changes 'Date', which all sessions "
                    + "use (adapters/A/A-impl.js:4)."
            ])
    }

    @Test("scopes.ownRealm has an adapter's scopes have their own realms, with the setting's name in its description")
    func setting() async throws {
        let script = "function run(text) { if (text) [].push.last = text; return { v: [].push.last } }"
        let project = try await TestProject(script, settings: Self.settings { $0.ownRealm = .named(["A"]) })
        _ = await project.call(#"["x"]"#, as: .session("one"))
        #expect(await project.call("[]", as: .session("one")) == #"{"isSuccessful":true,"v":"x"}"#)
        #expect(await project.call("[]", as: .session("two")) == #"{"isSuccessful":true}"#)
        #expect(project.runtime.scopeUse(ofAdapter: "A").hasSuffix("its own JavaScript realm: scopes.ownRealm."))
        #expect(try await TestProject(script).runtime.scopeNotes == [])
    }

    @Test("Scopes of a machine keep their values when the first script that needs E4X comes")
    func helpers() async throws {
        let project = try await TestProject(
            files: [
                "adapters/A/A.xml": adapterXML("A"),
                "adapters/A/A-impl.js":
                    "var n = 0; function run(b) { return { n: ++n, b: b ? WL.Server.invokeProcedure({ adapter: 'B', procedure: 'run' }).b : 0 } }",
                "adapters/B/B.xml": adapterXML("B"),
                "adapters/B/B-impl.js":
                    "var doc = <d/>; function run() { doc.x += <x/>; return { b: doc.x.length() } }",
            ], settings: Self.settings { $0.machines = 1 })
        #expect(await project.call("[false]", as: .session("one")) == #"{"isSuccessful":true,"n":1,"b":0}"#)
        #expect(await project.call("[true]", as: .session("one")) == #"{"isSuccessful":true,"n":2,"b":1}"#)
        #expect(await project.call("[true]", as: .session("two")) == #"{"isSuccessful":true,"n":1,"b":1}"#)
        #expect(await project.call("[true]", as: .session("one")) == #"{"isSuccessful":true,"n":3,"b":2}"#)
    }

    @Test("Each call has its own scope with mfp.session.independent, and the adapter's description says so")
    func independent() async throws {
        let project = try await TestProject(files: [
            "server/conf/worklight.properties": "mfp.session.independent=true", "adapters/A/A.xml": adapterXML("A"),
            "adapters/A/A-impl.js": "var n = 0; function run() { return { n: ++n } }",
        ])
        for session in ["one", "one", "two"] {
            #expect(await project.call(as: .session(session)) == #"{"isSuccessful":true,"n":1}"#)
        }
        #expect(
            project.runtime.scopeUse(ofAdapter: "A") == "Each call has its own scope: mfp.session.independent.")
        #expect(project.runtime.scopes.scopes == 0)
    }
}
