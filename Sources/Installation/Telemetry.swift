package import Core
package import Logging
package import OTLPExporter
import PrometheusExporter
package import Storage

/// The telemetry of an installation and of its apps: logs, metrics and traces, with the clock that dates them.
package struct Telemetry: Sendable {
    package let logger: Logger
    package let time: any TimeSource
    /// The log entries of apps.
    package let clientLog: SQLiteClientLog
    package let metrics: ServerMetrics
    /// Sends spans to a collector; `nil` if tracing is off.
    package let spans: SpanExporter?
    /// Makes the spans of requests, calls and deliveries; `nil` without `traces.endpoint` and `log.access`.
    package let tracer: OTLPTracer?

    /// - Parameter name: the server's.
    init(
        _ settings: InstallationSettings, name: String, clientLog: SQLiteClientLog, metrics: ServerMetrics,
        time: any TimeSource, logger: Logger
    ) {
        (self.logger, self.time, self.clientLog, self.metrics) = (logger, time, clientLog, metrics)
        spans = settings.traceEndpoint.map {
            SpanExporter(
                url: $0,
                resource: [
                    ("service.name", "lamplighter"), ("service.instance.id", name),
                    ("deployment.environment.name", settings.mode.rawValue),
                ],
                version: LamplighterVersion.current, gracePeriod: settings.gracePeriod, time: time, logger: logger,
                factory: metrics.registry)
        }
        // The access log shows the ids of traces that are not exported, too.
        tracer =
            spans != nil || settings.logsRequests ? OTLPTracer(ratio: settings.traceRatio, exporter: spans) : nil
    }
}
