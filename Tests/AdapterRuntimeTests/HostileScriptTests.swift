import AdapterRuntime
import JavaScriptEngine
import TestSupport
import Testing
import WorklightProject

/// What scripts and files may hold that nobody meant, each of which once ended the process.
@Suite("Hostile scripts and files")
struct HostileScriptTests {
    private static let http = """
        <connectivity><connectionPolicy xsi:type="http:HTTPConnectionPolicyType"><domain>127.0.0.1</domain><port>1</port>
        </connectionPolicy></connectivity>
        """

    @Test("Numbers beyond all measure are errors", arguments: ["-1e300", "-1", "1e300", "0/0", "1/0"])
    func milliseconds(number: String) async throws {
        let project = try await TestProject(
            "function run() { return WL.Server.invokeHttp({ method: 'get', path: '/', socketTimeoutInMilliseconds: \(number) }) }",
            connectivity: Self.http)
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

    @Test("A script that calls its own adapter while it is being loaded is told so")
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
            "WL.Server.invokeHttp({ method: 'get', path: '/' }); throw new Error('no');", connectivity: Self.http)
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
        var settings = RuntimeSettings()
        settings.setForAll { $0.cpuTime = .milliseconds(100) }
        let project = try await TestProject(
            "Object.defineProperty(this, 'run', { get: function () { for (;;) {} } })", settings: settings)
        #expect(project.problems.map(\.severity) == [.error])
        #expect(project.problems.first?.message.contains("CPU time limit") == true)
    }

    @Test("A header that frames the answer cannot be added")
    func framing() async throws {
        let project = try await TestProject("function run() { WL.Server.addResponseHeader('Content-Length', '5') }")
        #expect(await project.call().contains("'Content-Length' is the server's own"))
    }
}
