import AdapterRuntime
import JavaScriptEngine
import LamplighterTesting
import Logging
import WorklightProject

/// The run of a test file: a virtual machine that has evaluated the file, and runs its tests one after the other.
struct FileRun {
    private let file: TestFile
    private let runner: AdapterTestRunner
    private let project: HarnessProject
    private let machine: VirtualMachine
    private let bridge: HarnessBridge
    private let plan: [PlannedTest]

    /// Starts a virtual machine and evaluates the file.
    ///
    /// - Throws: `EngineStartError`; the errors of the file; an error when the file has no tests.
    init(
        file: TestFile, source: String, project: HarnessProject, runner: AdapterTestRunner
    ) async throws {
        self.file = file
        self.project = project
        self.runner = runner
        bridge = HarnessBridge(file: file.path)
        machine = try VirtualMachine.start(name: "test")
        let limits = ExecutionLimits(wallClock: runner.timeLimit, cpuTime: runner.timeLimit, heap: 512 << 20)
        let folder = runner.project.folder
        plan = try await machine.run { [bridge] machine in
            let new = try TestScope(
                file: file, of: folder, in: try machine.contexts, bridge: bridge, limits: limits)
            machine.attachment = new
            return try new.plan(source)
        }
        guard !plan.isEmpty else { throw NoTestsError() }
        output = bridge.end()
    }

    /// The output of the file's evaluation.
    let output: [String]

    /// Runs the tests.
    func tests() async -> [TestOutcome] {
        let isRun = plan.map { $0.mode == .run && isMeant($0) }
        // Skipped tests are subtracted before any test runs, so that the suites find their last test.
        for index in plan.indices where !isRun[index] { await inScope { $0.leaveOut(index) } }
        var outcomes: [TestOutcome] = []
        for (index, test) in plan.enumerated() where isMeant(test) {
            guard isRun[index] else {
                outcomes.append(
                    TestOutcome(
                        names: test.names, status: test.mode == .todo ? .todo : .skipped, duration: .zero, failures: [],
                        output: [], log: []))
                continue
            }
            outcomes.append(await run(test, index))
        }
        return outcomes
    }

    private func isMeant(_ test: PlannedTest) -> Bool {
        (runner.filter?.fits(test.names) ?? true) && (runner.only?.contain(test.names, of: file) ?? true)
    }

    private func run(_ test: PlannedTest, _ index: Int) async -> TestOutcome {
        let clock = ContinuousClock()
        let start = clock.now
        var failures: [TestFailureError]
        var log: [String] = []
        do {
            let harness = try await makeHarness()
            bridge.begin(with: harness)
            failures = await inScope { $0.run(index, limit: test.limit) }
            failures += harness.unattributedRequests.map { TestFailureError(message: $0, place: nil, stack: []) }
            if !failures.isEmpty {
                log = harness.log.filter { $0.adapter != nil && $0.level >= .info }.map(\.description)
            }
        } catch {
            failures = [TestFailureError(error, in: file.path)] + (await inScope { $0.end(index) })
        }
        return TestOutcome(
            names: test.names, status: failures.isEmpty ? .passed : .failed, duration: clock.now - start,
            failures: failures, output: bridge.end(), log: log)
    }

    private func makeHarness() async throws -> AdapterHarness {
        var options = AdapterHarness.Options()
        options.adapter = file.adapter
        options.coverage = runner.coverage
        options.runtime = runner.runtime
        options.limitOrigin = .project
        // Another adapter may be broken; only its tests must fail for that.
        options.toleratesProblems = true
        let harness = try await AdapterHarness(project, options: options)
        guard harness.runtime.adapterNames.contains(file.adapter) else {
            let own = harness.problems.filter {
                $0.severity == .error && $0.file.hasPrefix("adapters/\(file.adapter)/")
            }
            throw HarnessLoadingError(problems: own.isEmpty ? harness.problems : own)
        }
        return harness
    }

    private func inScope<Result: Sendable>(_ body: @escaping @Sendable (TestScope) -> Result) async -> Result {
        await machine.run { machine in
            guard let scope = machine.attachment as? TestScope else {
                fatalError("the machine of a test file has lost its scope, which nobody dismisses")
            }
            return body(scope)
        }
    }
}

/// An error for a file without tests.
private struct NoTestsError: Error, CustomStringConvertible {
    let description = "there are no tests here; write some with it(…)"
}
