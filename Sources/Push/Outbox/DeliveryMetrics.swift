import Core
public import CoreMetrics
import PushModel

/// The instruments of a worker.
public struct DeliveryMetrics: Sendable {
    private let factory: any MetricsFactory
    private let applications: Set<String>

    /// - Parameters:
    ///   - factory: where instruments come from; by default they record nothing.
    ///   - applications: the ids that appear as labels. All others are `other`: clients choose them.
    public init(factory: any MetricsFactory = NOOPMetricsHandler.instance, applications: Set<String> = []) {
        self.factory = factory
        self.applications = applications
    }

    func channel(_ channel: DeliveryChannel) -> ChannelMetrics {
        ChannelMetrics(channel, applications, factory)
    }
}

/// The instruments of one channel.
struct ChannelMetrics: Sendable {
    /// The outcome of an attempt.
    enum Outcome: String, Sendable, CaseIterable {
        case delivered, previewed, refused, expired, retried

        init(_ ending: DeliveryReport.Ending) {
            self =
                switch ending {
                case .delivered: .delivered
                case .previewed: .previewed
                case .refused: .refused
                case .expired: .expired
                case .retry: .retried
                }
        }
    }

    private let byApplication: [String: LabelledCounters<Outcome>]
    private let others: LabelledCounters<Outcome>
    private let seconds: CoreMetrics.Timer

    init(_ channel: DeliveryChannel, _ applications: Set<String>, _ factory: any MetricsFactory) {
        func counters(_ application: String) -> LabelledCounters<Outcome> {
            LabelledCounters(
                .endedDeliveries, "outcome", [("channel", "\(channel)"), ("application", application)], factory)
        }
        byApplication = Dictionary(uniqueKeysWithValues: applications.map { ($0, counters($0)) })
        others = counters("other")
        seconds = CoreMetrics.Timer(.attemptSeconds, [("channel", "\(channel)")], factory)
    }

    func ended(_ ending: DeliveryReport.Ending, of delivery: Delivery) {
        let counters = delivery.target.applicationID.flatMap { byApplication[$0] } ?? others
        counters.increment(Outcome(ending))
    }

    func attempt(took time: Duration) { seconds.record(time) }
}
