import Core
import Dispatch
import Foundation
import Synchronization

/// What a test's script waits for: the end of what it asked of the harness, and on the way questions to its own functions,
/// which only its thread may call.
final class EngineHandOff: Sendable {
    enum Event: Sendable {
        case question(PendingStubRequest)
        case end(Result<String?, any Error>)
    }

    private let events = Mutex<[Event]>([])
    private let isOver = Mutex(false)
    private let signal = DispatchSemaphore(value: 0)

    /// Sends a message to the waiting thread, unless the conversation is over.
    ///
    /// - Returns: whether the thread receives it.
    @discardableResult
    func post(_ event: Event) -> Bool {
        let isHeard = isOver.withLock { isOver in
            if !isOver { events.withLock { $0.append(event) } }
            return !isOver
        }
        if isHeard { signal.signal() }
        return isHeard
    }

    /// Waits for the end, and meanwhile answers questions.
    ///
    /// - Returns: `nil` when the time was over before.
    func wait(until deadline: DispatchTime, _ answer: (PendingStubRequest) -> Void) -> Result<String?, any Error>? {
        defer { close() }
        while signal.wait(timeout: deadline) == .success {
            switch events.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            case .question(let question)?: answer(question)
            case .end(let result)?: return result
            case nil: continue
            }
        }
        return nil
    }

    private func close() {
        isOver.withLock { $0 = true }
        for case .question(let question) in events.withLock({ $0 }) { question.refuse() }
    }
}

/// A back end's request that a function of the test answers.
final class PendingStubRequest: Sendable {
    let number: Int
    /// JSON.
    let request: String
    private let reply = Promise<Result<String, any Error>>()

    init(number: Int, request: String) {
        self.number = number
        self.request = request
    }

    func answer(_ result: Result<String, any Error>) {
        reply.fulfill(result)
    }

    func refuse() {
        answer(.failure(TestEndedError()))
    }

    /// Waits for the answer, which comes in any case: an answer is given or refused.
    func wait() throws -> String {
        try (reply.wait(until: nil) ?? .failure(TestEndedError())).get()
    }
}

/// The test has ended, and with it what answers for its back ends.
struct TestEndedError: Error, CustomStringConvertible {
    let description = "the test is over"
}
