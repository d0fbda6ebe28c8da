public import CoreMetrics
import Synchronization

/// Counts the actions of guards: limits that turn a client away, circuit breakers that open, devices that stay although a
/// service reports them as lost.
///
/// A guard is named after its setting, or else after the limited quantity, as in the log. Guards act rarely, so that they are looked up by name.
public final class GuardCounters: Sendable {
    /// Counts nothing.
    public static let none = GuardCounters(factory: NOOPMetricsHandler.instance)

    package static let circuitBreaker = "circuit breaker"
    package static let massRemoval = "mass removal"

    private let factory: any MetricsFactory
    private let counters: Mutex<[String: Counter]>

    /// - Parameter factory: where counters come from. Those that alerts watch are made at once: Prometheus sees no increase in the
    ///   first value of a counter.
    public init(factory: any MetricsFactory) {
        self.factory = factory
        var known: [String: Counter] = [:]
        for name in [Self.circuitBreaker, Self.massRemoval] {
            known[name] = Counter(.guardActions, [("guard", name)], factory)
        }
        counters = Mutex(known)
    }

    /// Counts one action.
    ///
    /// - Parameter name: a constant in the code, never a client's value.
    package func acted(_ name: String) {
        let counter = counters.withLock { counters in
            if let known = counters[name] { return known }
            let counter = Counter(.guardActions, [("guard", name)], factory)
            counters[name] = counter
            return counter
        }
        counter.increment()
    }
}
