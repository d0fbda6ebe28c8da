import AdapterRuntime
import CoreMetrics
import Foundation
import PrometheusExporter

/// What one call records, a million times: its outcome and time, and those of one request to a back end. Goal: 1 us.
enum Recordings {
    private static let calls = 1_000_000

    static func measure() {
        print("recordings of a call, in microseconds of CPU time")
        for _ in 0..<3 {
            let nothing = time(NOOPMetricsHandler.instance)
            let registry = PrometheusRegistry()
            let ours = time(registry)
            guard registry.text().contains(" \(calls / 100 * 99)\n") else {
                print("    the registry has not counted the calls:", registry.text())
                return
            }
            print("    without a registry \(nothing.short)  with one \(ours.short)  (goal 1.00)")
        }
    }

    /// The CPU time of a call's recordings.
    private static func time(_ factory: any MetricsFactory) -> Double {
        let procedure = ProcedureMetrics(adapter: "A", procedure: "run", factory)
        let backEnd = BackEndMetrics(.http, adapter: "A", factory)
        let start = processorTime()
        for number in 0..<calls {
            // Across several buckets.
            let took = Duration.microseconds(number % 20_000)
            backEnd.record(.ok, took: took)
            procedure.record(number % 100 == 0 ? .unsuccessful : .ok, took: took)
        }
        return (processorTime() - start) / Double(calls) * 1e6
    }
}
