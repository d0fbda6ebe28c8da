import AdapterRuntime
import Synchronization

/// Records the events of one activity of a harness: a call, a poll, a callback. Activities at the same time have separate
/// recorders.
final class HarnessRecorder: Sendable {
    private struct State {
        var troubles: [UnstubbedRequest] = []
        var lines: [HarnessLogLine] = []
    }

    private let state = Mutex(State())
    private let surroundings = TaskLocalBridge()

    /// The recorder of the current activity, also on the threads of scripts; `nil` without one.
    static var current: HarnessRecorder? { CallObserver.current as? HarnessRecorder }

    /// Does something and watches it.
    func during<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await CallObserver.$current.withValue(self) {
            surroundings.begin()
            defer { surroundings.end() }
            return try await body()
        }
    }

    /// Runs something on this thread as a part of the task whose doings are watched, so that an expectation in it is one of its test.
    func inTask<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
        try surroundings.run(body)
    }

    /// The requests for which stubs had no answer, in order.
    var troubles: [UnstubbedRequest] { state.withLock { $0.troubles } }

    /// What was logged, in order.
    var lines: [HarnessLogLine] { state.withLock { $0.lines } }

    func note(_ trouble: UnstubbedRequest) { state.withLock { $0.troubles.append(trouble) } }

    func note(_ line: HarnessLogLine) { state.withLock { $0.lines.append(line) } }
}

/// A request for which the stubs of back ends had no answer.
enum UnstubbedRequest: Sendable, Hashable {
    /// None has been set for it. A test that tolerates failures may intend that.
    case unanswered(String)
    /// What should have answered threw: an expectation in a stub, say, which nothing may hide.
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
    /// - Parameter tolerating: whether requests without a stub are expected.
    /// - Throws: ``UnansweredRequestsError``.
    func check(tolerating: Bool) throws(UnansweredRequestsError) {
        let relevant = filter { !tolerating || $0.isFailure }
        if !relevant.isEmpty { throw UnansweredRequestsError(requests: relevant.map(\.message)) }
    }
}

/// Requests for which the stubs of back ends had no answer, or whose stub threw.
public struct UnansweredRequestsError: HarnessError, Hashable {
    public let requests: [String]
    public var place: TestPlace?

    init(requests: [String]) {
        self.requests = requests
    }

    public var message: String { requests.joined(separator: "\n") }
}
