import CLibXML
import Core
import Synchronization

/// A transformation on its thread, as the one who waits for it sees it.
final class TransformationRun: Sendable {
    private struct State {
        /// The address of libxslt's context as long as it lives.
        var context: UInt = 0
        /// True if the caller no longer waits. It may stop waiting before there is a context.
        var isGivenUp = false
    }

    private let state = Mutex(State())
    private let result = Promise<Result<String, ConversionError>>()

    /// Call this before the context is used. If the caller no longer waits, the context then does nothing.
    func begin(_ context: xsltTransformContextPtr) {
        let address = UInt(bitPattern: context)
        let isGivenUp = state.withLock { state in
            state.context = address
            return state.isGivenUp
        }
        if isGivenUp { context.pointee.state = XSLT_STATE_STOPPED }
    }

    /// Ends the run. Call this before the context is inspected or freed.
    func end() {
        state.withLock { $0.context = 0 }
    }

    func finish(_ result: Result<String, ConversionError>) {
        self.result.fulfill(result)
    }

    /// Waits for the result; at `deadline`, stops the transformation. It ends at its next instruction, on its own thread.
    func wait(until deadline: ContinuousClock.Instant) throws(ConversionError) -> String {
        guard let result = result.wait(until: deadline) else {
            state.withLock { state in
                state.isGivenUp = true
                xsltTransformContextPtr(bitPattern: state.context)?.pointee.state = XSLT_STATE_STOPPED
            }
            throw .transformation("it was not done when the procedure's time was over")
        }
        return try result.get()
    }
}
