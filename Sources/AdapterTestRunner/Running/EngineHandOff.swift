import Core
import Dispatch
import Foundation
import Synchronization

/// The events that a test's script waits for during a call of the harness: requests for its stubs, whose functions only the script's
/// thread may call, and the end of the call.
final class EngineHandOff: Sendable {
    enum Event: Sendable {
        case question(PendingStubRequest)
        case end(Result<String?, any Error>)
    }

    private let events = Mutex<[Event]>([])
    private let isOver = Mutex(false)
    private let signal = DispatchSemaphore(value: 0)

    /// Sends an event to the waiting thread, unless its wait has ended.
    ///
    /// - Returns: true if the thread will receive the event.
    @discardableResult
    func post(_ event: Event) -> Bool {
        let isHeard = isOver.withLock { isOver in
            if !isOver { events.withLock { $0.append(event) } }
            return !isOver
        }
        if isHeard { signal.signal() }
        return isHeard
    }

    /// Waits for the end of the call, and responds to requests for stubs in the meantime.
    ///
    /// - Returns: the result of the call; `nil` when the deadline passed before.
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

/// A request to a back end whose stub is a function of the test.
final class PendingStubRequest: Sendable {
    let number: Int
    /// The request in JSON.
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

    /// Waits for the response. The wait always ends, because the request either gets a response or is refused.
    ///
    /// - Throws: the error of the stub; ``TestEndedError`` for a refusal.
    func wait() throws -> String {
        try (reply.wait(until: nil) ?? .failure(TestEndedError())).get()
    }
}

/// An error for a request after the end of the test, when its stubs no longer respond.
struct TestEndedError: Error, CustomStringConvertible {
    let description = "the test is over"
}
