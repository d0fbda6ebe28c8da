package import Core
import CoreMetrics
package import PrometheusExporter
import Synchronization

/// The metrics of one installation. Several installations may run in one process, so nothing here is global.
package final class ServerMetrics: Sendable {
    package let registry: PrometheusRegistry
    package let guards: GuardCounters
    package let clientRequests: ClientRequestMetrics
    let states: StateGauges
    let process: ProcessMetrics

    init() {
        let registry = PrometheusRegistry()
        for name in MetricName.allCases { registry.describe(name.rawValue, name.help, buckets: name.buckets) }
        self.registry = registry
        guards = GuardCounters(factory: registry)
        clientRequests = ClientRequestMetrics(factory: registry)
        states = StateGauges(factory: registry)
        process = ProcessMetrics(factory: registry)
    }
}

/// Gauges that are set when `/metrics` is read.
struct StateGauges: Sendable {
    /// Each name with its labels.
    private static let labels: [MetricName: [String]] = [
        .info: ["version", "mode", "server"], .sessions: [],
        .calls: ["adapter", "state"], .scopes: [], .machines: [], .deliveries: ["state"],
        .oldestDelivery: ["channel", "application"], .credentialExpiry: ["service", "application"], .pollLateness: [],
        .diskFree: [],
        .healthFindings: ["check", "severity"],
        .certificateExpiry: [],
    ]

    private let families: [MetricName: GaugeFamily]

    init(factory: any MetricsFactory) {
        families = Dictionary(
            uniqueKeysWithValues: Self.labels.map { ($0.key, GaugeFamily($0.key, labels: $0.value, factory)) })
    }

    /// Sets the only gauge of a name; removes it with `nil`.
    func set(_ name: MetricName, _ value: Double?) {
        var values: [[String]: Double] = [:]
        values[[]] = value
        set(name, values)
    }

    /// Sets all gauges of a name; removes those without a value.
    ///
    /// - Parameter values: by the values of the labels.
    func set(_ name: MetricName, _ values: [[String]: Double]) { families[name]?.set(values) }
}

/// The gauges of one name, whose labels come and go.
final class GaugeFamily: Sendable {
    private let name: MetricName
    private let labels: [String]
    private let factory: any MetricsFactory
    private let meters = Mutex<[[String]: Meter]>([:])

    init(_ name: MetricName, labels: [String], _ factory: any MetricsFactory) {
        (self.name, self.labels, self.factory) = (name, labels, factory)
    }

    /// Sets the gauges with these values of the labels, and removes the others.
    func set(_ values: [[String]: Double]) {
        meters.withLock { meters in
            for (key, meter) in meters where values[key] == nil {
                meter.destroy()
                meters[key] = nil
            }
            for (key, value) in values {
                let meter = meters[key] ?? Meter(name, Array(zip(labels, key)), factory)
                meters[key] = meter
                meter.set(value)
            }
        }
    }
}
