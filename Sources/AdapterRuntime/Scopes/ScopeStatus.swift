/// The number of machines and scopes in use.
public struct ScopeStatus: Sendable, Hashable {
    /// Virtual machines.
    public let machines: Int
    /// The number of sessions and others that own scopes.
    public let owners: Int
    /// Their scopes.
    public let scopes: Int

    public init(machines: Int, owners: Int, scopes: Int) {
        self.machines = machines
        self.owners = owners
        self.scopes = scopes
    }
}

/// Every scope that there may be is in use.
struct ScopeLimitError: Error, CustomStringConvertible {
    let ceiling: Int

    var description: String {
        "no scope is free: polls and running calls use all \(ceiling) of limits.scopes; retry later, or raise limits.scopes"
    }
}

/// Too many calls of a session wait for each other.
struct OwnerQueueError: Error, CustomStringConvertible {
    let label: String
    let count: Int
    /// The label of the call that runs.
    let running: String

    var description: String {
        """
        \(label) is not called: \(count) calls of the same session wait already, behind \(running); a session's calls run one after the \
        other, and a tenth of limits.waitingCalls may wait
        """
    }
}

/// The server stops, and its grace period for running calls has passed.
struct ServerStoppingError: Error, CustomStringConvertible {
    let description = "the server is stopping; call again when it is back"
}
