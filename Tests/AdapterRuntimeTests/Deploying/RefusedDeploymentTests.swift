import JavaScriptEngine
import TestSupport
import Testing
import WorklightProject

@testable import AdapterRuntime

@Suite("A version that cannot be deployed", .defaultTimeLimit)
struct RefusedDeploymentTests {
    private static let good = "var calls = 0; function run() { calls += 1; return { calls: calls } }"

    @Test(
        "A version is refused with the location, and the version before keeps its variables",
        arguments: [
            ("var x = 1;\nfunction run() { return 1 +; }", "adapters/A/A-impl.js:2:28: error: SyntaxError"),
            ("\n\nnull.x;", "adapters/A/A-impl.js:3:5: error: thrown while loading: TypeError"),
            ("for (;;) {}", "adapters/A/A-impl.js: error: A/(loading) was stopped"),
        ])
    func broken(script: String, problem: String) async throws {
        var settings = RuntimeSettings.patient
        settings.loading.cpuTime = .seconds(1)
        let project = try await TestProject(Self.good, settings: settings)
        _ = await project.call(as: .session("one"))
        let outcome = try await project.deploy(script: script)
        guard case .refused(let problems) = outcome else { throw NotRefusedError(outcome: outcome) }
        #expect(problems.first?.hasPrefix(problem) == true, "\(problems)")
        await project.runtime.discardReplaced()
        #expect(await project.call(as: .session("one")) == #"{"isSuccessful":true,"calls":2}"#)
        #expect(project.runtime.scopes == ScopeStatus(machines: 1, owners: 1, scopes: 1))
        #expect(project.runtime.problems == [])
    }

    private struct NotRefusedError: Error {
        let outcome: Deployed
    }

    @Test(
        "A version with a broken descriptor, or without a descriptor or a script, is refused, too",
        arguments: [
            ("adapters/A/A.xml", "<adapter", "adapters/A/A.xml:1"),
            ("adapters/A/A.xml", adapterXML("B"), "adapters/A/A.xml:2: error: name=\"B\" differs"),
            ("adapters/A/A.xml", nil, "adapters/A: error: there is no adapter here; expected adapters/A/A.xml"),
            ("adapters/A/A-impl.js", nil, "adapters/A/A.xml: error: its implementation"),
        ])
    func brokenFiles(path: String, text: String?, problem: String) async throws {
        let project = try await TestProject(Self.good)
        if let text { try project.folder.write(text, to: path) } else { try project.folder.remove(path) }
        guard case .refused(let problems) = await project.deploy() else {
            Issue.record("it was deployed")
            return
        }
        #expect(problems.contains { $0.hasPrefix(problem) }, "\(problems)")
        #expect(problems.contains { $0.contains(": error: ") })
        #expect(await project.call() == #"{"isSuccessful":true,"calls":1}"#)
    }

    @Test("A name that is none of an adapter's reaches no file", arguments: ["../A", "", "A/../A", ".", "A B", "Ä"])
    func names(name: String) async throws {
        let project = try await TestProject(Self.good)
        guard case .refused(let problems) = await project.deploy(name) else {
            Issue.record("it was deployed")
            return
        }
        #expect(problems.first?.contains("is not an adapter name") == true)
    }

