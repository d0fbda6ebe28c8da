public import JavaScriptEngine

/// How much adapters may use. Generous: the limits are against mistakes, not against work.
public struct RuntimeSettings: Sendable, Hashable {
    /// For procedures and event-source callbacks. A procedure's `requestTimeoutInSeconds` goes over the
    /// time on the wall.
    public var calls = ExecutionLimits(wallClock: .seconds(30), cpuTime: .seconds(10), heap: 256 << 20)
    /// For polls, which nobody waits for.
    public var polls = ExecutionLimits(wallClock: .seconds(300), cpuTime: .seconds(60), heap: 256 << 20)
    /// For the top level of a script.
    public var loading = ExecutionLimits(wallClock: .seconds(30), cpuTime: .seconds(10), heap: 256 << 20)
    /// How many calls of one adapter may wait or run at once; further ones are refused at once.
    public var waitingCalls = 1000
    /// The longest answer of a back end, in bytes.
    public var backEndResponse = 64 << 20

    public init() {}

    /// Changes what calls, polls and loading have in common.
    public mutating func setForAll(_ change: (inout ExecutionLimits) -> Void) {
        change(&calls)
        change(&polls)
        change(&loading)
    }
}
