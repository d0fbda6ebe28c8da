import Core
import Foundation
import JavaScriptEngine
import Logging
import PushModel
import TestSupport
import Testing

@testable import AdapterRuntime

/// Calls that wait for a back end and hold no machine meanwhile. All of them are in one machine.
@Suite("Calls that wait for a back end", .defaultTimeLimit)
struct StepTests {
    private static let ann = Caller.session("ann")
    private static let bob = Caller.session("bob")

    private static var settings: RuntimeSettings {
        var settings = RuntimeSettings.patient
        settings.scopes.runsTwins = true
        settings.scopes.machines = 1
        return settings
    }

    private static let script = """
        var mine = null;
        function set(u, path) { mine = u; if (path) WL.Server.invokeHttp({ method: 'get', path: path }); return { mine: mine } }
        function get() { return { mine: mine } }
        """

    private static func project(
        _ backEnd: LoopbackServer, script: String = script, procedures: [String] = ["set", "get"],
        _ settings: RuntimeSettings = settings
    ) async throws -> TestProject {
        try await TestProject(
            script, procedures: procedures, connectivity: backEnd.connectivity, settings: settings)
    }

    @Test("Calls of others run meanwhile in the same machine, with their own variables")
    func others() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let project = try await Self.project(backEnd)
            async let ann = project.call(#"["ann","/wait"]"#, procedure: "set", as: Self.ann)
            try await gate.arrivals(1)
            #expect(await project.call(procedure: "get", as: Self.bob) == #"{"isSuccessful":true,"mine":null}"#)
            #expect(
                await project.call(#"["bob"]"#, procedure: "set", as: Self.bob)
                    == #"{"isSuccessful":true,"mine":"bob"}"#)
            #expect(project.runtime.scopes.machines == 1)
            gate.open()
            #expect(await ann == #"{"isSuccessful":true,"mine":"ann"}"#)
            #expect(await project.call(procedure: "get", as: Self.bob) == #"{"isSuccessful":true,"mine":"bob"}"#)
        }
    }

