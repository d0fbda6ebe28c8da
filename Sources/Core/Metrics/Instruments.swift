package import CoreMetrics

extension Counter {
    package convenience init(_ name: MetricName, _ labels: [(String, String)], _ factory: any MetricsFactory) {
        self.init(label: name.rawValue, dimensions: labels, factory: factory)
    }
}

extension Meter {
    package convenience init(_ name: MetricName, _ labels: [(String, String)], _ factory: any MetricsFactory) {
        self.init(label: name.rawValue, dimensions: labels, factory: factory)
    }
}

extension CoreMetrics.Timer {
    package convenience init(_ name: MetricName, _ labels: [(String, String)], _ factory: any MetricsFactory) {
        self.init(label: name.rawValue, dimensions: labels, factory: factory)
    }

    package func record(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}

/// A counter for each value of one label.
package struct LabelledCounters<Value: RawRepresentable<String> & CaseIterable & Hashable & Sendable>: Sendable {
    private let counters: [Value: Counter]

    package init(
        _ name: MetricName, _ label: String, _ labels: [(String, String)], _ factory: any MetricsFactory
    ) {
        counters = Dictionary(
            uniqueKeysWithValues: Value.allCases.map {
                ($0, Counter(name, labels + [(label, $0.rawValue)], factory))
            })
    }

    package func increment(_ value: Value) { counters[value]?.increment() }
}
