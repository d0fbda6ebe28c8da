import JavaScriptEngine
public import PushModel

/// The functions that an event source may name.
enum EventSourceCallback: String, CaseIterable {
    case onDeviceSubscribe, onDeviceUnsubscribe, onUserSubscribe, onUserUnsubscribe, onUserChange
    /// Inside the `poll` option.
    case onPoll
}

/// An event source in one scope, with the functions it names there.
///
/// Real adapters name functions that do not exist. The log says so once, at loading, and the event source works without
/// them (server-api 2.7).
struct EventSource {
    /// A function, or the name of one that is looked up when it is needed.
    enum Target {
        case name(String)
        case function(ScriptValue)
    }

    let declaration: EventSourceDeclaration
    let targets: [EventSourceCallback: Target]
}

/// An event source as an adapter declared it (server-api 2.7).
public struct EventSourceDeclaration: Sendable, Hashable {
    public let id: EventSourceID
    /// The wait between two polls in seconds; `nil` when the source does not poll.
    public let pollInterval: Double?
    /// The test in authenticationConfig.xml that guards subscribing; optional, as real adapters leave it out.
    public let securityTest: String?

    public init(id: EventSourceID, pollInterval: Double?, securityTest: String?) {
        self.id = id
        self.pollInterval = pollInterval
        self.securityTest = securityTest
    }
}
