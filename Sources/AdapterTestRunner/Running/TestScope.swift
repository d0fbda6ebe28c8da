import AdapterRuntime
import Core
import Foundation
import JavaScriptEngine

/// A test that a file has declared.
struct PlannedTest: Sendable {
    enum Mode: String, Sendable {
        case run, skip, todo
    }

    let names: [String]
    let mode: Mode
    /// The time limit of this test; `nil` for that of the run.
    let limit: Duration?
}

/// The global scope of a test file, with `describe`, `it`, `expect` and `harness`, and the tests that the file has declared.
///
/// It must be used on the thread of its virtual machine only.
final class TestScope {
    private let file: TestFile
    private let context: ScriptContext
    private let bridge: HarnessBridge
    private let limits: ExecutionLimits
    private let scripts: TestScripts
    private let suites: ScriptValue
    private let expectations: ScriptValue

    /// Creates the scope, with the test library.
    ///
    /// - Parameter project: the project's folder.
    init(
        file: TestFile, of project: URL, in contexts: ContextTable, bridge: HarnessBridge, limits: ExecutionLimits
    ) throws {
        self.file = file
        self.bridge = bridge
        self.limits = limits
        context = try contexts.make(name: file.path)
        scripts = try TestScripts(in: context)
        try ScriptClock.install(bridge.makeClock(in: context), in: context)
        let library = try TestLibrary(in: context, host: bridge.makeHost(in: context, scripts))
        suites = library.suites
        expectations = library.expectations
        try TestModules(project: project, file: file.path, scripts: scripts).install(in: context)
        try context.global.set(HarnessBridge.answering, library.answer, [.hidden, .permanent, .readOnly])
    }

    /// Evaluates the file.
    ///
    /// - Returns: the tests that it declares.
    /// - Throws: the errors of the file, with the positions in its source.
    func plan(_ source: String) throws -> [PlannedTest] {
        let marked = scripts.marked(source, file: file.path)
        let plan: String
        do {
            plan = try context.call(label("(loading)"), limits: limits) {
                try evaluate(marked, writtenAs: source)
                return try suites.get("plan").call().json() ?? "[]"
            }
        } catch {
            throw scripts.told(error)
        }
        return (try JSONValue(parsing: plan).array ?? []).map { test in
            PlannedTest(
                names: test["names"]?.array?.compactMap(\.string) ?? [],
                mode: test["mode"]?.string.flatMap(PlannedTest.Mode.init) ?? .run,
                limit: test["milliseconds"]?.number.map { .milliseconds($0) })
        }
    }

    /// Evaluates the instrumented source of the file.
    ///
    /// - Throws: the errors of the file; ``TestSyntaxError``, with line and column, for a syntax error.
    private func evaluate(_ marked: String, writtenAs source: String) throws {
        do {
            try context.evaluate(marked, file: file.path)
        } catch let error as ScriptError where error.name == "SyntaxError" {
            do {
                try context.check(source, file: file.path)
            } catch {
                throw TestSyntaxError(error, in: source)
            }
            throw error
        }
    }

    /// Notifies the suites of a test that it does not run.
    func leaveOut(_ index: Int) {
        _ = try? call("leaveOut", index)
    }

    /// Ends a test that could not be run. Suites whose last test it is run their `afterAll`.
    ///
    /// - Returns: the failures of these hooks.
    func end(_ index: Int) -> [TestFailureError] {
        attemptAll("suiteEndings", index, limits)
    }

    /// Runs a test with its hooks.
    ///
    /// - Returns: the failures; none if the test passed.
    func run(_ index: Int, limit: Duration?) -> [TestFailureError] {
        var limits = limits
        if let limit { (limits.wallClock, limits.cpuTime) = (limit, limit) }
        var failures = attempt(limits) {
            try runAll("suiteBeginnings", index)
        }
        if !failures.isEmpty { _ = try? call("fail", index) }
        if failures.isEmpty, (try? call("hasFailed", index).bool) == true {
            failures = [TestFailureError(message: "beforeAll has failed", place: nil, stack: [])]
        }
        if failures.isEmpty {
            failures += attempt(limits) {
                bridge.open()
                _ = try expectations.get("begin").call()
                try runAll("beginnings", index)
                _ = try call("body", index).call()
            }
            failures += attemptAll("endings", index, limits)
            if failures.isEmpty { failures += attempt(limits) { _ = try expectations.get("end").call() } }
            bridge.shut()
        }
        return (failures + attemptAll("suiteEndings", index, limits)).map { failure in
            placed(bridge.cause(of: failure), index)
        }
    }

    /// Returns the failure; one without a position gets the position of the test's declaration.
    private func placed(_ failure: TestFailureError, _ index: Int) -> TestFailureError {
        guard failure.place == nil, let mark = try? call("mark", index).markedStack else { return failure }
        let place = mark.split(separator: "\n").lazy.compactMap { ScriptLocation(stackFrame: $0) }
            .first { $0.file == file.path }.map(scripts.original)
        return TestFailureError(message: failure.message, place: place, stack: failure.stack)
    }

    /// Runs all hooks, also after one that failed, because they clean up. Returns their failures.
    private func attemptAll(_ hooks: String, _ index: Int, _ limits: ExecutionLimits) -> [TestFailureError] {
        ((try? call(hooks, index).elements()) ?? []).flatMap { hook in attempt(limits) { _ = try hook.call() } }
    }

    private func runAll(_ hooks: String, _ index: Int) throws {
        for hook in try call(hooks, index).elements() { _ = try hook.call() }
    }

    private func call(_ function: String, _ index: Int) throws -> ScriptValue {
        try suites.get(function).call([context.make(Double(index))])
    }

    private func attempt(_ limits: ExecutionLimits, _ body: () throws -> Void) -> [TestFailureError] {
        scripts.begin()
        do {
            try context.call(label("the test"), limits: limits, body)
            return []
        } catch {
            let told = scripts.told(error)
            guard let exceeded = told as? LimitExceededError else { return [TestFailureError(told, in: file.path)] }
            return [TestFailureError(exceeded, in: file.path, meanwhile: bridge.stopped)]
        }
    }

    private func label(_ procedure: String) -> CallLabel {
        CallLabel(adapter: file.path, procedure: procedure)
    }
}
