/// Ends the call that is running on a virtual machine, from any thread.
public struct CallInterrupter: Sendable {
    fileprivate let interruption: Interruption

    /// Has the running call end with ``LimitExceeded/Limit/interrupted``; a native function that waits is waited for. To be called
    /// only while the call surely runs: the next one would be meant else.
    public func interrupt(reason: String) { interruption.request(reason) }
}

extension ScriptContext {
    /// What can end the calls of the context's machine.
    public var interrupter: CallInterrupter { CallInterrupter(interruption: engine.limits.interruption) }
}
