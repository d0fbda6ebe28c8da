import AdapterRuntime
import Dispatch
import Foundation
import JavaScriptEngine
import LamplighterTesting
import PushModel
import Synchronization

/// The way from a test's script to its harness: the script's thread waits while the harness works.
final class HarnessBridge: Sendable {
    /// The function of the test's scope that answers for stubs.
    static let answering = "__lamplighterAnswer"

    private struct State {
        var harness: HarnessScript?
        var isOpen = false
        /// What the test's script waits for, if it does.
        var conversation: Conversation?
        var output: [String] = []
        /// How many clients the tests before had, so that no two tests have the same numbers.
        var clients = 0
    }

    /// What enters adapters, which none can do that waits for a back end's answer.
    private static let entering: Set = [
        "call", "reply", "evaluate", "advance", "subscribe", "unsubscribe", "transmit", "end",
    ]

    private let state = Mutex(State())

    /// Gives the next test its harness.
    func begin(with harness: AdapterHarness) {
        let script = HarnessScript(harness, firstClient: state.withLock { $0.clients }) {
            [weak self] number, request throws in
            guard let self else { throw TestOverError() }
            return try ask(number, request)
        }
        state.withLock { state in
            state.harness = script
            state.output = []
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

    /// The function by which harness.js asks.
    func makeHost(in context: ScriptContext) throws -> ScriptValue {
        try context.makeFunction("host") { [unowned self] call in
            try perform(call[0].text(), call[1].text(), in: call.context)
        }
    }

    private func perform(_ what: String, _ values: String, in context: ScriptContext) throws -> ScriptValue {
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
        let conversation = Conversation()
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
        let task = Task.detached {
            do {
                conversation.post(.end(.success(try await harness.perform(what, values)?.text)))
            } catch {
                conversation.post(.end(.failure(error)))
            }
        }
        let limit = context.remainingTime ?? .seconds(3600)
        let result = conversation.wait(until: .now() + (limit / .seconds(1))) { question in
            question.answer(Result { try Self.answer(question, in: context) })
        }
        switch result {
        case .success(let json?): return context.parse(json: json) ?? context.undefined
        case .success(nil): return context.undefined
        case .failure(let error): throw HostError("\(error)")
        case nil:
            task.cancel()
            harness.harness.runtime.interrupt(reason: "the test's time is over")
            throw HostError("harness.\(what) had not ended when the test's time was over")
        }
    }

    /// Has the test's own function answer; on its thread.
    private static func answer(_ question: Question, in context: ScriptContext) throws -> String {
        let request = context.parse(json: question.request) ?? context.null
        return try context.global.get(answering).call([context.make(Double(question.number)), request]).text()
    }

    /// Asks the thread of the test, which waits in ``perform(_:_:in:)``. On the thread of the adapter.
    private func ask(_ number: Int, _ request: String) throws -> String {
        let question = Question(number: number, request: request)
        guard let conversation = state.withLock({ $0.conversation }), conversation.post(.question(question)) else {
            throw TestOverError()
        }
        return try question.wait()
    }
}
