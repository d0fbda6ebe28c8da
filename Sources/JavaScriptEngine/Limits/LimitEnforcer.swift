import CEngineMemory
import CJavaScriptCore
import Foundation

/// A call under limits, and its use of them. It may run in several steps, between which other calls run.
///
/// Used only on its virtual machine's thread. All times are in nanoseconds.
public final class LimitedCall {
    fileprivate let limits: ExecutionLimits
    fileprivate let label: CallLabel
    /// The time at which its wall-clock limit ends; `nil` for never.
    fileprivate let deadline: UInt64?
    /// The CPU time of earlier steps, and of native work on other threads.
    fileprivate var cpuTimeElsewhere: UInt64 = 0
    /// The thread's CPU time at the beginning of the running step; `nil` for a first step that has not yet lasted for a slice.
    fileprivate var cpuTimeBase: UInt64?
    /// True if the running step has lasted for a slice.
    fileprivate var isLong = false
    /// True if a step has ended.
    fileprivate var hasEndedStep = false
    fileprivate var exceeded: LimitExceededError?
    /// The size of the process and the memory taken by the running step, at its first check.
    fileprivate var memoryBase: (resident: Int, taken: Int)?
    /// The bytes by which the machine's heap has grown by this call, as of the last measurement of the heap.
    fileprivate var growth = 0
    /// The new memory that threads have taken in the call's steps since, in bytes.
    fileprivate var taken = 0

    fileprivate init(_ label: CallLabel, limits: ExecutionLimits, after queueTime: QueueTime?) {
        self.label = label
        self.limits = limits
        let left = limits.wallClock.map { $0 - (queueTime?.time ?? .zero) }
        deadline = left.map { LimitEnforcer.nanoseconds(of: CLOCK_MONOTONIC) + $0.saturatedNanoseconds }
        guard let queueTime, let wallClock = limits.wallClock, queueTime.time >= wallClock else { return }
        exceeded = LimitExceededError(
            limit: .wallClock, configured: wallClock.spelling, label: label, behind: queueTime.behind)
    }

    fileprivate func heapExcess(_ limit: Int) -> LimitExceededError {
        LimitExceededError(limit: .heap, configured: limit.byteSpelling, label: label)
    }

    fileprivate func beginStep() {
        // A first step that lasts for less than a slice is not counted, which saves each short call two system calls.
        cpuTimeBase = hasEndedStep ? LimitEnforcer.nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) : nil
        isLong = false
        memoryBase = nil
    }

    fileprivate func endStep() {
        hasEndedStep = true
        // Steps run on several threads, each with its own clock.
        if let cpuTimeBase {
            cpuTimeElsewhere += LimitEnforcer.nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) - cpuTimeBase
        }
    }
}

/// Enforces the limits of the call of which a virtual machine runs a step.
///
/// The engine calls it after each slice of CPU time; the result depends on the wall clock, the CPU time and the heap. Limits that were
/// exceeded between these calls, such as during a wait in a native function, are found when the call ends. An exceeded limit stays
/// exceeded until the call is over.
///
/// Used only on its virtual machine's thread.
final class LimitEnforcer {
    /// The CPU time in seconds that a script may use between two checks of the limits.
    static let slice = 0.010

    /// Ends all calls of the machine.
    let interruption: Interruption
    /// Ends the calls of the caller that uses the machine now; `nil` when they cannot be cancelled.
    var callersInterruption: Interruption?
    private let group: JSContextGroupRef
    private let onSlice: () -> Void

    /// The call of which a step runs.
    fileprivate var call: LimitedCall?

    /// True from a call that exceeds its heap until the first collection after a later call: the collection at the call's own end may have kept
    /// objects to which the stack still seemed to refer.
    fileprivate var heapWasExceeded = false
    /// True if a later call has ended.
    fileprivate var hasCalledSinceExcess = false

    /// Returns the memory that the C library holds to the system, if a collection may have freed what a call took beyond its heap.
    func returnMemoryAfterExcess() {
        guard heapWasExceeded else { return }
        lamplighter_return_memory()
        if hasCalledSinceExcess { heapWasExceeded = false }
    }

