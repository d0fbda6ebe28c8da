import CoreMetrics
import Synchronization

/// The kind of a metric, with the names in the line `# TYPE`.
enum MetricKind: String, Sendable {
    case counter, gauge, histogram
}

/// One metric: a name with its labels.
protocol MetricCell: AnyObject, Sendable {
    static var kind: MetricKind { get }

    /// Appends the metric's lines.
    ///
    /// - Parameter labels: as ``MetricText/labels(_:)`` returns them.
    func append(to text: inout String, name: String, labels: String)
}

/// A number that threads change without a lock: the bits of a `Double`.
struct AtomicDouble: ~Copyable, Sendable {
    private let bits = Atomic<UInt64>(0)

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

    func add(_ amount: Double) {
        var known = bits.load(ordering: .relaxed)
        while true {
            let sum = (Double(bitPattern: known) + amount).bitPattern
            let (exchanged, original) = bits.weakCompareExchange(expected: known, desired: sum, ordering: .relaxed)
            if exchanged { return }
            known = original
        }
    }
}

final class CounterCell: MetricCell, CounterHandler {
    static let kind = MetricKind.counter

    private let count = Atomic<Int64>(0)

    var value: Int64 { count.load(ordering: .relaxed) }

    func increment(by amount: Int64) { count.wrappingAdd(amount, ordering: .relaxed) }

    func reset() { count.store(0, ordering: .relaxed) }

    func append(to text: inout String, name: String, labels: String) {
        MetricText.append("\(value)", of: name, labels, to: &text)
    }
}

final class FloatingPointCounterCell: MetricCell, FloatingPointCounterHandler {
    static let kind = MetricKind.counter

    private let sum = AtomicDouble()

    func increment(by amount: Double) { sum.add(amount) }

    func reset() { sum.set(0) }

    func append(to text: inout String, name: String, labels: String) {
        MetricText.append(MetricText.number(sum.value), of: name, labels, to: &text)
    }
}

final class GaugeCell: MetricCell, MeterHandler, RecorderHandler {
    static let kind = MetricKind.gauge

    private let number = AtomicDouble()

    func set(_ value: Int64) { number.set(Double(value)) }

    func set(_ value: Double) { number.set(value) }

    func increment(by amount: Double) { number.add(amount) }

    func decrement(by amount: Double) { number.add(-amount) }

    func record(_ value: Int64) { number.set(Double(value)) }

    func record(_ value: Double) { number.set(value) }

    func append(to text: inout String, name: String, labels: String) {
        MetricText.append(MetricText.number(number.value), of: name, labels, to: &text)
    }
}

final class HistogramCell: MetricCell, TimerHandler, RecorderHandler {
    static let kind = MetricKind.histogram

    private let bounds: [Double]
    /// One for each bound, and one for values larger than all.
    private let counts: [CounterCell]
    private let sum = AtomicDouble()

    /// - Parameter buckets: the upper bounds, sorted.
    init(buckets: [Double]) {
        bounds = buckets
        counts = (0...buckets.count).map { _ in CounterCell() }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count].increment(by: 1)
        sum.add(value)
    }

    func append(to text: inout String, name: String, labels: String) {
        var count: Int64 = 0
        for (bound, cell) in zip(bounds + [.infinity], counts) {
            count += cell.value
            let label = #"le="\#(MetricText.number(bound))""#
            let all = labels.isEmpty ? label : "\(labels),\(label)"
            MetricText.append("\(count)", of: "\(name)_bucket", all, to: &text)
        }
        MetricText.append(MetricText.number(sum.value), of: "\(name)_sum", labels, to: &text)
        MetricText.append("\(count)", of: "\(name)_count", labels, to: &text)
    }
}
