import AdapterRuntime
import Core
import Dispatch
import Foundation
import JavaScriptEngine
import LamplighterTesting
import Synchronization

/// The way from a test's script to its harness: the script's thread waits while the harness works.
final class HarnessBridge: Sendable {
    /// The function of the test's scope that answers for stubs.
    static let answering = "__lamplighterAnswer"

    private struct State {
        var harness: HarnessScript?
        var isOpen = false
        /// What the test's script waits for, if it does.
        var conversation: EngineHandOff?
        var output: [String] = []
        /// The errors of the test's functions that answer for back ends, with the text that calls get of each.
        var stubFailures: [(told: String, failure: TestFailureError)] = []
        /// What the adapter did when the test's time was over.
        var stopped: String?
        /// How many clients the tests before had, so that no two tests have the same numbers.
        var clients = 0
    }

    /// What enters adapters, which none can do that waits for a back end's answer.
    private static let entering: Set = [
        "call", "reply", "evaluate", "advance", "subscribe", "unsubscribe", "transmit", "end", "receiveSMS",
        "ussd",
    ]

    /// How long an adapter may take to stop when the test's time is over.
    private static let patience = Duration.seconds(3)

    private let state = Mutex(State())
    /// The test file.
    private let file: String

    /// - Parameter file: the test file's path.
    init(file: String) {
        self.file = file
    }

    /// Sets the harness of the next test.
    func begin(with harness: AdapterHarness) {
        let script = HarnessScript(harness, firstClient: state.withLock { $0.clients }) {
            [weak self] number, request throws in
            guard let self else { throw TestEndedError() }
            return try ask(number, request)
        }
        state.withLock { state in
            state.harness = script
            state.output = []
            state.stubFailures = []
            state.stopped = nil
        }
    }

    /// Takes the harness away.
    ///
    /// - Returns: what the test printed.
    func end() -> [String] {
        state.withLock { state in
            state.clients += state.harness?.clientCount ?? 0
            state.harness = nil
            defer { state.output = [] }
            return state.output
        }
    }

    /// From here on the test may use its harness.
    func open() {
        state.withLock { $0.isOpen = true }
    }

    /// From here on it may not: what runs is about several tests.
    func shut() {
        state.withLock { $0.isOpen = false }
    }

    /// The error of the adapter's call that ran when the test's time was over, with the JavaScript stack.
    var stopped: String? { state.withLock { $0.stopped } }

    /// Returns the failure to report: that of a stub's function, where `failure` is a consequence of one.
    func cause(of failure: TestFailureError) -> TestFailureError {
        state.withLock { $0.stubFailures.first { failure.message.contains($0.told) }?.failure } ?? failure
    }

    /// The time of the test's harness, in milliseconds since 1970; where there is none, that at which all begin.
    private var now: Double {
        let time = state.withLock { $0.harness }?.harness.clock.now ?? ManualTime.start
        return (time.timeIntervalSince1970 * 1000).rounded(.down)
    }

    /// The function by which `Date` asks.
    func makeClock(in context: ScriptContext) throws -> ScriptValue {
        try context.makeFunction("now") { [unowned self] call in call.context.make(now) }
    }

    /// The function by which harness.js asks.
    func makeHost(in context: ScriptContext, _ scripts: TestScripts) throws -> ScriptValue {
        try context.makeFunction("host") { [unowned self] call in
            try perform(call[0].text(), call[1].text(), in: call.context, scripts)
        }
    }

    private func perform(
        _ what: String, _ values: String, in context: ScriptContext, _ scripts: TestScripts
    ) throws -> ScriptValue {
        let values = try JSONValue(parsing: values)
        if what == "print" {
            state.withLock { $0.output.append(values["text"]?.string ?? "") }
            return context.undefined
        }
        let harness = try state.withLock { state in
            guard let harness = state.harness, state.isOpen else {
                throw HostError(
                    "harness.\(what): each test has a harness of its own; use it in tests, beforeEach and afterEach")
            }
            return harness
        }
        let conversation = EngineHandOff()
        // What a stub's function asks of the harness is not entered, so that no question comes to it: others may ask meanwhile, and
        // are answered once the function has ended.
        let isNested = state.withLock { state in
            if state.conversation == nil { state.conversation = conversation }
            return state.conversation !== conversation
        }
        defer { if !isNested { state.withLock { $0.conversation = nil } } }
        if isNested, Self.entering.contains(what) {
            throw HostError(
                "harness.\(what): the adapter waits for this back end's answer, so it cannot be called meanwhile; call it before or "
                    + "after")
        }
        // How it ended, also after the test's time was over.
        let end = Promise<Result<String?, any Error>>()
        let task = Task.detached {
            do {
                let text = try await harness.perform(what, values)?.text
                conversation.post(.end(.success(text)))
                end.fulfill(.success(text))
            } catch {
                conversation.post(.end(.failure(error)))
                end.fulfill(.failure(error))
            }
        }
        let limit = context.remainingTime ?? .seconds(3600)
        let result = conversation.wait(until: .now() + (limit / .seconds(1))) { question in
            question.answer(Result { try answer(question, in: context, scripts) })
        }
        switch result {
        case .success(let json?): return context.parse(json: json) ?? context.undefined
        case .success(nil): return context.undefined
        case .failure(let error): throw error.asThrown
        case nil:
            harness.harness.runtime.interrupt(reason: "the test's time is over")
            // The adapter stops at once, and tells where it was.
            if case .failure(let error)? = end.wait(until: ContinuousClock.now + Self.patience) {
                state.withLock { $0.stopped = error.plainText }
            }
            task.cancel()
            throw HostError("harness.\(what) had not ended when the test's time was over")
        }
    }

    /// Has the test's own function answer; on its thread.
    ///
    /// - Throws: ``StubError``.
    private func answer(_ question: PendingStubRequest, in context: ScriptContext, _ scripts: TestScripts) throws
        -> String
    {
        let request = context.parse(json: question.request) ?? context.null
        do {
            return try context.global.get(Self.answering).call([context.make(Double(question.number)), request]).text()
        } catch let error as ScriptError {
            let failure = TestFailureError(scripts.told(error), in: file)
            let threw = StubError(description: failure.message)
            state.withLock { $0.stubFailures.append((told: "failed: \(threw)", failure: failure)) }
            throw threw
        }
    }

    /// Asks the thread of the test, which waits in ``perform(_:_:in:)``. On the thread of the adapter.
    private func ask(_ number: Int, _ request: String) throws -> String {
        let question = PendingStubRequest(number: number, request: request)
        guard let conversation = state.withLock({ $0.conversation }), conversation.post(.question(question)) else {
            throw TestEndedError()
        }
        return try question.wait()
    }
}

extension Error {
    /// What it says, without a place: that of what a harness throws would be one of this module's lines.
    fileprivate var plainText: String { (self as? any HarnessError)?.message ?? "\(self)" }

    /// The error that the test's script gets: of the class of the error that the adapter threw, where it threw one.
    fileprivate var asThrown: any Error {
        let name: String? =
            switch self {
            case let failure as CallError: failure.errorName
            case let failure as EvaluationError: failure.errorName
            case let failure as PollRunError: failure.run.errorName
            default: nil
            }
        guard let name else { return HostError(plainText) }
        return ScriptError(name: name, message: plainText, location: nil, stack: nil)
    }
}

/// What a test's function that answers for a back end threw, without the stack: it is the adapter's failure that has one.
private struct StubError: Error, CustomStringConvertible {
    let description: String
}
