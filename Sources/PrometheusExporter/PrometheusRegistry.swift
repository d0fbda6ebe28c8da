public import CoreMetrics
import Synchronization

/// Keeps the metrics that swift-metrics records, and writes them in Prometheus' text-based format 0.0.4.
///
/// The same name with the same labels is the same metric, made by any caller. Recording takes no lock. Making an instrument
/// and writing the output take one, so code makes its instruments once and keeps them.
///
/// | swift-metrics | Prometheus |
/// |---|---|
/// | `Counter`, `FloatingPointCounter` | counter |
/// | `Meter`, `Gauge`, `Recorder` with `aggregate: false` | gauge |
/// | `Timer` (in seconds), `Recorder` | histogram |
public final class PrometheusRegistry: MetricsFactory {
    /// The type of the response to a scrape.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// The default upper bounds of a histogram, in seconds.
    public static let standardBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

    /// All metrics of one name.
    private struct Family {
        var help: String?
        var buckets = PrometheusRegistry.standardBuckets
        var kind: MetricKind?
        /// The cells by their labels as the output spells them.
        var cells: [String: any MetricCell] = [:]
    }

    private let families = Mutex<[String: Family]>([:])

    public init() {}

    /// Sets the help of a metric. Buckets apply to instruments that are created later.
    ///
    /// - Parameter buckets: the upper bounds of a histogram, in its unit; `nil` for ``standardBuckets``.
    public func describe(_ name: String, _ help: String, buckets: [Double]? = nil) {
        families.withLock { families in
            families[name, default: Family()].help = help
            if let buckets { families[name]?.buckets = buckets.sorted() }
        }
    }

    /// The names that were described or have an instrument; of a histogram without `_bucket`, `_sum` and `_count`.
    public var names: Set<String> { families.withLock { Set($0.keys) } }

    /// Returns all metrics that have an instrument, sorted by name and labels.
    public func text() -> String {
        let families = families.withLock { $0 }
        var text = ""
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            guard let kind = family.kind, !family.cells.isEmpty else { continue }
            if let help = family.help { text += "# HELP \(name) \(MetricText.escapedHelp(help))\n" }
            text += "# TYPE \(name) \(kind.rawValue)\n"
            for (labels, cell) in family.cells.sorted(by: { $0.key < $1.key }) {
                cell.append(to: &text, name: name, labels: labels)
            }
        }
        return text
    }

    /// Returns the metric of that name and those labels, and creates it if needed.
    ///
    /// A name has one kind. An instrument of another kind is not exported.
    private func cell<Cell: MetricCell>(
        _ name: String, _ dimensions: [(String, String)], _ make: ([Double]) -> Cell
    ) -> Cell {
        let (name, labels) = (MetricText.name(name), MetricText.labels(dimensions))
        return families.withLock { families in
            var family = families[name] ?? Family()
            if let known = family.cells[labels] as? Cell { return known }
            let cell = make(family.buckets)
            guard family.kind ?? Cell.kind == Cell.kind, family.cells[labels] == nil else { return cell }
            family.kind = Cell.kind
            family.cells[labels] = cell
            families[name] = family
            return cell
        }
    }

    private func remove(_ handler: AnyObject) {
        let id = ObjectIdentifier(handler)
        families.withLock { families in
            for (name, family) in families {
                for (labels, cell) in family.cells where ObjectIdentifier(cell) == id {
                    families[name]?.cells[labels] = nil
                }
            }
        }
    }

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        cell(label, dimensions) { _ in CounterCell() }
    }

    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        cell(label, dimensions) { _ in FloatingPointCounterCell() }
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        cell(label, dimensions) { _ in GaugeCell() }
    }

    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard aggregate else { return cell(label, dimensions) { _ in GaugeCell() } }
        return cell(label, dimensions) { HistogramCell(buckets: $0) }
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        cell(label, dimensions) { HistogramCell(buckets: $0) }
    }

    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }

    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }

    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }

    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }

    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }
}
