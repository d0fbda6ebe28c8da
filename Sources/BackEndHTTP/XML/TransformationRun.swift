import CLibXML
import Core
import Synchronization

/// A transformation on its thread, as the one who waits for it sees it.
final class TransformationRun: Sendable {
    private struct State {
        /// The address of libxslt's context as long as it lives.
        var context: UInt = 0
        /// The CPU time of the thread; `nil` before it has begun.
        var clock: ThreadCPUClock?
        /// True if the caller no longer waits. It may stop waiting before there is a context.
        var isGivenUp = false
    }

    private let cpu: CPUBudget?
    private let state = Mutex(State())
    private let result = Promise<Result<String, ConversionError>>()

    /// - Parameter cpu: the CPU time that the transformation may take, which is counted there; `nil` if it is not limited.
    init(cpu: CPUBudget?) {
        self.cpu = cpu
    }

    /// Call this first on the transformation's thread.
    func beginThread() {
        state.withLock { $0.clock = ThreadCPUClock() }
    }

    /// Call this before the context is used. If the caller no longer waits, the context then does nothing.
    func begin(_ context: xsltTransformContextPtr) {
        // Without a limit, libxml2 does not check it, also if one is set later.
        context.pointee.xpathCtxt.pointee.opLimit = .max
        let address = UInt(bitPattern: context)
        let isGivenUp = state.withLock { state in
            state.context = address
            return state.isGivenUp
        }
        if isGivenUp { Self.stop(context) }
    }

    /// Ends the run. Call this before the context is inspected or freed.
    func end() {
        state.withLock { $0.context = 0 }
    }

    /// Call this last on the transformation's thread.
    func finish(_ result: Result<String, ConversionError>) {
        state.withLock { if !$0.isGivenUp { countCPUTime(in: $0) } }
        self.result.fulfill(result)
    }

    /// Waits for the result. At `deadline`, or when the CPU time is used up, stops the transformation. It ends at its next instruction or at the
    /// next step of an XPath expression, on its own thread.
    func wait(until deadline: ContinuousClock.Instant) throws(ConversionError) -> String {
        guard let result = result.wait(until: deadline, unless: { [self] in hasUsedItsCPUTime }) else {
            state.withLock { state in
                state.isGivenUp = true
                countCPUTime(in: state)
                if let context = xsltTransformContextPtr(bitPattern: state.context) { Self.stop(context) }
            }
            throw .transformation("it was not done when the procedure's time was over")
        }
        return try result.get()
    }

    private var hasUsedItsCPUTime: Bool {
        guard let cpu, let time = state.withLock(\.clock)?.now else { return false }
        return cpu.isExceeded(with: time)
    }

    private func countCPUTime(in state: State) {
        if let time = state.clock?.now { cpu?.count(time) }
    }

    /// Ends the work of another thread with the context. Both libraries read these numbers again and again.
    private static func stop(_ context: xsltTransformContextPtr) {
        context.pointee.state = XSLT_STATE_STOPPED
        context.pointee.xpathCtxt.pointee.opLimit = 1
    }
}
