import PushModel

/// For whom an adapter's variables are kept between calls.
///
/// Worklight kept them per client session, and real adapters log people in with them (server-api 1): the first step of a
/// login stores the user in a variable, the second reads it. So no two owners ever share variables in which a script keeps state.
enum ScopeOwner: Sendable, Hashable {
    /// A client's session, by its id.
    case session(String)
    /// An event source's poll.
    case poll(EventSourceID)
    /// Somebody who evaluates code in an adapter, line by line.
    case conversation(adapter: String)
    /// Calls that are traced: their scripts are changed for the trace. Named by the ``InvocationTracer``.
    case trace(ObjectIdentifier)

    /// Whether scripts without state, too, have scopes of this owner's own.
    var ownsAllScopes: Bool {
        switch self {
        case .session, .poll: false
        case .conversation, .trace: true
        }
    }

    var isPoll: Bool {
        if case .poll = self { true } else { false }
    }
}
