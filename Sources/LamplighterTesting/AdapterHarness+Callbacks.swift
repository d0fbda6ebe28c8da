import AdapterRuntime
import Core
import Logging
import PushModel
import WorklightProject

extension AdapterHarness {
    /// Runs `body`, which may run callbacks. The runtime logs errors of callbacks and goes on; a test must fail with
    /// them.
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

    /// What is wrong with an event source's callbacks: one names a function that the script does not have. The server runs it as if
    /// that one were not given.
    ///
    /// - Throws: ``CallbackError``.
    func checkCallbacks(of source: EventSourceID) throws(CallbackError) {
        let script = project.adapters.first { $0.descriptor.name == source.adapter }?.descriptor.scriptPath
        let warnings = problems.filter { $0.file == script && $0.message.hasPrefix("event source '\(source.name)': ") }
        if !warnings.isEmpty { throw CallbackError(messages: warnings.map { "\($0)" }) }
    }

    /// The requests that no stub has answered, or one has answered with an error, and that no call, poll or callback failed with.
    package var unattributedRequests: [String] { backEnds.unattributedRequests.map(\.message) }
}

extension HarnessLogLine {
    /// `Adapter/Source.onDeviceSubscribe failed: …`, or that of an event handler.
    fileprivate var isOfFailedCallback: Bool {
        guard level == .error, adapter != nil else { return false }
        return message.hasPrefix("an event handler failed: ")
            || message.hasPrefix("the event handlers could not be run: ")
            || message.prefixMatch(of: #/\w+/\S+ failed: /#) != nil
    }
}

/// Callbacks of event sources, or event handlers, that threw.
public struct CallbackError: HarnessError, Hashable {
    /// With the JavaScript stacks, and with what stubs threw meanwhile.
    public let messages: [String]
    public var place: TestPlace?

    init(messages: [String]) {
        self.messages = messages
    }

    public var message: String { messages.joined(separator: "\n") }
}