    /// The heap's size in bytes when it was last measured: calls from then on did not take that.
    private(set) var measuredHeap = 0
    /// The process's size then, in bytes, or a smaller one later.
    private var residentSizeAtMeasurement = 0

    /// True if a step has taken much since.
    fileprivate var wantsMeasurement = false

    /// The new memory that all calls' steps have taken since, in bytes.
    fileprivate var taken = 0
    /// The calls whose steps took most of it.
    fileprivate var takers: [LimitedCall] = []

    /// A call that takes less between two measurements of the heap does not count.
    private static let littleMemory = 64 << 10

    /// Counts the memory that a step of a call has taken.
    fileprivate func count(taken bytes: Int, by call: LimitedCall) {
        guard bytes > 0 else { return }
        taken += bytes
        let before = call.taken
        call.taken += bytes
        if before < Self.littleMemory, call.taken >= Self.littleMemory { takers.append(call) }
    }

    /// Returns the part of the heap's growth since the last measurement that is a call's: of the new memory, its share.
    private func growth(_ growth: Int, of call: LimitedCall, taking bytes: Int = 0) -> Int {
        let all = taken + bytes
        // Memory that was used before is not new. Then the running call has the growth.
        return all == 0 ? growth : Int(Double(growth) * Double(call.taken + bytes) / Double(all))
    }

    /// Measures the heap, after a collection.
    func measureHeap(of context: JSContextRef) -> Int {
        wantsMeasurement = false
        let size = HeapStatistics.size(of: context)
        for call in takers {
            call.growth = max(0, call.growth + growth(size - measuredHeap, of: call))
            call.taken = 0
            if let limit = call.limits.heap, call.growth > limit {
                call.exceeded = call.exceeded ?? call.heapExcess(limit)
            }
        }
        (taken, takenAtReading, takers) = (0, 0, [])
        measuredHeap = size
        residentSizeAtMeasurement = ProcessMemory.residentSize ?? 0
        return size
    }

    /// The number of steps after which the process's size is read, since each may leave a little.
    private static let stepsBetweenReadings = 256
    /// The new memory in bytes after which it is read.
    private static let memoryBetweenReadings = 16 << 20

    private var stepsSinceReading = 0
    private var takenAtReading = 0

    /// Returns whether a step has taken much since the heap was measured, or the process has grown by a tenth, which is found at each 256th step,
    /// and when steps have taken 16 MB.
    func mustMeasure() -> Bool {
        if wantsMeasurement { return true }
        stepsSinceReading += 1
        guard stepsSinceReading >= Self.stepsBetweenReadings || taken - takenAtReading >= Self.memoryBetweenReadings
        else {
            return false
        }
        (stepsSinceReading, takenAtReading) = (0, taken)
        let size = ProcessMemory.residentSize ?? 0
        residentSizeAtMeasurement = min(size, residentSizeAtMeasurement)
        return size / 11 * 10 > residentSizeAtMeasurement
    }

    private var residentSizeAtLastWalk = 0
    private var timeOfLastWalk: UInt64 = 0
    private var takenAtLastWalk = 0

    /// - Parameter onSlice: called at each check of a running call.
    init(group: JSContextGroupRef, interruption: Interruption, onSlice: @escaping () -> Void) {
        self.group = group
        self.onSlice = onSlice
        self.interruption = interruption
        arm()
    }

    /// The time at which the running call's wall-clock limit ends, as ``nanoseconds(of:)`` of the monotonic clock; `nil` for never.
    var deadline: UInt64? { call?.deadline }

    /// Runs an empty script: after a call was stopped inside a native function, the engine may keep a second end for the next script.
    fileprivate func absorbTermination(in context: JSContextRef) {
        let nothing = JSText.make("0")
        defer { JSStringRelease(nothing) }
        let call = call
        self.call = nil
        defer { self.call = call }
        for _ in 0..<10 {
            var thrown: JSValueRef?
            JSEvaluateScript(context, nothing, nil, nil, 1, &thrown)
            if thrown == nil { return }
        }
    }

