/// An event source as a script declares it, read without running it.
public struct EventSourceFact: Sendable, Hashable {
    /// `nil` when it is computed.
    public let name: String?
    /// Seconds; `nil` when it is computed or there is no poll.
    public let pollInterval: Double?
    /// The functions it names: `onPoll`, `onDeviceSubscribe` and the others, as names or in place.
    public let callbacks: [Callback]
    public let call: ScriptFacts.ServerCall

    public struct Callback: Sendable, Hashable {
        /// `onPoll` and so on.
        public let role: String
        /// The function's name; `nil` when it is written in place or computed.
        public let function: String?
        public let value: LiteralValue
        /// The range of role and value.
        public let range: SourceRange
    }

    private static let roles: Set<String> = [
        "onPoll", "onDeviceSubscribe", "onDeviceUnsubscribe", "onUserSubscribe", "onUserUnsubscribe", "onUserChange",
    ]

    init?(_ call: ScriptFacts.ServerCall) {
        guard call.name == "createEventSource", let options = call.arguments.first, case .object(let members) = options
        else { return nil }
        self.call = call
        name = options["name"]?.text
        let poll = options["poll"]
        if case .number(let interval)? = poll?["interval"] { pollInterval = interval } else { pollInterval = nil }
        var all = members
        if case .object(let inner)? = poll { all += inner }
        callbacks = all.filter { Self.roles.contains($0.key) }.map { member in
            Callback(
                role: member.key, function: member.value.functionName, value: member.value, range: member.range)
        }
    }
}

extension ScriptFacts {
    /// The event sources that the script declares with an object literal.
    public var eventSources: [EventSourceFact] { serverCalls.compactMap(EventSourceFact.init) }
}
