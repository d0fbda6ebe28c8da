import PushModel

/// For whom an adapter's variables are kept.
///
/// Worklight kept them per client session, and real adapters log people in with them (server-api 1): the first step of a
/// login stores the user in a variable, the second reads it. So no two owners ever share a scope.
enum ScopeOwner: Sendable, Hashable {
    /// A client's session, by its id.
    case session(String)
    /// Whoever calls this adapter without a session: back ends, the command line.
    case backEnds(adapter: String)
    /// An event source's poll.
    case poll(EventSourceID)
    /// Nobody: with `mfp.session.independent` a call takes whichever of these is idle.
    case anybody(Int)
    /// A call that is traced: its scripts are changed for the trace. Named by the ``InvocationTracer``.
    case trace(ObjectIdentifier)

    /// Whether nobody waits for its calls, which may take minutes: those keep to machines of their own.
    var isPatient: Bool {
        if case .poll = self { true } else { false }
    }

    /// Whether it may be forgotten to make room. The others are as many as the project has adapters and event sources.
    var isEvictable: Bool {
        switch self {
        case .session, .anybody, .trace: true
        case .backEnds, .poll: false
        }
    }
}
