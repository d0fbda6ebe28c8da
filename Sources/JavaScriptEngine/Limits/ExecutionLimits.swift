/// The limits of one call into a script. `nil` means no limit.
///
/// A call that exceeds a limit ends with a ``LimitExceededError``. The engine stops the script within a slice of 10 ms of CPU time,
/// and no `catch` or `finally` of the script runs. A script that returns sooner has the error in place of its result.
///
/// The engine limits the depth of calls, ``EngineProcess/stackSize``: a script with deeper recursion gets a RangeError, which it may
/// catch like any other error.
public struct ExecutionLimits: Sendable, Hashable {
    /// Time on the wall, waiting in native calls included.
    public var wallClock: Duration?
    /// Time of the processor.
    public var cpuTime: Duration?
    /// Size of the virtual machine's heap, in bytes, after a collection.
    public var heap: Int?

    public init(wallClock: Duration? = nil, cpuTime: Duration? = nil, heap: Int? = nil) {
        self.wallClock = wallClock
        self.cpuTime = cpuTime
        self.heap = heap
    }
}

/// The owner and the function of a call, for the messages about it.
public struct CallLabel: Sendable, Hashable, CustomStringConvertible {
    /// The script's owner; here an adapter's name.
    public let adapter: String
    /// The called function: a procedure, a callback, or the loading of the script.
    public let procedure: String

    public init(adapter: String, procedure: String) {
        self.adapter = adapter
        self.procedure = procedure
    }

    public var description: String { "\(adapter)/\(procedure)" }
}

/// The time for which a call has waited for another one that must end before, or wait for a back end.
public struct QueueTime: Sendable, Hashable {
    public let time: Duration
    /// The call ahead of it, and why that is ahead, for users: `Orders/list of the same session`.
    public let behind: String

    public init(time: Duration, behind: String) {
        self.time = time
        self.behind = behind
    }
}

/// A call was ended because it used more than it may.
public struct LimitExceededError: Error, Hashable, CustomStringConvertible {
    public enum Limit: String, Sendable, Hashable, CaseIterable {
        case wallClock, cpuTime, heap
        /// The result is no longer needed: the server is stopping.
        case interrupted
    }

    public let limit: Limit
    /// The configured value, for users: "200 ms", "256 MB".
    public let configured: String
    public let label: CallLabel
    /// The calls that were running, innermost first, one to a line: `function@file:line`; `nil` when the script had
    /// returned already.
    public var stack: String?
    /// The call for which this one has waited until its time was over, for users; `nil` if it began in time.
    public var behind: String?

    public var description: String {
        switch limit {
        case .wallClock where behind != nil:
            """
            \(label) was not begun: it has waited for \(behind ?? "") longer than the time limit (wallClock) of \(configured)
            """
        case .wallClock: "\(label) was stopped: it took longer than the time limit (wallClock) of \(configured)"
        case .cpuTime: "\(label) was stopped: it used more than the CPU time limit (cpuTime) of \(configured)"
        case .heap: "\(label) was stopped: its memory grew over the heap limit (heap) of \(configured)"
        case .interrupted: "\(label) was interrupted: \(configured)"
        }
    }
}

extension Duration {
    /// "200 ms", "1.5 s".
    var spelling: String {
        let milliseconds = self / .milliseconds(1)
        if milliseconds < 1000 { return "\(Int(milliseconds.rounded())) ms" }
        let seconds = (self / .seconds(1) * 1000).rounded() / 1000
        return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
    }
}

extension Int {
    /// "256 MB", "512 KB".
    var byteSpelling: String {
        self >= 1 << 20 && isMultiple(of: 1 << 20) ? "\(self >> 20) MB" : "\(self >> 10) KB"
    }
}
