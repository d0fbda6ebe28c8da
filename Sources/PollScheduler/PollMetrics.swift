import Core
public import CoreMetrics
import PushModel

/// The instruments of a scheduler.
public struct PollMetrics: Sendable {
    enum Outcome: String, Sendable, CaseIterable {
        case ok, failed
    }

    private let factory: any MetricsFactory
    private let seconds: CoreMetrics.Timer

    /// - Parameter factory: where instruments come from; by default they record nothing.
    public init(factory: any MetricsFactory = NOOPMetricsHandler.instance) {
        self.factory = factory
        seconds = CoreMetrics.Timer(.pollSeconds, [], factory)
    }

    func runs(of eventSource: EventSourceID) -> LabelledCounters<Outcome> {
        LabelledCounters(.pollRuns, "outcome", [("event_source", "\(eventSource)")], factory)
    }

    func run(took time: Duration) { seconds.record(time) }
}
