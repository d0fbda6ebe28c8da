import Core
import Foundation
import JavaScriptEngine
import Logging
import TestSupport
import Testing
import WorklightProject

@testable import AdapterRuntime

@Suite("Scopes: whose variables are these?", .defaultTimeLimit)
struct ScopeTests {
    private static let counter = "var count = 0; function run() { count += 1; return { count: count } }"

    /// Adapters that count their sessions' calls.
    private static func files(_ names: [String]) -> [String: String] {
        var files: [String: String] = [:]
        for name in names {
            files["adapters/\(name)/\(name).xml"] = adapterXML(name)
            files["adapters/\(name)/\(name)-impl.js"] = counter
        }
        return files
    }

    @Test("A session keeps its variables from call to call")
    func keeping() async throws {
        let project = try await TestProject(Self.counter)
        let session = Caller(session: ClientSession(id: "one"))
        _ = await project.call(as: session)
        #expect(await project.call(as: session) == #"{"isSuccessful":true,"count":2}"#)
    }

    @Test("Another session has separate variables")
    func separating() async throws {
        let project = try await TestProject(Self.counter)
        _ = await project.call(as: Caller(session: ClientSession(id: "one")))
        #expect(
            await project.call(as: Caller(session: ClientSession(id: "two"))) == #"{"isSuccessful":true,"count":1}"#)
    }

