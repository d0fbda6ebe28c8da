import AdapterRuntime
import Synchronization

/// Records the log lines and the failed back-end requests of one activity of a harness: a call, a poll or a callback. Concurrent
/// activities have separate recorders.
final class HarnessRecorder: Sendable {
    private struct State {
        var troubles: [UnstubbedRequest] = []
        var lines: [HarnessLogLine] = []
    }

    private let state = Mutex(State())
    private let surroundings = TaskLocalBridge()

    /// The recorder of the current activity, also on the threads of scripts; `nil` without one.
    static var current: HarnessRecorder? { CallObserver.current as? HarnessRecorder }

    /// Runs `body` with this recorder as the current one.
    func during<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await CallObserver.$current.withValue(self) {
            surroundings.begin()
            defer { surroundings.end() }
            return try await body()
        }
    }

    /// Runs `body` on this thread as a part of the recorded task, so that a failed expectation in it belongs to the task's test.
    func inTask<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
        try surroundings.run(body)
    }

    /// The requests that had no stub or whose stub threw, in order.
    var troubles: [UnstubbedRequest] { state.withLock { $0.troubles } }

    /// The log lines, in order.
    var lines: [HarnessLogLine] { state.withLock { $0.lines } }

    func note(_ trouble: UnstubbedRequest) { state.withLock { $0.troubles.append(trouble) } }

    func note(_ line: HarnessLogLine) { state.withLock { $0.lines.append(line) } }
}

/// The message for a request that had no stub, or whose stub failed.
enum UnstubbedRequest: Sendable, Hashable {
    /// No stub is set for the request. A test that tolerates failures may intend that.
    case unanswered(String)
    /// The stub threw or returned an invalid status. A test cannot tolerate that: the error may be a failed `#require`.
    case failed(String)

    var message: String {
        switch self {
        case .unanswered(let message), .failed(let message): message
        }
    }

    var isFailure: Bool {
        if case .failed = self { true } else { false }
    }
}

extension [UnstubbedRequest] {
    /// Throws an error that lists the requests, if there are any.
    ///
    /// - Parameter tolerating: whether requests without a stub are ignored.
    /// - Throws: ``UnansweredRequestsError``.
    func check(tolerating: Bool) throws(UnansweredRequestsError) {
        let relevant = filter { !tolerating || $0.isFailure }
        if !relevant.isEmpty { throw UnansweredRequestsError(requests: relevant.map(\.message)) }
    }
}

/// An error for requests that had no stub, or whose stub threw.
public struct UnansweredRequestsError: HarnessError, Hashable {
    /// The messages, one for each request.
    public let requests: [String]
    public var place: TestPlace?

    init(requests: [String]) {
        self.requests = requests
    }

    public var message: String { requests.joined(separator: "\n") }
}
