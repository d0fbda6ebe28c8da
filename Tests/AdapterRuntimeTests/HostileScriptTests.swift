import AdapterRuntime
import Core
import JavaScriptEngine
import Logging
import TestSupport
import Testing
import WorklightProject

/// Unintended contents of scripts and files, each of which once ended the process.
@Suite("Hostile scripts and files")
struct HostileScriptTests {
    @Test(
        "rejects a timeout that is negative, infinite, too large or not a number",
        arguments: ["-1e300", "-1", "1e300", "0/0", "1/0"])
    func milliseconds(number: String) async throws {
        let project = try await TestProject(
            "function run() { return WL.Server.invokeHttp({ method: 'get', path: '/', socketTimeoutInMilliseconds: \(number) }) }",
            connectivity: httpConnectivity(port: 1))
        #expect(
            await project.call().contains("'socketTimeoutInMilliseconds' must be a number of milliseconds, 0 or more"))
    }

    @Test("A time limit of millennia is an error of the file")
    func timeLimit() throws {
        let folder = try TemporaryFolder([
            "adapters/A/A.xml": adapterXML("A").replacing(
                #"name="run""#, with: #"name="run" requestTimeoutInSeconds="99999999999""#),
            "adapters/A/A-impl.js": "",
        ])
        let problem = try #require(Project(reading: folder.url).problems.first)
        #expect(problem.message.contains("expected a positive number of seconds, a day at most"))
    }

    @Test("An array with one element at its very end is refused where its elements are wanted")
    func sparseArray() async throws {
        let script = """
            function run() { var a = []; a[4294967294] = 1; WL.Server.setEventHandlers(a) }
            """
        #expect(try await TestProject(script).call().contains("an array of 4294967295 elements is too long"))
    }

    @Test("A script that calls its own adapter while it is being loaded gets an error")
    func ownTopLevel() async throws {
        let project = try await TestProject(files: [
            "adapters/A/A.xml": adapterXML("A"),
            "adapters/A/A-impl.js": """
            var answer = WL.Server.invokeProcedure({ adapter: 'A', procedure: 'run' });
            function run() { return { errors: answer.errors } }
            """,
        ])
        #expect(project.problems.first?.message.contains("the script of A is still being loaded") == true)
    }

    @Test("An adapter that cannot be loaded lets go of the back end that it called while loading")
    func brokenAdapter() async throws {
        let project = try await TestProject(
            "WL.Server.invokeHttp({ method: 'get', path: '/' }); throw new Error('no');",
            connectivity: httpConnectivity(port: 1))
        #expect(project.runtime.adapterNames == [])
        #expect(project.problems.count == 1)
    }

    @Test("A script may call another adapter at its top level, whatever their names")
    func topLevelCall() async throws {
        let project = try await TestProject(files: [
            "adapters/A/A.xml": adapterXML("A"),
            "adapters/A/A-impl.js": """
            var conf = WL.Server.invokeProcedure({ adapter: 'Z', procedure: 'run' }).value;
            function run() { return { conf: conf } }
            """,
            "adapters/Z/Z.xml": adapterXML("Z"), "adapters/Z/Z-impl.js": "function run() { return { value: 5 } }",
        ])
        #expect(project.problems == [])
        #expect(await project.call() == #"{"isSuccessful":true,"conf":5}"#)
    }

    @Test("A procedure that is a getter without an end is stopped as a call is, and loading as well")
    func endlessGetter() async throws {
        var settings = RuntimeSettings.patient
        settings.setForAll { $0.cpuTime = .milliseconds(100) }
        let project = try await TestProject(
            "Object.defineProperty(this, 'run', { get: function () { for (;;) {} } })", settings: settings)
        #expect(project.problems.map(\.severity) == [.error])
        #expect(project.problems.first?.message.contains("CPU time limit") == true)
    }

    @Test("A header that frames the response cannot be added")
    func framing() async throws {
        let project = try await TestProject("function run() { WL.Server.addResponseHeader('Content-Length', '5') }")
        #expect(await project.call().contains("'Content-Length' is the server's own"))
    }

    @Test("Very long errors of scripts are shortened")
    func longMessage() async throws {
        let project = try await TestProject("function run() { throw new Error(new Array(1e6).join('x')) }")
        let answer = await project.call()
        #expect(answer.utf8.count < 20_000)
        #expect(answer.contains("… (1000006 bytes)"))
        #expect(project.log.messages(at: .error).allSatisfy { $0.utf8.count < 40_000 })
    }

    @Test("Many events have the time of one call together", .defaultTimeLimit)
    func manyEvents() async throws {
        var settings = RuntimeSettings.patient
        settings.calls.wallClock = .seconds(2)
        let project = try await TestProject(
            """
            WL.Server.setEventHandlers([{ filter: {}, handler: function () {
                var end = Date.now() + 50; while (Date.now() < end) {}
                WL.Logger.info('handled');
            } }]);
            """, procedures: [], settings: settings)
        // A slow process may use up the time before the first one is handled.
        repeat {
            try Task.checkCancellation()
            await project.runtime.handle(clientEvents: Array(repeating: [:], count: 100), caller: Caller())
        } while project.log.messages(at: .info).isEmpty
        // Alone, each would have two seconds: all hundred were handled.
        #expect(project.log.messages(at: .info).count <= 40)
        #expect(project.log.messages(at: .error).contains { $0.contains("the event handlers could not be run: ") })
    }

    @Test("A server that stops ends a script's deployment and starts no other", .defaultTimeLimit)
    func stoppingDeployment() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            var settings = RuntimeSettings.patient
            settings.loading = ExecutionLimits()
            let project = try await TestProject(
                "function run() {}", connectivity: backEnd.connectivity, settings: settings)
            let script = "WL.Server.invokeHttp({ method: 'get', path: '/wait' }); for (;;) {}"
            async let deployment = project.deploy(script: script)
            try await gate.arrivals(1)
            project.runtime.interruptReading(reason: "the server is stopping")
            gate.open()
            let outcomes = [try await deployment, try await project.deploy(script: "function run() { }")]
            for outcome in outcomes {
                guard case .refused(let problems) = outcome else {
                    Issue.record("\(outcome)")
                    continue
                }
                #expect(problems.contains { $0.contains("the server is stopping") })
            }
            #expect(await project.call() == #"{"isSuccessful":true}"#)
        }
    }

    @Test("A server that stops refuses waiting and new calls", .defaultTimeLimit)
    func stopping() async throws {
        var settings = RuntimeSettings.patient
        settings.calls = ExecutionLimits()
        settings.scopes.machines = 1
        let project = try await TestProject("function run() { for (;;) {} }", settings: settings)
        async let running = project.call()
        async let waiting = project.call()
        try await waitUntil { project.runtime.waitingCalls(ofAdapter: "A") >= 2 }
        project.runtime.interrupt(reason: "the server is stopping")
        let answers = await [running, waiting]
        #expect(answers.allSatisfy { $0.contains("the server is stopping") })
        #expect(await project.call().contains("the server is stopping; call again"))
    }
}