    @Test("Calls of one session run one after the other, waits included")
    func queue() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let script = """
                var n = 0;
                function set() { var before = n; WL.Server.invokeHttp({ method: 'get', path: '/wait' }); n = before + 1; return { n: n } }
                """
            let project = try await Self.project(backEnd, script: script, procedures: ["set"])
            let calls = Task {
                await withTaskGroup(of: String.self) { group in
                    for _ in 0..<5 { group.addTask { await project.call(procedure: "set", as: Self.ann) } }
                    return await group.reduce(into: Set<String>()) { $0.insert($1) }
                }
            }
            try await gate.arrivals(1)
            gate.open()
            #expect(await calls.value == Set((1...5).map { #"{"isSuccessful":true,"n":\#($0)}"# }))
        }
    }

    @Test("A session that ends while its call waits has new variables at once, and the call leaves it none")
    func ended() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let project = try await Self.project(backEnd)
            async let first = project.call(#"["SECRET","/wait"]"#, procedure: "set", as: Self.ann)
            try await gate.arrivals(1)
            await project.runtime.endSession(id: "ann")
            #expect(await project.call(procedure: "get", as: Self.ann) == #"{"isSuccessful":true,"mine":null}"#)
            gate.open()
            #expect(await first == #"{"isSuccessful":true,"mine":"SECRET"}"#)
            #expect(await project.call(procedure: "get", as: Self.ann) == #"{"isSuccessful":true,"mine":null}"#)
            #expect(project.runtime.scopes.scopes == 1)
        }
    }

    @Test(
        "A call stays with its version to its end, also where it comes back to an adapter that was deployed meanwhile")
    func deployed() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let script = { (version: Int) in
                """
                var n = 0;
                function set(path) {
                    n++;
                    WL.Server.invokeHttp({ method: 'get', path: path });
                    return WL.Server.invokeProcedure({ adapter: 'A', procedure: 'get' });
                }
                function get() { return { n: n, version: \(version) } }
                """
            }
            let project = try await Self.project(backEnd, script: script(1))
            async let call = project.call(#"["/wait"]"#, procedure: "set", as: Self.ann)
            try await gate.arrivals(1)
            _ = try await project.deploy(script: script(2))
            #expect(await project.call(procedure: "get", as: Self.bob) == #"{"isSuccessful":true,"n":0,"version":2}"#)
            gate.open()
            #expect(await call.contains(#""n":1,"version":1"#))
            #expect(await project.call(procedure: "get", as: Self.ann) == #"{"isSuccessful":true,"n":0,"version":2}"#)
        }
    }

    @Test(
        "A call that has waited in its session's queue for its whole time ends with an error that names the call ahead")
    func queueTime() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            var settings = Self.settings
            settings.calls.wallClock = .seconds(300)
            let time = ManualTime()
            let project = try await TestProject(
                Self.script, procedures: ["set", "get"], connectivity: backEnd.connectivity, settings: settings,
                time: time)
            async let first = project.call(#"["ann","/wait"]"#, procedure: "set", as: Self.ann)
            try await gate.arrivals(1)
            async let late = project.call(procedure: "get", as: Self.ann)
            try await waitUntil { project.runtime.waitingCalls(ofAdapter: "A") == 2 }
            // Into the queue, which it reaches after it was counted.
            await project.runtime.pool.queued(1)
            time.advance(by: .seconds(300))
            async let timely = project.call(procedure: "get", as: Self.ann)
            await project.runtime.pool.queued(2)
            gate.open()
            #expect(await first == #"{"isSuccessful":true,"mine":"ann"}"#)
            #expect(
                await late.contains(
                    "A/get was not begun: it has waited for A/set of the same session longer than the time limit (wallClock) of 300 s"
                ))
            #expect(await timely == #"{"isSuccessful":true,"mine":"ann"}"#)
        }
    }

    /// Functions without twins.
    private static let holding = """
        function hold() { return ['/wait'].map(function (path) { return WL.Server.invokeHttp({ method: 'get', path: path }) })[0] }
        function get() { return { done: true } }
        """

    @Test(
        "A call that has waited for its virtual machine for its whole time ends with an error that names the call ahead"
    )
    func machineTime() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            var settings = Self.settings
            settings.calls.wallClock = .seconds(300)
            let time = ManualTime()
            let project = try await TestProject(
                Self.holding, procedures: ["hold", "get"], connectivity: backEnd.connectivity, settings: settings,
                time: time)
            async let first = project.call(procedure: "hold", as: Self.ann)
            try await gate.arrivals(1)
            async let late = project.call(procedure: "get", as: Self.bob)
            await project.runtime.pool.queued(1)
            #expect(project.runtime.activeCalls["A"]?.summary == "1 waiting, 1 queued")
            time.advance(by: .seconds(300))
            gate.open()
            #expect(await first.contains(#""isSuccessful":true"#))
            #expect(
                await late.contains(
                    "A/get was not begun: it has waited for A/hold in the same virtual machine longer than the time limit (wallClock) of 300 s"
                ))
            #expect(await project.call(procedure: "get", as: Self.bob) == #"{"isSuccessful":true,"done":true}"#)
        }
    }

    @Test("Memory that a call keeps over its waits counts as the call's", arguments: [true, false])
    func heap(keeps: Bool) async throws {
        let backEnd = try LoopbackServer { _ in .ok("done") }
        var settings = Self.settings
        settings.calls.heap = 32 << 20
        let script = """
            function set() {
                for (var i = 0, all = []; i < 400; i++) {
                    var part = new Uint8Array(1 << 20).fill(1);
                    if (\(keeps)) all.push(part);
                    WL.Server.invokeHttp({ method: 'get', path: '/a' });
                }
                return { i: i };
            }
            """
        let project = try await Self.project(backEnd, script: script, procedures: ["set"], settings)
        let result = await project.call(procedure: "set", as: Self.ann)
        #expect(result.contains(keeps ? "its memory grew over the heap limit (heap) of 32 MB" : #""i":400"#))
    }

    @Test(
        "A function that a script replaces runs in place of the former one's twin",
        arguments: [
            "this['get' + ''] = function () { return { replaced: true } }",
            "var all = this, more = { get: function () { return { replaced: true } } }; for (var k in more) all[k] = more[k];",
        ])
    func replaced(change: String) async throws {
        let backEnd = try LoopbackServer { _ in .ok("done") }
        let script = """
            function get() { WL.Server.invokeHttp({ method: 'get', path: '/a' }); return { replaced: false } }
            function set() { return get() }
            \(change)
            """
        let project = try await Self.project(backEnd, script: script)
        for procedure in ["get", "set"] {
            #expect(await project.call(procedure: procedure, as: Self.ann) == #"{"isSuccessful":true,"replaced":true}"#)
        }
    }

    @Test("A tenth of limits.waitingCalls may wait for a session's running call; others are refused")
    func queueLimit() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            var settings = Self.settings
            settings.waitingCalls = 20
            let project = try await Self.project(backEnd, settings)
            async let first = project.call(#"["ann","/wait"]"#, procedure: "set", as: Self.ann)
            try await gate.arrivals(1)
            async let second = project.call(procedure: "get", as: Self.ann)
            async let third = project.call(procedure: "get", as: Self.ann)
            await project.runtime.pool.queued(2)
            #expect(
                await project.call(procedure: "get", as: Self.ann).contains(
                    "A/get is not called: 2 calls of the same session wait already, behind A/set"))
            #expect(await project.call(procedure: "get", as: Self.bob) == #"{"isSuccessful":true,"mine":null}"#)
            gate.open()
            for answer in await [first, second, third] { #expect(answer == #"{"isSuccessful":true,"mine":"ann"}"#) }
        }
    }

    @Test("The calls that compute, wait for a back end, and wait for their session are counted by adapter")
    func counted() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let time = ManualTime()
            let project = try await TestProject(
                Self.script, procedures: ["set", "get"], connectivity: backEnd.connectivity, settings: Self.settings,
                time: time)
            #expect(project.runtime.activeCalls == [:])
            let begin = time.now
            async let first = project.call(#"["ann","/wait"]"#, procedure: "set", as: Self.ann)
            try await gate.arrivals(1)
            time.advance(by: .seconds(5))
            async let second = project.call(procedure: "get", as: Self.ann)
            await project.runtime.pool.queued(1)
            let calls = try #require(project.runtime.activeCalls["A"])
            #expect(calls.summary == "1 waiting, 1 queued")
            #expect(calls[.waiting].since == begin && calls[.queued].since == begin.addingTimeInterval(5))
            gate.open()
            _ = await (first, second)
            // Results are delivered a moment before.
            try await waitUntil { project.runtime.activeCalls == [:] }
        }
    }

    @Test("A shared scope is used by one call at a time")
    func shared() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            var settings = Self.settings
            settings.scopes.shared = .all
            settings.scopes.machines = 8
            let project = try await Self.project(backEnd, settings)
            async let ann = project.call(#"["ann","/wait"]"#, procedure: "set", as: Self.ann)
            try await gate.arrivals(1)
            #expect(
                await project.call(#"["bob"]"#, procedure: "set", as: Self.bob)
                    == #"{"isSuccessful":true,"mine":"bob"}"#)
            gate.open()
            #expect(await ann == #"{"isSuccessful":true,"mine":"ann"}"#)
        }
    }

    @Test("A call that is cancelled while it waits ends")
    func cancelled() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let project = try await Self.project(backEnd)
            let call = Task {
                await Self.ann.withTaskCancellation {
                    await project.call(#"["ann","/wait"]"#, procedure: "set", as: $0)
                }
            }
            try await gate.arrivals(1)
            call.cancel()
            #expect(await call.value.contains("the call was cancelled"))
            #expect(await project.call(procedure: "get", as: Self.ann) == #"{"isSuccessful":true,"mine":"ann"}"#)
            gate.open()
        }
    }

    @Test("A call whose time is up while it waits ends with the position of the wait")
    func wallClock() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            var settings = Self.settings
            settings.calls.wallClock = .milliseconds(200)
            let project = try await Self.project(backEnd, settings)
            let result = await project.call(#"["ann","/wait"]"#, procedure: "set", as: Self.ann)
            #expect(result.contains("A/set was stopped: it took longer than"))
            #expect(project.log.messages(at: .error).contains { $0.contains("A-impl.js:2:") })
            gate.open()
        }
    }

    @Test("A server that stops ends the calls that wait")
    func stopped() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let project = try await Self.project(backEnd)
            async let call = project.call(#"["ann","/wait"]"#, procedure: "set", as: Self.ann)
            try await gate.arrivals(1)
            project.runtime.interrupt(reason: "the server stops")
            #expect(await call.contains("the server stops"))
            gate.open()
        }
    }

    @Test("CPU time is the sum of a call's steps", arguments: [true, false])
    func cpuTime(isExceeded: Bool) async throws {
        let backEnd = try LoopbackServer { _ in .ok("done") }
        var settings = Self.settings
        settings.calls.cpuTime = .milliseconds(isExceeded ? 300 : 60_000)
        let script = """
            function set() {
                for (var i = 0; i < 1000; i++) {
                    WL.Server.invokeHttp({ method: 'get', path: '/a' });
                    for (var end = Date.now() + 1; Date.now() < end;) {}
                }
                return { i: i };
            }
            """
        let project = try await Self.project(backEnd, script: script, procedures: ["set"], settings)
        let result = await project.call(procedure: "set", as: Self.ann)
        #expect(result.contains(isExceeded ? "used more than the CPU time limit" : #""i":1000"#))
    }
}

extension VirtualMachinePool {
    /// Returns when that many calls wait in the queues of owners.
    fileprivate func queued(_ count: Int) async {
        while activeCalls.values.reduce(0, { $0 + $1[.queued].count }) < count { await Task.yield() }
    }
}
