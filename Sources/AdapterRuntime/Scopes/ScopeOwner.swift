import Core
import PushModel

/// The session, poll or tool whose variables an adapter keeps between calls.
///
/// Worklight kept variables per client session, and logins in two steps rely on it (server-api 1). An owner gets a scope of its own
/// when a call leaves a clean one changed; see ``ScopeTable``.
enum ScopeOwner: Sendable, Hashable {
    /// A client's session, by its id.
    case session(String)
    /// An event source's poll.
    case poll(EventSourceID)
    /// Somebody who evaluates code in an adapter, line by line.
    case conversation(adapter: String)
    /// Calls that are traced: their scripts are changed for the trace. Named by the ``InvocationTracer``.
    case trace(ObjectIdentifier)

    /// Whether the owner has its own scopes of all adapters from the first call on.
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
