import AdapterRuntime
import AdapterTestRunner
import JavaScriptEngine
import TestSupport
import Testing
import WorklightProject

/// Runs a test file of an adapter `A`.
///
/// - Parameter files: further files of the project, also in place of those of the adapter.
func run(
    _ tests: String, adapter script: String = "function run(x) { return { got: x }; }", files: [String: String] = [:],
    configure: (inout AdapterTestRunner) throws -> Void = { _ in }
) async throws -> FileOutcome {
    let own = [
        "adapters/A/A.xml": adapterXML(
            "A", procedures: ["run"],
            connectivity: """
                <connectivity><connectionPolicy xsi:type="http:HTTPConnectionPolicyType">
                    <protocol>http</protocol><domain>back-end.test</domain><port>80</port>
                </connectionPolicy></connectivity>
                """),
        "adapters/A/A-impl.js": script, "adapters/A/A.test.js": tests,
    ]
    let folder = try TemporaryFolder(own.merging(files) { $1 })
    var runner = AdapterTestRunner.patient(Project(reading: folder.url))
    try configure(&runner)
    return try #require(await runner.run(TestFile.all(in: folder.url)).files.first)
}

extension AdapterTestRunner {
    /// Returns a runner without time limits for the tests and for the adapters' calls.
    static func patient(_ project: Project) -> Self {
        var runner = Self(project: project)
        runner.timeLimit = .noLimit
        runner.runtime.setForAll { $0.wallClock = .noLimit }
        return runner
    }
}

extension FileOutcome {
    /// Each test as `names: status`.
    var summary: [String] { tests.map { "\($0.names.joined(separator: " > ")): \($0.status)" } }

    /// The messages of the failed tests and of the file's failure.
    var messages: [String] { tests.flatMap(\.failures).map(\.message) + [failure?.message].compactMap(\.self) }
}