    @Test("A version whose security test the running configuration lacks is refused")
    func unknownTest() async throws {
        let project = try await TestProject(Self.good)
        try project.folder.write(
            adapterXML("A").replacing(#"name="run"/>"#, with: #"name="run" securityTest="T"/>"#), to: "adapters/A/A.xml"
        )
        guard case .refused(let problems) = await project.deploy() else {
            Issue.record("it was deployed")
            return
        }
        #expect(problems.first?.hasPrefix("adapters/A/A.xml:4: error: the security test 'T' is not defined") == true)
    }

    @Test("An adapter that was broken at the start works once it is fixed, and its problems are gone")
    func mended() async throws {
        let project = try await TestProject("null.x")
        #expect(project.runtime.problems.count == 1)
        #expect(project.runtime.adapterNames == [])
        #expect(try await project.deploy(script: Self.good) == .deployed)
        #expect(project.runtime.problems == [])
        #expect(await project.call() == #"{"isSuccessful":true,"calls":1}"#)
    }

    @Test("A new version's warnings do not stop its deployment and are listed afterwards")
    func warnings() async throws {
        let project = try await TestProject("var y;")
        #expect(try await project.deploy(script: "var x = 1;") == .deployed)
        #expect(project.runtime.problems.map(\.severity) == [.warning])
        #expect(project.runtime.problems.first?.message.contains("has no function of that name") == true)
    }

    @Test(
        "One that lacks a function which is named and was there is refused",
        arguments: [
            (
                "var x = 1;",
                "adapters/A/A.xml:4: error: procedure 'run' is declared, but adapters/A/A-impl.js has no function of that "
                    + "name, and the version that runs has it; write it, or take the procedure out of adapters/A/A.xml"
            ),
            (
                "WL.Server.createEventSource({ name: 'S', poll: { interval: 60, onPoll: 'lok' } }); function run() {}",
                "adapters/A/A-impl.js:1: error: event source 'S': onPoll names 'lok', but there is no such function, and the "
                    + "version that runs has it; write it, or take onPoll out"
            ),
            (
                "WL.Server.createEventSource({ name: 'S', onUserChange: 'chang' }); function run() {}",
                "adapters/A/A-impl.js:1: error: event source 'S': onUserChange names 'chang', but there is no such function, "
                    + "and the version that runs has it; write it, or take onUserChange out"
            ),
            (" \n", "adapters/A/A-impl.js: error: the file is empty, and the script of the version that runs is not"),
        ])
    func worse(script: String, problem: String) async throws {
        let project = try await TestProject(
            """
            WL.Server.createEventSource({ name: 'S', onUserChange: 'change', poll: { interval: 60, onPoll: 'look' } });
            function change() {} function look() {} function run() { return { version: 1 } }
            """)
        guard case .refused(let problems) = try await project.deploy(script: script) else {
            Issue.record("it was deployed")
            return
        }
        #expect(problems.count == 1 && problems[0].hasPrefix(problem), "\(problems)")
        #expect(await project.call() == #"{"isSuccessful":true,"version":1}"#)
    }

    @Test("One that lacks a function which realms name and was there is refused")
    func realmFunction() async throws {
        let configuration = """
            <loginConfiguration xmlns="http://www.worklight.com/auth/config"><realms>
            <realm name="R" loginModule="M"><className>com.worklight.integration.auth.AdapterAuthenticator</className>
            <parameter name="login-function" value="A.login"/></realm></realms>
            <loginModules><loginModule name="M"><className>com.worklight.core.auth.ext.NonValidatingLoginModule</className>
            </loginModule></loginModules></loginConfiguration>
            """
        let project = try await TestProject(files: [
            "adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": "function run() {} function login() {}",
            "server/conf/authenticationConfig.xml": configuration,
        ])
        #expect(project.runtime.problems == [])
        guard case .refused(let problems) = try await project.deploy(script: "function run() {}") else {
            Issue.record("it was deployed")
            return
        }
        #expect(
            problems.first?.contains("authenticationConfig.xml:2 names A.login, but there is no such function") == true,
            "\(problems)")
    }

    @Test("One that no longer declares what it no longer has is deployed, and so is what never worked")
    func fewer() async throws {
        let project = try await TestProject(
            """
            WL.Server.createEventSource({ name: 'S', onUserChange: 'no', poll: { interval: 60, onPoll: 'look' } });
            function look() {} function run() {}
            """)
        let fewer = "WL.Server.createEventSource({ name: 'S', onUserChange: 'no' }); function run() {}"
        #expect(try await project.deploy(script: fewer) == .deployed)
        try project.folder.write(adapterXML("A", procedures: ["other"]), to: "adapters/A/A.xml")
        #expect(try await project.deploy(script: "function other() {}") == .deployed)
    }

    @Test("A version with an endless top level can be dropped")
    func dropped() async throws {
        var settings = RuntimeSettings.patient
        settings.loading = ExecutionLimits()
        let project = try await TestProject(Self.good, settings: settings)
        try project.folder.write("for (;;) {}", to: "adapters/A/A-impl.js")
        async let outcome = project.deploy()
        let dropping = Task { [runtime = project.runtime] in
            while !Task.isCancelled {
                runtime.dropPreparation(of: "A", reason: "a newer one is there")
                await Task.yield()
            }
        }
        guard case .refused(let problems) = await outcome else {
            Issue.record("it was deployed")
            return
        }
        dropping.cancel()
        #expect(problems.first?.contains("a newer one is there") == true, "\(problems)")
        #expect(await project.call() == #"{"isSuccessful":true,"calls":1}"#)
    }
}
