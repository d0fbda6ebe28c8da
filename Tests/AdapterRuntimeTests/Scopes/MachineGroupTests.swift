import AdapterSyntax
import Core
import JavaScriptEngine
import Logging
import PushModel
import TestSupport
import Testing

@testable import AdapterRuntime

@Suite("Machines of groups of adapters", .defaultTimeLimit)
struct MachineGroupTests {
    private static let counter = "var count = 0; function run() { count += 1; return { count: count } }"

    private static func calling(_ adapter: String) -> String {
        "\(counter) function other() { return WL.Server.invokeProcedure({ adapter: \(adapter), procedure: 'run' }) }"
    }

    private static func project(_ scripts: [String: String], _ settings: RuntimeSettings = .patient) async throws
        -> TestProject
    {
        var files: [String: String] = [:]
        for (name, script) in scripts {
            files["adapters/\(name)/\(name).xml"] = adapterXML(name, procedures: ["run"])
            files["adapters/\(name)/\(name)-impl.js"] = script
        }
        return try await TestProject(files: files, settings: settings)
    }

    /// The names of the groups' adapters.
    private static func groups(of project: TestProject) -> Set<[String]> {
        let adapters = project.runtime.directory.current
        return Set(adapters.names.map { adapters.group(of: $0).members })
    }

    @Test("Adapters that call each other, directly or through others, are a group")
    func links() async throws {
        let project = try await Self.project([
            "A": Self.calling("'B'"), "B": Self.calling("'C'"), "C": Self.counter, "D": Self.calling("'None'"),
            "E": Self.counter,
        ])
        #expect(Self.groups(of: project) == [["A", "B", "C"], ["D"], ["E"]])
    }

    @Test(
        "A script that computes a name, or uses invokeProcedure in another way, may call all adapters",
        arguments: [
            calling("name"), "\(counter) var call = WL.Server.invokeProcedure;",
            "\(counter) function other() { return WL.Server[['invoke', 'Procedure'].join('')]({ adapter: 'C' }) }",
            "\(counter) function other() { return eval(\"WL.Server.invokeProcedure({ adapter: 'C' })\") }",
        ])
    func anyName(script: String) async throws {
        let project = try await Self.project(["A": script, "B": Self.counter, "C": Self.counter])
        #expect(Self.groups(of: project) == [["A", "B", "C"]])
    }

    @Test("A call of invokeProcedure that the script does not show is refused with an error that says so")
    func hidden() async throws {
        let project = try await Self.project([
            "A": """
            function run() {
                var all = WL.Server;
                for (var name in all) if (name.indexOf("invokeP") === 0) return all[name]({ adapter: "B", procedure: "run" });
            }
            """, "B": Self.counter,
        ])
        #expect(await project.call(as: .session("ann")).contains("the script of A does not show that it calls B"))
    }

    @Test("A deployment that changes a group ends its sessions' variables; other groups keep theirs")
    func deployment() async throws {
        let project = try await Self.project(["A": Self.counter, "B": Self.counter, "C": Self.counter])
        func count(_ adapter: String) async -> String {
            await project.runtime.invoke(
                adapter: adapter, procedure: "run", parameters: "[]", caller: .session("ann")
            ).json
        }
        for adapter in ["A", "B", "C"] { _ = await count(adapter) }
        try await project.deploy(script: Self.calling("'B'"))
        await project.runtime.discardReplaced()
        #expect(project.runtime.scopes.scopes == 1)
        #expect(await count("A") == #"{"isSuccessful":true,"count":1}"#)
        #expect(await count("B") == #"{"isSuccessful":true,"count":1}"#)
        #expect(await count("C") == #"{"isSuccessful":true,"count":2}"#)
        // The same group again.
        try await project.deploy(script: Self.calling("'B'") + " var more;")
        await project.runtime.discardReplaced()
        #expect(await count("A") == #"{"isSuccessful":true,"count":1}"#)
        #expect(await count("B") == #"{"isSuccessful":true,"count":2}"#)
    }

    @Test("A poll that keeps a little more each time loses its variables once it holds more than limits.heap")
    func leakingPoll() async throws {
        var settings = RuntimeSettings.patient
        settings.polls.heap = 48 << 20
        let project = try await TestProject(
            """
            var kept = [];
            WL.Server.createEventSource({ name: "S", poll: { interval: 1, onPoll: poll } });
            function poll() {
                kept.push(new Array(30000).fill(kept.length));
                WL.Logger.info(kept.length);
            }
            """, procedures: [], settings: settings)
        repeat {
            try await project.runtime.poll(EventSourceID(adapter: "A", name: "S"))
        } while !project.log.messages(at: .warning).contains { $0.hasPrefix("A: scopes reset") }
        try await waitUntil {
            try await project.runtime.poll(EventSourceID(adapter: "A", name: "S"))
            return project.log.messages(at: .info).dropFirst().contains("1")
        }
    }

    @Test(
        "Calls of the machine with the largest heap end, and others go on, if all hold more than limits.scopeMemory and no session is idle"
    )
    func restart() async throws {
        var settings = RuntimeSettings.patient
        settings.scopes.memory = 32 << 20
        try await withWaitingBackEnd { [settings] backEnd, gate in
            var files = [
                "adapters/A/A.xml": adapterXML("A", connectivity: backEnd.connectivity),
                "adapters/A/A-impl.js": """
                var count = 0;
                function run(path) {
                    for (var held = []; path && held.length < 64;) held.push(new Array(1 << 17).fill(held.length));
                    if (path) WL.Server.invokeHttp({ method: "get", path: path });
                    return { count: ++count, held: held.length };
                }
                """,
            ]
            files["adapters/B/B.xml"] = adapterXML("B", connectivity: backEnd.connectivity)
            files["adapters/B/B-impl.js"] =
                "function run() { return WL.Server.invokeHttp({ method: 'get', path: '/wait' }).text }"
            let project = try await TestProject(files: files, settings: settings)
            async let other = project.runtime.invoke(adapter: "B", procedure: "run", parameters: "[]").json
            try await gate.arrivals(1)
            async let large = project.call(#"["/wait"]"#, as: .session("ann"))
            try await gate.arrivals(2)
            #expect(await project.call(as: .session("ben")) == #"{"isSuccessful":true,"count":1,"held":0}"#)
            #expect(await project.call(as: .session("ann")) == #"{"isSuccessful":true,"count":1,"held":0}"#)
            gate.open()
            #expect(await large.contains("hold more than limits.scopeMemory (32 MB)"))
            #expect(await other == #"{"isSuccessful":true,"result":"done"}"#)
            #expect(project.log.messages(at: .warning).contains { $0.hasPrefix("A: calls ended and scopes reset") })
        }
    }
}
