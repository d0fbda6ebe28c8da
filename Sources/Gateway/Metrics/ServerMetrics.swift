import Core
import CoreMetrics
import PrometheusExporter

/// The metrics of one installation. Several installations may run in one process, so nothing here is global.
final class ServerMetrics: Sendable {
    let registry: PrometheusRegistry
    let guards: GuardCounters
    let clientRequests: ClientRequestMetrics
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
