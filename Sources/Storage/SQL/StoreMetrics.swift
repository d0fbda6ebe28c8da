import Core
public import CoreMetrics
public import PushModel
import Synchronization

/// The instruments of a store.
public struct StoreMetrics: Sendable {
    enum Operation: String, Sendable {
        case read, write
    }

    private let reads: CoreMetrics.Timer
    private let writes: CoreMetrics.Timer
    private let errors: LabelledCounters<StoreError.Code>
    private let damage = Damage()

    private final class Damage: Sendable {
        let error = Mutex<StoreError?>(nil)
    }

    /// The first error of a damaged file: it does not go away by itself, though many operations still work.
    public var damageFound: StoreError? { damage.error.withLock { $0 } }

    /// - Parameter factory: where instruments come from; by default they record nothing.
    public init(factory: any MetricsFactory = NOOPMetricsHandler.instance) {
        func timer(_ operation: Operation) -> CoreMetrics.Timer {
            CoreMetrics.Timer(.storeSeconds, [("operation", operation.rawValue)], factory)
        }
        (reads, writes) = (timer(.read), timer(.write))
        errors = LabelledCounters(.storeErrors, "code", [], factory)
    }

    /// Runs a transaction, and records its time and its failure.
    ///
    /// - Parameter failure: the store's error for an error that `body` has thrown.
    func record<Value>(
        _ operation: Operation, _ body: () throws -> Value, failure: (any Error) -> StoreError
    ) throws(StoreError) -> Value {
        let start = ContinuousClock.now
        defer { (operation == .read ? reads : writes).record(ContinuousClock.now - start) }
        do {
            return try body()
        } catch {
            let storeError = failure(error)
            errors.increment(storeError.code)
            if storeError.code == .corrupt { damage.error.withLock { $0 = $0 ?? storeError } }
            throw storeError
        }
    }
}