    @Test("Calls without a session share no variables")
    func withoutSession() async throws {
        let project = try await TestProject(Self.counter)
        for _ in 0..<3 { #expect(await project.call() == #"{"isSuccessful":true,"count":1}"#) }
        #expect(project.runtime.scopes.scopes == 0)
    }

    @Test("Calls without a session run side by side")
    func sideBySide() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let project = try await TestProject(
                "var n = 0; function run() { n++; return WL.Server.invokeHttp({ method: 'get', path: '/wait' }).text + n }",
                connectivity: backEnd.connectivity)
            let answers = await withTaskGroup(of: String.self) { group in
                for _ in 0..<10 { group.addTask { await project.call() } }
                group.addTask {
                    try? await gate.arrivals(10)
                    gate.open()
                    return ""
                }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(answers == ["", #"{"isSuccessful":true,"result":"done1"}"#])
        }
    }

    @Test("A session's variables go with the session")
    func ending() async throws {
        let project = try await TestProject(Self.counter)
        let session = Caller(session: ClientSession(id: "one"))
        _ = await project.call(as: session)
        await project.runtime.endSession(id: "one")
        #expect(project.runtime.scopes.scopes == 0)
        #expect(await project.call(as: session) == #"{"isSuccessful":true,"count":1}"#)
    }

    @Test("A call that is blocked in its back end does not delay another session")
    func blocking() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let project = try await TestProject(
                "function run(path) { return path ? WL.Server.invokeHttp({ method: 'get', path: path }).text : 'quick' }",
                connectivity: backEnd.connectivity)
            async let blocked = project.call(#"["/wait"]"#, as: Caller(session: ClientSession(id: "one")))
            try await gate.arrivals(1)
            let quick = await project.call(as: Caller(session: ClientSession(id: "two")))
            #expect(quick == #"{"isSuccessful":true,"result":"quick"}"#)
            gate.open()
            #expect(await blocked == #"{"isSuccessful":true,"result":"done"}"#)
        }
    }

    @Test("A login in two steps never logs in another user, however many log in at once")
    func twoStepLogin() async throws {
        let backEnd = try LoopbackServer { request in
            let user = request.target.split(separator: "=").last ?? ""
            return .ok(#"{"name":"\#(user)"}"#, type: "application/json")
        }
        let project = try await TestProject(
            """
            var pending = null;
            function check(user) {
                return WL.Server.invokeHttp({ method: 'get', path: '/check', parameters: { user: user } });
            }
            function failure(answer) {
                return { isSuccessful: false, errors: answer.errors, statusCode: answer.statusCode };
            }
            function first(user) {
                var answer = check(user);
                if (answer.name !== user) return failure(answer);
                pending = answer.name;
            }
            function second() {
                var user = pending, answer = check('x');
                if (answer.name !== 'x') return failure(answer);
                pending = null;
                return { user: user };
            }
            """, procedures: ["first", "second"], connectivity: backEnd.connectivity)
        let (failed, wrong) = await withTaskGroup(of: (failed: [String], wrong: [String]).self) { group in
            for client in 0..<24 {
                group.addTask {
                    let session = Caller(session: ClientSession(id: "session \(client)"))
                    var failed: [String] = []
                    var wrong: [String] = []
                    for round in 0..<10 {
                        let user = "user-\(client)-\(round)"
                        let first = await project.call(#"["\#(user)"]"#, procedure: "first", as: session)
                        let second = await project.call(procedure: "second", as: session)
                        let failures = [first, second].filter { !$0.hasPrefix(#"{"isSuccessful":true"#) }
                        failed += failures
                        guard failures.isEmpty else { continue }
                        if second != #"{"isSuccessful":true,"user":"\#(user)"}"# { wrong.append(second) }
                    }
                    return (failed, wrong)
                }
            }
            return await group.reduce(into: (failed: [String](), wrong: [String]())) { all, part in
                all.failed += part.failed
                all.wrong += part.wrong
            }
        }
        // Calls that failed by themselves, such as at a time limit, say nothing about the variables.
        #expect(failed == [])
        #expect(wrong == [])
    }

    @Test("Calls of one session run one after the other, in order")
    func order() async throws {
        let project = try await TestProject(
            "var list = []; function run(i) { list.push(i); return { list: list.join() } }")
        let session = Caller(session: ClientSession(id: "one"))
        var answer = ""
        for number in 0..<5 { answer = await project.call("[\(number)]", as: session) }
        #expect(answer == #"{"isSuccessful":true,"list":"0,1,2,3,4"}"#)
    }

    @Test("Each call has its own scope with mfp.session.independent, and two of one session run at once")
    func independence() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let project = try await TestProject(files: [
                "server/conf/worklight.properties": "mfp.session.independent=true",
                "adapters/A/A.xml": adapterXML("A", connectivity: backEnd.connectivity),
                "adapters/A/A-impl.js": """
                var count = 0;
                function run(wait) {
                    count += 1;
                    if (wait) WL.Server.invokeHttp({ method: 'get', path: '/wait' });
                    return { count: count };
                }
                """,
            ])
            let session = Caller(session: ClientSession(id: "one"))
            async let blocked = project.call("[true]", as: session)
            try await gate.arrivals(1)
            #expect(await project.call(as: session) == #"{"isSuccessful":true,"count":1}"#)
            #expect(await project.call(as: session) == #"{"isSuccessful":true,"count":1}"#)
            gate.open()
            #expect(await blocked == #"{"isSuccessful":true,"count":1}"#)
            #expect(project.runtime.scopes == ScopeStatus(machines: 1, owners: 0, scopes: 0))
        }
    }

    @Test("The session that is idle longest loses its variables at the limit")
    func eviction() async throws {
        let time = ManualTime()
        var settings = RuntimeSettings.patient
        settings.scopes.number = 2
        let project = try await TestProject(Self.counter, settings: settings, time: time)
        for id in ["old", "young", "old"] {
            _ = await project.call(as: Caller(session: ClientSession(id: id)))
            time.advance(by: .seconds(1))
        }
        _ = await project.call(as: Caller(session: ClientSession(id: "new")))
        #expect(
            await project.call(as: Caller(session: ClientSession(id: "old"))) == #"{"isSuccessful":true,"count":3}"#)
        #expect(
            await project.call(as: Caller(session: ClientSession(id: "young"))) == #"{"isSuccessful":true,"count":1}"#)
        #expect(
            project.log.messages(at: .info).contains {
                $0.contains("an idle session lost its variables: limits.scopes (2) is reached")
            })
    }

    @Test("Variables of a session with a user go after those of sessions without one, however long it has been idle")
    func evictionOrder() async throws {
        let time = ManualTime()
        var settings = RuntimeSettings.patient
        settings.scopes.number = 3
        let project = try await TestProject(Self.counter, settings: settings, time: time)
        let sessions = ClientSession.EvictionPriority.allCases.reversed().map { priority in
            let session = ClientSession(id: "\(priority)")
            session.evictionPriority = priority
            return session
        }
        for session in sessions {
            _ = await project.call(as: Caller(session: session))
            time.advance(by: .seconds(1))
        }
        for number in 0..<5 { _ = await project.call(as: .session("\(number)")) }
        #expect(await project.call(as: Caller(session: sessions[0])) == #"{"isSuccessful":true,"count":2}"#)
        #expect(await project.call(as: Caller(session: sessions[1])) == #"{"isSuccessful":true,"count":2}"#)
        #expect(await project.call(as: Caller(session: sessions[2])) == #"{"isSuccessful":true,"count":1}"#)
    }

    @Test("Sessions that call one adapter after the other have no more scopes than there may be")
    func manyAdapters() async throws {
        var settings = RuntimeSettings.patient
        settings.scopes.number = 4
        let project = try await TestProject(files: Self.files(["A", "B", "C"]), settings: settings)
        for adapter in ["A", "B", "C"] {
            for session in 0..<4 {
                _ = await project.runtime.invoke(
                    adapter: adapter, procedure: "run", parameters: "[]", caller: .session("\(session)"))
            }
        }
        // The scope that was evicted last may not have ended yet.
        try await waitUntil { project.runtime.scopes.scopes <= 4 }
    }

    @Test("A new session is asked to retry when every scope is in use")
    func shortage() async throws {
        var settings = RuntimeSettings.patient
        settings.scopes.number = 1
        try await withWaitingBackEnd { [settings] backEnd, gate in
            let project = try await TestProject(
                "var n; function run() { n = n || 1; return WL.Server.invokeHttp({ method: 'get', path: '/wait' }).text }",
                connectivity: backEnd.connectivity, settings: settings)
            async let blocked = project.call(as: Caller(session: ClientSession(id: "one")))
            try await gate.arrivals(1)
            let refused = await project.call(as: Caller(session: ClientSession(id: "two")))
            #expect(refused.contains("no scope is free: polls and running calls use all 1 of limits.scopes"))
            gate.open()
            #expect(await blocked == #"{"isSuccessful":true,"result":"done"}"#)
        }
    }

    @Test("Machines are added while calls hold theirs; as many as there are processors stay afterwards")
    func machines() async throws {
        let time = ManualTime()
        var settings = RuntimeSettings.patient
        settings.scopes.shared = .all
        try await withWaitingBackEnd { [settings] backEnd, gate in
            let project = try await TestProject(
                "function run() { return [1].map(function () { return WL.Server.invokeHttp({ method: 'get', path: '/wait' }).text })[0] }",
                connectivity: backEnd.connectivity, settings: settings, time: time)
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<5 {
                    group.addTask {
                        _ = await project.call(as: Caller(session: ClientSession(id: "\(number)")))
                    }
                }
                group.addTask {
                    try? await gate.arrivals(5)
                    #expect(project.runtime.scopes.machines == 5)
                    gate.open()
                }
            }
            let processors = ProcessInfo.processInfo.activeProcessorCount
            try await time.waitForSleepers(.seconds(2))
            time.advance(by: .seconds(2))
            try await waitUntil { project.runtime.scopes.machines <= min(5, processors) }
            #expect(project.runtime.scopes == ScopeStatus(machines: min(5, processors), owners: 0, scopes: 0))
        }
    }

    @Test(
        "Eight sessions whose calls come one after the other share a machine, then there is another, up to the number of processors"
    )
    func groups() async throws {
        let project = try await TestProject(files: Self.files(["A", "B"]))
        let processors = ProcessInfo.processInfo.activeProcessorCount
        for number in 1...20 {
            _ = await project.call(as: .session("\(number)"))
            let machines = min(processors, 1 + (number - 1) / 8)
            #expect(project.runtime.scopes == ScopeStatus(machines: machines, owners: number, scopes: number))
        }
        // Adapters that do not call each other have machines apart.
        _ = await project.runtime.invoke(adapter: "B", procedure: "run", parameters: "[]", caller: .session("1"))
        #expect(project.runtime.scopes.machines == min(processors, 3) + 1)
    }

    @Test("Adapters share machines once there may be no more")
    func machineCeiling() async throws {
        var settings = RuntimeSettings.patient
        settings.scopes.machines = 2
        let project = try await TestProject(files: Self.files(["A", "B", "C"]), settings: settings)
        for adapter in ["A", "B", "C"] {
            for number in 1...20 {
                _ = await project.runtime.invoke(
                    adapter: adapter, procedure: "run", parameters: "[]", caller: .session("\(number)"))
            }
        }
        #expect(project.runtime.scopes == ScopeStatus(machines: 2, owners: 60, scopes: 60))
    }

    @Test("A session's calls to adapters that do not call each other run at once")
    func otherGroup() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            var files = Self.files(["B"])
            files["adapters/A/A.xml"] = adapterXML("A", connectivity: backEnd.connectivity)
            files["adapters/A/A-impl.js"] =
                "var n; function run() { n = 1; return WL.Server.invokeHttp({ method: 'get', path: '/wait' }).text }"
            let project = try await TestProject(files: files)
            async let waiting = project.call(as: .session("one"))
            try await gate.arrivals(1)
            let other = await project.runtime.invoke(
                adapter: "B", procedure: "run", parameters: "[]", caller: .session("one"))
            #expect(other.json == #"{"isSuccessful":true,"count":1}"#)
            gate.open()
            #expect(await waiting == #"{"isSuccessful":true,"result":"done"}"#)
        }
    }

    @Test(
        "A thousand guests who keep 1 MB each hold no more than limits.scopeMemory and half as much; the last ones keep their variables"
    )
    func memory() async throws {
        var settings = RuntimeSettings.patient
        settings.scopes.machines = 1
        settings.scopes.memory = 64 << 20
        let project = try await TestProject(
            """
            var kept, count = 0;
            function run() {
                kept = kept || "x".repeat(1 << 20);
                count += 1;
                return { count: count };
            }
            """, settings: settings)
        var most = 0
        for number in 1...1000 {
            _ = await project.call(as: .session("\(number)"))
            most = max(most, project.runtime.scopes.owners)
        }
        #expect(most > 56)
        #expect(most <= 96)
        for number in 970...1000 {
            #expect(await project.call(as: .session("\(number)")) == #"{"isSuccessful":true,"count":2}"#)
        }
        #expect(
            project.log.messages(at: .info).contains {
                $0.contains("an idle session lost its variables: limits.scopeMemory (64 MB) is exceeded")
            })
    }

    @Test("A session that holds too much memory loses its variables; others on that machine keep theirs")
    func exhaustion() async throws {
        var settings = RuntimeSettings.patient
        settings.scopes.machines = 1
        settings.setForAll { $0.heap = 32 << 20 }
        let project = try await TestProject(
            """
            var kept = [], count = 0;
            function run(megabytes) {
                for (var i = 0; i < megabytes * 1024; i++) kept.push(new Array(128).fill(i));
                count += 1;
                return { count: count };
            }
            """, settings: settings)
        let modest = Caller(session: ClientSession(id: "modest"))
        let greedy = Caller(session: ClientSession(id: "greedy"))
        _ = await project.call("[0]", as: modest)
        #expect(await project.call("[500]", as: greedy).contains("(heap) of 32 MB"))
        #expect(await project.call("[0]", as: greedy) == #"{"isSuccessful":true,"count":1}"#)
        #expect(await project.call("[0]", as: modest) == #"{"isSuccessful":true,"count":2}"#)
    }

    @Test("A released runtime releases its machines")
    func release() async throws {
        weak var machine: VirtualMachine?
        do {
            let project = try await TestProject(Self.counter)
            _ = await project.call()
            machine = project.runtime.pool.anyMachine
            #expect(machine != nil)
        }
        // It goes on its own thread, once what it has to do is done.
        while machine != nil {
            try Task.checkCancellation()
            await machine?.run { _ in }
        }
    }
}
