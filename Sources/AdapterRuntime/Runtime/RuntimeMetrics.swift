public import Core
public import CoreMetrics
import JavaScriptEngine

/// The instruments of a runtime.
public struct RuntimeMetrics: Sendable {
    let guards: GuardCounters
    private let factory: any MetricsFactory
    private let limits: LabelledCounters<LimitExceededError.Limit>

    /// - Parameter factory: where instruments come from; by default they record nothing.
    public init(factory: any MetricsFactory = NOOPMetricsHandler.instance, guards: GuardCounters = .none) {
        (self.factory, self.guards) = (factory, guards)
        limits = LabelledCounters(.callLimits, "limit", [], factory)
    }

    /// Counts a call that a limit ended.
    func exceeded(_ limit: LimitExceededError.Limit) { limits.increment(limit) }

    func procedure(_ name: String, of adapter: String) -> ProcedureMetrics {
        ProcedureMetrics(adapter: adapter, procedure: name, factory)
    }

    func backEnd(_ kind: BackEndMetrics.Kind, of adapter: String) -> BackEndMetrics {
        BackEndMetrics(kind, adapter: adapter, factory)
    }
}

/// The instruments of one declared procedure.
package struct ProcedureMetrics: Sendable {
    private let calls: LabelledCounters<ProcedureResult.Outcome>
    private let seconds: CoreMetrics.Timer

    package init(adapter: String, procedure: String, _ factory: any MetricsFactory) {
        let labels = [("adapter", adapter), ("procedure", procedure)]
        calls = LabelledCounters(.procedureCalls, "outcome", labels, factory)
        seconds = CoreMetrics.Timer(.procedureSeconds, labels, factory)
    }

    package func record(_ outcome: ProcedureResult.Outcome, took time: Duration) {
        calls.increment(outcome)
        seconds.record(time)
    }
}

/// The instruments of an adapter's back end of one kind.
package struct BackEndMetrics: Sendable {
    package enum Kind: String, Sendable {
        case http, sql
    }

    package enum Outcome: String, Sendable, CaseIterable {
        case ok
        /// A response with a status of 500 or more, or a statement that the database refused.
        case error
        /// No usable response: no connection, a timeout, or a response that cannot be read.
        case failed
        /// The call ended while it waited.
        case abandoned
    }

    private let requests: LabelledCounters<Outcome>
    private let seconds: CoreMetrics.Timer

    package init(_ kind: Kind, adapter: String, _ factory: any MetricsFactory) {
        let labels = [("adapter", adapter), ("kind", kind.rawValue)]
        requests = LabelledCounters(.backEndRequests, "outcome", labels, factory)
        seconds = CoreMetrics.Timer(.backEndSeconds, labels, factory)
    }

    package func record(_ outcome: Outcome, took time: Duration) {
        requests.increment(outcome)
        seconds.record(time)
    }
}
