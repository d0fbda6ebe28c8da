import Core
import JavaScriptEngine
import TestSupport
import Testing
import WorklightProject

@testable import AdapterRuntime

@Suite("Deploying an adapter while it is called", .defaultTimeLimit)
struct DeployingTests {
    private static func version(_ number: Int) -> String {
        """
        var calls = 0;
        function run(path) {
            calls += 1;
            if (path) WL.Server.invokeHttp({ method: 'get', path: path });
            return { version: \(number), calls: calls };
        }
        """
    }

    private static func answer(_ version: Int, calls: Int = 1) -> String {
        #"{"isSuccessful":true,"version":\#(version),"calls":\#(calls)}"#
    }

    @Test("A call that runs ends in the old version, one of another session runs in the new one meanwhile")
    func running() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let project = try await TestProject(Self.version(1), connectivity: backEnd.connectivity)
            async let running = project.call(#"["/wait"]"#, as: .session("one"))
            try await gate.arrivals(1)
            #expect(try await project.deploy(script: Self.version(2)) == .deployed)
            #expect(await project.call(as: .session("two")) == Self.answer(2))
            gate.open()
            #expect(await running == Self.answer(1))
        }
    }

    @Test("A call that waits behind one of the same session runs in the new version")
    func waiting() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let project = try await TestProject(Self.version(1), connectivity: backEnd.connectivity)
            let session = Caller.session("one")
            _ = await project.call(as: session)
            async let running = project.call(#"["/wait"]"#, as: session)
            try await gate.arrivals(1)
            async let waiting = project.call(as: session)
            try await waitUntil { project.runtime.directory["A"]?.calls == 2 }
            try await project.deploy(script: Self.version(2))
            gate.open()
            #expect(await running == Self.answer(1, calls: 2))
            #expect(await waiting == Self.answer(2))
        }
    }

    @Test("Variables start from their initial values in the new version")
    func variables() async throws {
        let project = try await TestProject(Self.version(1))
        _ = await project.call(as: .session("one"))
        #expect(await project.call(as: .session("one")) == Self.answer(1, calls: 2))
        try await project.deploy(script: Self.version(2))
        #expect(await project.call(as: .session("one")) == Self.answer(2))
        #expect(await project.call(as: .session("one")) == Self.answer(2, calls: 2))
    }

    @Test("A running call that comes back to its adapter through another one finds its own version there")
    func nested() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let script = { (version: Int) in
                """
                var state = 'none';
                function run() {
                    state = 'set';
                    WL.Server.invokeHttp({ method: 'get', path: '/wait' });
                    return WL.Server.invokeProcedure({ adapter: 'B', procedure: 'back' });
                }
                function tell() { return { version: \(version), state: state } }
                """
            }
            let project = try await TestProject(files: [
                "adapters/A/A.xml": adapterXML("A", procedures: ["run", "tell"], connectivity: backEnd.connectivity),
                "adapters/A/A-impl.js": script(1),
                "adapters/B/B.xml": adapterXML("B", procedures: ["back"]),
                "adapters/B/B-impl.js":
                    "function back() { return WL.Server.invokeProcedure({ adapter: 'A', procedure: 'tell' }) }",
            ])
            async let running = project.call()
            try await gate.arrivals(1)
            #expect(try await project.deploy(script: script(2)) == .deployed)
            gate.open()
            #expect(await running == #"{"isSuccessful":true,"version":1,"state":"set"}"#)
            #expect(await project.call(procedure: "tell") == #"{"isSuccessful":true,"version":2,"state":"none"}"#)
        }
    }

    @Test("An adapter that calls another one gets the version which was there when the call began")
    func other() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let project = try await TestProject(files: [
                "adapters/A/A.xml": adapterXML("A", connectivity: backEnd.connectivity),
                "adapters/A/A-impl.js": """
                function run() {
                    WL.Server.invokeHttp({ method: 'get', path: '/wait' });
                    return WL.Server.invokeProcedure({ adapter: 'B', procedure: 'run' });
                }
                """,
                "adapters/B/B.xml": adapterXML("B"), "adapters/B/B-impl.js": Self.version(1),
            ])
            async let running = project.call()
            try await gate.arrivals(1)
            try await project.deploy(script: Self.version(2), of: "B")
            gate.open()
            #expect(await running == Self.answer(1))
            #expect(await project.call() == Self.answer(2))
        }
    }

    @Test("An error's stack through two adapters names the authors' lines, whichever was deployed last")
    func stacks() async throws {
        // Syntax that only Rhino knew is translated, in one line more than its author wrote.
        let translated = { (lines: Int) in
            "var total = 0;\n" + String(repeating: "\n", count: lines)
                + "function run() {\n for each (var x in [1]) total += x;\n return null.x;\n}"
        }
        let project = try await TestProject(files: [
            "adapters/A/A.xml": adapterXML("A"),
            "adapters/A/A-impl.js":
                "function run() { return WL.Server.invokeProcedure({ adapter: 'B', procedure: 'run' }) }",
            "adapters/B/B.xml": adapterXML("B"), "adapters/B/B-impl.js": translated(0),
        ])
        #expect(await project.call().contains("(adapters/B/B-impl.js#4)"))
        #expect(try await project.deploy(script: translated(3), of: "B") == .deployed)
        #expect(await project.call().contains("(adapters/B/B-impl.js#7)"))
    }

    @Test("A new adapter is deployed, and a removed one is not found any more")
    func comingAndGoing() async throws {
        let project = try await TestProject(Self.version(1))
        try project.folder.write(adapterXML("New"), to: "adapters/New/New.xml")
        #expect(try await project.deploy(script: Self.version(1), of: "New") == .deployed)
        #expect(project.runtime.adapterNames == ["A", "New"])
        _ = await project.call()
        #expect(project.runtime.remove(adapter: "A"))
        #expect(!project.runtime.remove(adapter: "A"))
        #expect(await project.call().contains("there is no adapter 'A'; there are: New"))
        // Nobody waits for those of an adapter that is gone.
        try await waitUntil { project.runtime.scopes.scopes == 0 }
    }

    @Test("An unchanged version is not deployed, so variables stay")
    func unchanged() async throws {
        let project = try await TestProject(Self.version(1))
        _ = await project.call(as: .session("one"))
        #expect(try await project.deploy(script: Self.version(1)) == .unchanged)
        #expect(await project.call(as: .session("one")) == Self.answer(1, calls: 2))
    }

    @Test("A removed version's scopes are discarded, also without further calls")
    func sweeping() async throws {
        let project = try await TestProject(Self.version(1))
        for number in 0..<5 { _ = await project.call(as: .session("\(number)")) }
        #expect(project.runtime.scopes.scopes == 5)
        try await project.deploy(script: Self.version(2))
        await project.runtime.discardReplaced()
        #expect(project.runtime.scopes.scopes == 0)
    }

    @Test("Calls are of the new version, too, with mfp.session.independent")
    func independent() async throws {
        let project = try await TestProject(files: [
            "server/conf/worklight.properties": "mfp.session.independent=true",
            "adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": Self.version(1),
        ])
        #expect(await project.call(as: .session("one")) == Self.answer(1))
        try await project.deploy(script: Self.version(2))
        #expect(await project.call(as: .session("one")) == Self.answer(2))
        #expect(project.runtime.scopes.scopes == 0)
    }

    @Test("The connections of the old version are closed once its last call has ended, and not before")
    func backEnds() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let project = try await TestProject(Self.version(1), connectivity: backEnd.connectivity)
            weak var old: AdapterBackEnds?
            do { old = project.runtime.directory["A"]?.common.backEnds }
            async let running = project.call(#"["/wait"]"#, as: .session("one"))
            try await gate.arrivals(1)
            try await project.deploy(script: Self.version(2))
            #expect(old != nil)
            gate.open()
            #expect(await running == Self.answer(1))
            await project.runtime.discardReplaced()
            // A thread holds a reference to its last job until the next job.
            try await waitUntil {
                await project.runtime.discardReplaced()
                return old == nil
            }
        }
    }

    @Test("Many deployments under eight callers fail no call and leave nothing behind", .defaultTimeLimit)
    func load() async throws {
        let project = try await TestProject(Self.version(0))
        let isOver = AwaitableValue(false)
        let wrong = await withTaskGroup(of: [String].self) { group in
            for client in 0..<8 {
                group.addTask {
                    var (wrong, last): ([String], Int) = ([], 0)
                    repeat {
                        let answer = await project.call(as: client == 0 ? Caller() : .session("\(client)"))
                        let version = (try? JSONValue(parsing: answer))?["version"]?.number.map { Int($0) }
                        // Never an error, and never back to an older version.
                        if version ?? -1 < last { wrong.append("\(answer) after \(last)") }
                        last = version ?? last
                    } while !isOver.value
                    return wrong
                }
            }
            group.addTask {
                var wrong: [String] = []
                for number in 1...TestExtent.size(30, full: 100) {
                    let outcome = try? await project.deploy(script: Self.version(number))
                    if outcome != .deployed { wrong.append("\(number): \(String(describing: outcome))") }
                }
                isOver.update { $0 = true }
                return wrong
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(wrong == [])
        // The last call of a session may have run in a version that was replaced meanwhile, so the session would own no scope.
        for client in 1..<8 { _ = await project.call(as: .session("\(client)")) }
        // A thread holds a reference to its last job until the next job.
        try await waitUntil {
            await project.runtime.discardReplaced()
            let scopes = project.runtime.scopes
            return scopes.scopes <= 8 && scopes.owners == 7 && scopes.machines <= 9
        }
    }
}
