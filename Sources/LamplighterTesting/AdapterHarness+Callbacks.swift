import AdapterRuntime
import Core
import Logging
import PushModel
import WorklightProject

extension AdapterHarness {
    /// Runs `body`, which may run callbacks, and throws the errors of those callbacks. The runtime only logs them and continues.
    ///
    /// - Parameter tolerating: whether callbacks may throw, and requests to back ends may have no stub. A stub that throws still fails.
    /// - Throws: ``CallbackError``, ``UnansweredRequestsError``, ``HarnessMisuseError``, and the errors of `body`.
    func watchingCallbacks<Result>(tolerating: Bool, _ body: () async throws -> Result) async throws -> Result {
        try backEnds.checkUse()
        let watch = HarnessRecorder()
        let result = try await watch.during(body)
        let failures = watch.lines.filter(\.isOfFailedCallback).map(\.message)
        if !tolerating, !failures.isEmpty {
            throw CallbackError(messages: failures + watch.troubles.filter(\.isFailure).map(\.message))
        }
        try watch.troubles.check(tolerating: tolerating)
        return result
    }

    /// Checks that each callback of an event source names a function of the script. The server ignores a callback that names none.
    ///
    /// - Throws: ``CallbackError`` with the warnings that the adapter's loading reported.
    func checkCallbacks(of source: EventSourceID) throws(CallbackError) {
        let script = project.adapters.first { $0.descriptor.name == source.adapter }?.descriptor.scriptPath
        let warnings = problems.filter { $0.file == script && $0.message.hasPrefix("event source '\(source.name)': ") }
        if !warnings.isEmpty { throw CallbackError(messages: warnings.map { "\($0)" }) }
    }

    /// The messages of requests that had no stub, or whose stub threw, outside every call, poll and callback. No error reports them.
    package var unattributedRequests: [String] { backEnds.unattributedRequests.map(\.message) }
}

extension HarnessLogLine {
    /// True if the line reports a callback that threw, as `Adapter/Source.onDeviceSubscribe failed: …`, or an event handler that failed.
    fileprivate var isOfFailedCallback: Bool {
        guard level == .error, adapter != nil else { return false }
        return message.hasPrefix("an event handler failed: ")
            || message.hasPrefix("the event handlers could not be run: ")
            || message.prefixMatch(of: #/\w+/\S+ failed: /#) != nil
    }
}

/// An error for callbacks of event sources, or event handlers, that threw or do not exist.
public struct CallbackError: HarnessError, Hashable {
    /// The errors with their JavaScript stacks, followed by the errors of stubs that threw during the callbacks.
    public let messages: [String]
    public var place: TestPlace?

    init(messages: [String]) {
        self.messages = messages
    }

    public var message: String { messages.joined(separator: "\n") }
}
