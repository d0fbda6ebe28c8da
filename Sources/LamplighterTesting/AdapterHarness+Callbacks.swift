import Logging

extension AdapterHarness {
    /// Runs what runs callbacks: the runtime logs what they throw and goes on, a test must hear of it.
    func watchingCallbacks<Result>(tolerating: Bool, _ body: () async throws -> Result) async throws -> Result {
        let before = log.count
        let result = try await body()
        let unanswered = takeUnanswered()
        guard !tolerating else { return result }
        let failures = log[before...].filter(\.isOfFailedCallback).map(\.message)
        if !failures.isEmpty { throw CallbackFailure(messages: failures) }
        if !unanswered.isEmpty { throw UnansweredRequests(requests: unanswered) }
        return result
    }

    /// The requests that no stub has answered, or one has answered with an error, since it was last asked.
    package func takeUnanswered() -> [String] { backEnds.takeUnanswered() }
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
public struct CallbackFailure: Error, Hashable, CustomStringConvertible {
    /// With the JavaScript stacks.
    public let messages: [String]

    public var description: String { messages.joined(separator: "\n") }
}
