import Logging

extension AdapterHarness {
    /// Runs what runs callbacks: the runtime logs what they throw and goes on, a test must hear of it.
    func watchingCallbacks<Result>(tolerating: Bool, _ body: () async throws -> Result) async throws -> Result {
        let watch = HarnessWatch()
        let result = try await watch.during(body)
        let failures = watch.lines.filter(\.isOfFailedCallback).map(\.message)
        if !tolerating, !failures.isEmpty {
            throw CallbackFailure(messages: failures + watch.troubles.filter(\.isFailure).map(\.message))
        }
        try watch.troubles.check(tolerating: tolerating)
        return result
    }

    /// The requests that no stub has answered, or one has answered with an error, where no call, poll or callback was told of it.
    package var unwatchedTroubles: [String] { backEnds.unwatchedTroubles.map(\.message) }
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
    /// With the JavaScript stacks, and with what stubs threw meanwhile.
    public let messages: [String]

    public var description: String { messages.joined(separator: "\n") }
}