    fileprivate func exceededAtEnd(in context: JSContextRef) -> LimitExceededError? {
        // The heap is checked only if the step was long enough to be checked before: short ones must stay cheap.
        _ = mustStop(context: call?.isLong == true ? context : nil)
        return call?.exceeded
    }

    /// The CPU time left to the running call; `nil` when it has no such limit or none is running.
    fileprivate var remainingCPUTime: Duration? {
        guard let call, let limit = call.limits.cpuTime else { return nil }
        // Without a base the step has run for less than a slice.
        let here = call.cpuTimeBase.map { Self.nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) - $0 } ?? 0
        let used = here + call.cpuTimeElsewhere
        let all = limit.saturatedNanoseconds
        return .nanoseconds(Int64(clamping: all > used ? all - used : 0))
    }

    /// Counts the CPU time of native work, and returns true if the call must end.
    fileprivate func count(cpuTime: Duration, isOfThisThread: Bool, context: JSContextRef) -> Bool {
        guard call != nil, cpuTime > .zero else { return false }
        let now = Self.nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
        let used = cpuTime.saturatedNanoseconds
        call?.isLong = true
        if !isOfThisThread { call?.cpuTimeElsewhere += used }
        if call?.cpuTimeBase == nil { call?.cpuTimeBase = now - (isOfThisThread ? min(now, used) : 0) }
        return mustStop(context: context)
    }

    private func arm() {
        let data = Unmanaged.passUnretained(self).toOpaque()
        JSContextGroupSetExecutionTimeLimit(
            group, Self.slice,
            { context, data in
                guard let data else { return false }
                let enforcer = Unmanaged<LimitEnforcer>.fromOpaque(data).takeUnretainedValue()
                enforcer.onSlice()
                let mustStop = enforcer.mustStop(context: context, isSlice: true)
                // The engine asks only once; the next slice must be ordered. Also when this one ends: a native function may
                // have called the script, and may call it again.
                enforcer.arm()
                return mustStop
            }, data)
    }

    fileprivate func mustStop(context: JSContextRef?, isSlice: Bool = false) -> Bool {
        guard let call else { return false }
        if call.exceeded != nil { return true }
        guard var exceeded = verdict(on: call, context: context, isSlice: isSlice) else { return false }
        if let context { exceeded.stack = Self.stack(in: context) }
        self.call?.exceeded = exceeded
        return true
    }

    private func verdict(on call: LimitedCall, context: JSContextRef?, isSlice: Bool) -> LimitExceededError? {
        let limits = call.limits
        if let wallClock = limits.wallClock, let deadline = call.deadline,
            Self.nanoseconds(of: CLOCK_MONOTONIC) >= deadline
        {
            return LimitExceededError(limit: .wallClock, configured: wallClock.spelling, label: call.label)
        }
        if let reason = interruption.reason ?? callersInterruption?.reason {
            return LimitExceededError(limit: .interrupted, configured: reason, label: call.label)
        }
        if isSlice {
            call.isLong = true
            if call.cpuTimeBase == nil {
                // The first check comes one slice after the start.
                let cpuTime = Self.nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
                call.cpuTimeBase = cpuTime - min(cpuTime, UInt64(Self.slice * 1e9))
            }
        }
        if let limit = limits.cpuTime, let base = call.cpuTimeBase,
            Self.nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) - base + call.cpuTimeElsewhere >= limit.saturatedNanoseconds
        {
            return LimitExceededError(limit: .cpuTime, configured: limit.spelling, label: call.label)
        }
        if let context, let limit = limits.heap, isHeap(of: context, over: limit) {
            return call.heapExcess(limit)
        }
        return nil
    }

    /// A heap cannot be larger than its process, so the heap, which takes long to walk, is asked only when the process is
    /// that large, and again only when it has grown by a tenth, this thread has taken much new memory, or half a second has passed. Of the heap
    /// counts by how much it has grown by the call's steps (``growth(_:of:taking:)``).
    ///
    /// Some memory counts for no heap, such as the descriptions of symbols: a call also ends when its thread has taken twice the limit since the
    /// step's first slice, and the process is larger by as much when garbage is collected.
    private func isHeap(of context: JSContextRef, over limit: Int) -> Bool {
        let residentSize = ProcessMemory.residentSize ?? .max
        residentSizeAtLastWalk = min(residentSizeAtLastWalk, residentSize)
        let now = Self.nanoseconds(of: CLOCK_MONOTONIC)
        guard let call else { return false }
        let taken = Int(lamplighter_memory_taken(false))
        let base = call.memoryBase ?? (residentSize, taken)
        call.memoryBase = base
        // Another step may have taken more.
        takenAtLastWalk = min(takenAtLastWalk, taken)
        let hasTakenMuch = taken - takenAtLastWalk > limit / 2
        guard residentSize >= limit,
            residentSize / 11 * 10 > residentSizeAtLastWalk || hasTakenMuch
                || now > timeOfLastWalk + 500_000_000
        else { return false }
        residentSizeAtLastWalk = residentSize
        timeOfLastWalk = now
        takenAtLastWalk = taken
        // The engine counts new memory outside of its heap at the next collection only.
        guard hasTakenMuch || isGrowth(of: call, over: limit, taken, context) else { return false }
        // Only what is still in use counts.
        JSSynchronousGarbageCollectForDebugging(context)
        if isGrowth(of: call, over: limit, taken, context) { return true }
        guard taken - base.taken > 2 * limit else { return false }
        return (ProcessMemory.residentSize ?? .max) - base.resident > 2 * limit
    }

    /// Returns whether the heap has grown by more than `limit` by the running call's steps.
    private func isGrowth(of call: LimitedCall, over limit: Int, _ taken: Int, _ context: JSContextRef) -> Bool {
        let size = HeapStatistics.size(of: context)
        // Garbage may have been measured, too.
        measuredHeap = min(measuredHeap, size)
        return call.growth + growth(size - measuredHeap, of: call, taking: taken) > limit
    }

    /// The largest number of calls in a stack.
    fileprivate static let deepestTrace = 50

    /// The engine writes `#0 function() at file:line`; errors have `function@file:line`.
    private static func stack(in context: JSContextRef) -> String? {
        guard let text = JSContextCreateBacktrace(context, UInt32(deepestTrace)) else { return nil }
        let lines = JSText.take(text).split(separator: "\n").map { line in
            line.drop { $0 != " " }.dropFirst().replacing("() at ", with: "@")
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    static func nanoseconds(of clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

extension ScriptContext {
    /// The CPU time left to the running call; `nil` when it has no such limit or none is running.
    ///
    /// Native work that may last must not take more, and is then counted by ``count(cpuTime:isOfThisThread:)``.
    public var remainingCPUTime: Duration? { engine.limits.remainingCPUTime }

    /// Counts the CPU time of native work as the running call's.
    ///
    /// - Parameter isOfThisThread: whether this thread took it; the engine counts it then once its first slice is over.
    /// - Returns: true if a limit of the call is exceeded. The engine then ends the script at its next slice.
    public func count(cpuTime: Duration, isOfThisThread: Bool) -> Bool {
        engine.limits.count(cpuTime: cpuTime, isOfThisThread: isOfThisThread, context: reference)
    }

    /// Runs `body` as one call under `limits`, in one step; everything in it that runs script code counts. Calls inside a call share
    /// the outer one's limits.
    ///
    /// - Throws: ``LimitExceededError``, ``ScriptError``, and what `body` throws.
    public func call<Result>(
        _ label: CallLabel, limits: ExecutionLimits, _ body: () throws -> Result
    ) throws -> Result {
        guard engine.limits.call == nil else {
            defer { engine.drainReleases() }
            // A limit that the engine would notice only one slice later.
            if let exceeded { throw exceeded }
            return try body()
        }
        return try step(of: begin(label, limits: limits), body)
    }

    /// True while a step of a call under limits runs.
    public var isLimited: Bool { engine.limits.call != nil }

    /// The limit that the running call has exceeded; `nil` while it has exceeded none.
    public var exceeded: LimitExceededError? {
        engine.limits.mustStop(context: nil) ? engine.limits.call?.exceeded : nil
    }

    /// Begins a call under limits. Its wall-clock time counts from now.
    ///
    /// - Parameter queueTime: the time for which it has waited in a queue, which counts, too; `nil` for none.
    public func begin(_ label: CallLabel, limits: ExecutionLimits, after queueTime: QueueTime? = nil) -> LimitedCall {
        LimitedCall(label, limits: limits, after: queueTime)
    }

    /// Runs `body` as the next step of a call; everything in it that runs script code counts. A step must not run within another one.
    ///
    /// - Throws: ``LimitExceededError``, after which the call is over; ``ScriptError``, and what `body` throws.
    public func step<Result>(of call: LimitedCall, _ body: () throws -> Result) throws -> Result {
        let enforcer = engine.limits
        let limits = call.limits
        if let exceeded = call.exceeded { throw exceeded }
        defer { engine.drainReleases() }
        precondition(enforcer.call == nil, "a step of \(call.label) within a step of another call")
        call.beginStep()
        enforcer.call = call
        // Between two checks of the heap one step may take much: no more than the whole heap may have. Less than that would abort the process:
        // the storage of an object with millions of properties must not be refused, and a check of the heap ends the script long before.
        lamplighter_limit_allocations(limits.heap ?? 0)
        defer {
            lamplighter_limit_allocations(0)
            let exceeded = call.exceeded
            if exceeded != nil { enforcer.absorbTermination(in: reference) }
            enforcer.call = nil
            call.endStep()
            let taken = Int(lamplighter_memory_taken(true))
            enforcer.count(taken: taken, by: call)
            enforcer.hasCalledSinceExcess = exceeded?.limit != .heap
            if exceeded?.limit == .heap {
                enforcer.heapWasExceeded = true
                JSSynchronousGarbageCollectForDebugging(reference)
                lamplighter_return_memory()
            } else if let limit = limits.heap, taken > limit / 8 {
                enforcer.wantsMeasurement = true
            }
        }
        do {
            let result = try body()
            if let exceeded = enforcer.exceededAtEnd(in: reference) { throw exceeded }
            return result
        } catch let error as LimitExceededError {
            throw error
        } catch {
            guard var exceeded = enforcer.exceededAtEnd(in: reference) else { throw error }
            if exceeded.stack == nil, let stack = (error as? ScriptError)?.stack {
                exceeded.stack = stack.split(separator: "\n").prefix(LimitEnforcer.deepestTrace).joined(separator: "\n")
            }
            throw exceeded
        }
    }
}

extension Duration {
    /// In nanoseconds, from 0 to a hundred years.
    fileprivate var saturatedNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(min(max(seconds, 0), 3_200_000_000)) * 1_000_000_000 + UInt64(max(attoseconds, 0) / 1_000_000_000)
    }
}

/// The engine's statistics about its heap.
enum HeapStatistics {
    /// Returns the heap's size in bytes, memory held outside for its objects included. Walks the heap: 20 ms and more when large.
    static func size(of context: JSContextRef) -> Int {
        guard let statistics = JSGetMemoryUsageStatistics(context) else { return 0 }
        let key = JSText.make("heapSize")
        defer { JSStringRelease(key) }
        let value = JSObjectGetProperty(context, statistics, key, nil)
        let number = JSValueToNumber(context, value, nil)
        return number.isFinite ? Int(number) : 0
    }
}

/// The memory of the process, from /proc: 40 microseconds a call.
enum ProcessMemory {
    private static let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    private static let pageSize = sysconf(Int32(_SC_PAGESIZE))

    /// Resident size in bytes; 0 where it cannot be read, so that the heap itself is asked instead.
    static var residentSize: Int? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { buffer in
            let count = pread(file, buffer.baseAddress, buffer.count, 0)
            guard count > 0 else { return nil }
            let fields = buffer[..<count].split(separator: UInt8(ascii: " "))
            guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return nil }
            return pages * pageSize
        }
    }
}
