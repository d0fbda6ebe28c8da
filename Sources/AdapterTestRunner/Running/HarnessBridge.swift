import AdapterRuntime
import Core
import Dispatch
import Foundation
import JavaScriptEngine
import LamplighterTesting
import Synchronization

/// The connection between a test's script and its harness. The script's thread waits for each call of the harness.
final class HarnessBridge: Sendable {
    /// The name of the function in the test's scope that calls the functions of stubs.
    static let answering = "__lamplighterAnswer"

    private struct State {
        var harness: HarnessScript?
        var isOpen = false
        /// The wait of the test's script for a call of the harness; `nil` without a call.
        var conversation: EngineHandOff?
        var output: [String] = []
        /// The errors of the functions of stubs, each with the message that the adapter's call gets.
        var stubFailures: [(told: String, failure: TestFailureError)] = []
        /// The error of the adapter's call that ran at the test's time limit.
        var stopped: String?
        /// The number of clients of the earlier tests, so that the numbers of clients are unique in the file.
        var clients = 0
    }

    /// The calls that run scripts of adapters. A stub cannot make them, because the adapter waits for the stub's response.
    private static let entering: Set = [
        "call", "reply", "evaluate", "advance", "subscribe", "unsubscribe", "transmit", "end", "receiveSMS",
        "ussd",
    ]

    /// The timeout for an adapter to stop after the test's time limit.
    private static let patience = Duration.seconds(3)

    private let state = Mutex(State())
    /// The path of the test file.
    private let file: String

    /// Creates the bridge of a test file.
    ///
    /// - Parameter file: the path of the file.
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

    /// Removes the harness.
    ///
    /// - Returns: the output of the test.
    func end() -> [String] {
        state.withLock { state in
            state.clients += state.harness?.clientCount ?? 0
            state.harness = nil
            defer { state.output = [] }
            return state.output
        }
    }

    /// Allows the test to use its harness.
    func open() {
        state.withLock { $0.isOpen = true }
    }

    /// Forbids the use of the harness, for functions that run for several tests, such as `beforeAll`.
    func shut() {
        state.withLock { $0.isOpen = false }
    }

    /// The error of the adapter's call that ran at the test's time limit, with the JavaScript stack.
    var stopped: String? { state.withLock { $0.stopped } }

    /// Returns the failure to report: that of a stub's function if it caused `failure`, or else `failure`.
    func cause(of failure: TestFailureError) -> TestFailureError {
        state.withLock { $0.stubFailures.first { failure.message.contains($0.told) }?.failure } ?? failure
    }

    /// The time of the test's harness in milliseconds since 1970; without a harness, the time at which the clocks of all harnesses start.
    private var now: Double {
        let time = state.withLock { $0.harness }?.harness.clock.now ?? ManualTime.start
        return (time.timeIntervalSince1970 * 1000).rounded(.down)
    }

    /// Returns the function from which `Date` gets the time.
    func makeClock(in context: ScriptContext) throws -> ScriptValue {
        try context.makeFunction("now") { [unowned self] call in call.context.make(now) }
    }

    /// Returns the function that harness.js calls for all operations of the harness.
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
                    "harness.\(what): each test has its own harness; use it in tests, beforeEach and afterEach")
            }
            return harness
        }
        let conversation = EngineHandOff()
        // A call within a stub's function does not replace the outer call, so no requests for stubs are sent to it. Requests in the
        // meantime wait until the function has ended.
        let isNested = state.withLock { state in
            if state.conversation == nil { state.conversation = conversation }
            return state.conversation !== conversation
        }
        defer { if !isNested { state.withLock { $0.conversation = nil } } }
        if isNested, Self.entering.contains(what) {
            throw HostError(
                "harness.\(what): the adapter waits for this back end's response, so it cannot be called meanwhile; call it before or "
                    + "after")
        }
        // The result of the call, also after the test's time limit.
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
            // The adapter stops at once. Its error has the position.
            if case .failure(let error)? = end.wait(until: ContinuousClock.now + Self.patience) {
                state.withLock { $0.stopped = error.plainText }
            }
            task.cancel()
            throw HostError("harness.\(what) had not ended when the test's time was over")
        }
    }

    /// Calls the function of a stub and returns its response. Runs on the test's thread.
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

    /// Sends a request to the thread of the test, which waits in ``perform(_:_:in:)``, and returns the response. Runs on the thread of
    /// the adapter.
    ///
    /// - Throws: ``StubError``, ``TestEndedError``.
    private func ask(_ number: Int, _ request: String) throws -> String {
        let question = PendingStubRequest(number: number, request: request)
        guard let conversation = state.withLock({ $0.conversation }), conversation.post(.question(question)) else {
            throw TestEndedError()
        }
        return try question.wait()
    }
}

extension Error {
    /// The message without a position: the position in an error of the harness would be a line of this module.
    fileprivate var plainText: String { (self as? any HarnessError)?.message ?? "\(self)" }

    /// The error for the test's script. It has the class of the adapter's error if the adapter threw one.
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

/// An error of a stub's function, without a stack: the failure of the adapter has one.
private struct StubError: Error, CustomStringConvertible {
    let description: String
}
