import Core
import Foundation
import JavaScriptEngine
import Logging
import TestSupport
import Testing
import WorklightProject

@testable import AdapterRuntime

@Suite("Scopes of sessions and shared scopes", .defaultTimeLimit)
struct SharedScopeTests {
    private static let counter = "var count = 0; function run() { count += 1; return { count: count } }"

    private static func settings(machines: Int = 256, _ change: (inout RuntimeSettings.Scopes) -> Void = { _ in })
        -> RuntimeSettings
    {
        var settings = RuntimeSettings.patient
        settings.scopes.machines = machines
        change(&settings.scopes)
        return settings
    }

    @Test("A value that a call adds to an object through Object.assign stays in its session")
    func aliases() async throws {
        let project = try await TestProject(
            """
            var defaults = { headers: { lang: "en" } };
            function run(user) {
                var o = {};
                Object.assign(o, defaults);
                var found = o.headers.Authorization;
                if (user) o.headers.Authorization = user;
                return { found: found };
            }
            """)
        #expect(await project.call(#"["ann"]"#, as: .session("one")) == #"{"isSuccessful":true}"#)
        #expect(await project.call("[]", as: .session("two")) == #"{"isSuccessful":true}"#)
        #expect(await project.call("[]", as: .session("one")) == #"{"isSuccessful":true,"found":"ann"}"#)
    }

    @Test("A script without state that calls one with state finds the variables of its session there")
    func nested() async throws {
        let project = try await TestProject(files: [
            "adapters/A/A.xml": adapterXML("A"),
            "adapters/A/A-impl.js":
                "function run() { return WL.Server.invokeProcedure({ adapter: 'B', procedure: 'run' }) }",
            "adapters/B/B.xml": adapterXML("B"), "adapters/B/B-impl.js": Self.counter,
        ])
        for count in 1...3 {
            for session in ["one", "two"] {
                #expect(await project.call(as: .session(session)) == #"{"isSuccessful":true,"count":\#(count)}"#)
            }
        }
        // Each has one of A and one of B.
        #expect(project.runtime.scopes.scopes == 4)
    }

    @Test("scopes.shared has sessions share what a script keeps, and says so")
    func sharedBySetting() async throws {
        let project = try await TestProject(
            Self.counter, settings: Self.settings(machines: 1) { $0.shared = .named(["A"]) })
        #expect(await project.call(as: .session("one")) == #"{"isSuccessful":true,"count":1}"#)
        #expect(await project.call(as: .session("two")) == #"{"isSuccessful":true,"count":2}"#)
        let remark = try #require(project.runtime.sharedStateWarnings.first)
        #expect(remark.severity == .warning && remark.message.contains("scopes.shared lets all sessions share"))
    }

    @Test("A shared script that calls another adapter at its top level finds no session's variables there")
    func topLevel() async throws {
        let project = try await TestProject(
            files: [
                "adapters/A/A.xml": adapterXML("A"),
                "adapters/A/A-impl.js": """
                var seen = WL.Server.invokeProcedure({ adapter: "B", procedure: "run", parameters: [] }).user;
                function run() { return { seen: seen } }
                """,
                "adapters/B/B.xml": adapterXML("B"),
                "adapters/B/B-impl.js":
                    "var user = 'nobody'; function run(name) { user = name || user; return { user: user } }",
            ], settings: Self.settings(machines: 1) { $0.shared = .named(["A"]) })
        _ = await project.runtime.invoke(
            adapter: "B", procedure: "run", parameters: #"["ann"]"#, caller: .session("one"))
        for session in ["one", "two"] {
            #expect(await project.call(as: .session(session)) == #"{"isSuccessful":true,"seen":"nobody"}"#)
        }
    }

    @Test("Endless calls delay no others that come later")
    func computing() async throws {
        var settings = Self.settings()
        settings.calls = ExecutionLimits()
        let time = ManualTime()
        let project = try await TestProject(
            "function run(endless) { while (endless); return 'quick' }", settings: settings, time: time)
        let processors = ProcessInfo.processInfo.activeProcessorCount
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<processors { group.addTask { _ = await project.call("[true]") } }
            try await waitUntil { project.runtime.scopes.machines == processors }
            time.advance(by: VirtualMachinePool.longStep)
            #expect(await project.call("[false]") == #"{"isSuccessful":true,"result":"quick"}"#)
            project.runtime.interrupt(reason: "the test is over")
        }
    }

    @Test(
        "Calls that hold their machines while their back end hangs have at most a quarter of the machines; further ones wait, and other adapters' run"
    )
    func hangingBackEnd() async throws {
        let most = ProcessInfo.processInfo.activeProcessorCount + 1
        try await withWaitingBackEnd { backEnd, gate in
            let project = try await TestProject(
                files: [
                    "adapters/A/A.xml": adapterXML("A", connectivity: backEnd.connectivity),
                    "adapters/A/A-impl.js":
                        "function run() { return [1].map(function () { return WL.Server.invokeHttp({ method: 'get', path: '/wait' }).text })[0] }",
                    "adapters/B/B.xml": adapterXML("B"), "adapters/B/B-impl.js": "function run() { return 'quick' }",
                ], settings: Self.settings(machines: 4 * most))
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<most + 2 { group.addTask { await project.call() } }
                try await gate.arrivals(most)
                try await waitUntil { project.runtime.waitingCalls(ofAdapter: "A") >= most + 2 }
                let other = await project.runtime.invoke(adapter: "B", procedure: "run", parameters: "[]").json
                #expect(other == #"{"isSuccessful":true,"result":"quick"}"#)
                #expect(project.runtime.scopes.machines == most + 1)
                gate.open()
                for try await answer in group { #expect(answer == #"{"isSuccessful":true,"result":"done"}"#) }
            }
        }
    }
}
