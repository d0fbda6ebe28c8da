import CoreMetrics
import Testing

@testable import PrometheusExporter

@Suite("The exporter for Prometheus")
struct PrometheusRegistryTests {
    private let registry = PrometheusRegistry()

    @Test("writes a counter with its help and type")
    func counter() {
        registry.describe("calls_total", "Calls.")
        let counter = Counter(label: "calls_total", dimensions: [("adapter", "A")], factory: registry)
        counter.increment()
        counter.increment(by: 2)
        #expect(
            registry.text() == """
                # HELP calls_total Calls.
                # TYPE calls_total counter
                calls_total{adapter="A"} 3

                """)
    }

    @Test("returns one metric for all instruments with the same name and labels, whatever their order")
    func sameMetric() {
        for dimensions in [[("a", "1"), ("b", "2")], [("b", "2"), ("a", "1")]] {
            Counter(label: "calls_total", dimensions: dimensions, factory: registry).increment()
        }
        #expect(registry.text().hasSuffix("calls_total{a=\"1\",b=\"2\"} 2\n"))
    }

    @Test("sorts metrics by name and by labels")
    func sorting() {
        for (name, value) in [("b", "2"), ("b", "1"), ("a", "3")] {
            Meter(label: name, dimensions: [("x", value)], factory: registry).set(1)
        }
        let samples = registry.text().split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(samples == ["a{x=\"3\"} 1", "b{x=\"1\"} 1", "b{x=\"2\"} 1"])
    }

    @Test("writes gauges as they were last set, with fractions, infinity and NaN")
    func gauges() {
        let meter = Meter(label: "level", factory: registry)
        for (value, text) in [(2.0, "2"), (0.5, "0.5"), (-1, "-1"), (.infinity, "+Inf"), (.nan, "NaN")] {
            meter.set(value)
            #expect(registry.text() == "# TYPE level gauge\nlevel \(text)\n")
        }
        Recorder(label: "size", aggregate: false, factory: registry).record(7)
        #expect(registry.text().hasSuffix("# TYPE size gauge\nsize 7\n"))
    }

    @Test("adds up fractions in a floating-point counter")
    func floatingPointCounter() {
        let counter = FloatingPointCounter(label: "seconds_total", factory: registry)
        counter.increment(by: 0.25)
        counter.increment(by: 0.5)
        #expect(registry.text() == "# TYPE seconds_total counter\nseconds_total 0.75\n")
    }

    @Test("writes a timer as a histogram in seconds, with cumulative buckets")
    func histogram() {
        registry.describe("seconds", "Times.", buckets: [0.1, 1])
        let timer = CoreMetrics.Timer(label: "seconds", dimensions: [("a", "b")], factory: registry)
        for milliseconds in [50, 100, 500, 2000] { timer.recordMilliseconds(milliseconds) }
        #expect(
            registry.text() == """
                # HELP seconds Times.
                # TYPE seconds histogram
                seconds_bucket{a="b",le="0.1"} 2
                seconds_bucket{a="b",le="1"} 3
                seconds_bucket{a="b",le="+Inf"} 4
                seconds_sum{a="b"} 2.65
                seconds_count{a="b"} 4

                """)
    }

    @Test("escapes descriptions and the values of labels")
    func escaping() {
        registry.describe("calls_total", "A \\ and\na line")
        Counter(label: "calls_total", dimensions: [("name", "a\"b\\c\nd")], factory: registry).increment()
        #expect(
            registry.text() == """
                # HELP calls_total A \\\\ and\\na line
                # TYPE calls_total counter
                calls_total{name="a\\"b\\\\c\\nd"} 1

                """)
    }

    @Test("replaces characters that a name cannot have")
    func names() {
        Counter(label: "hb.requests-total", dimensions: [("1st", "x")], factory: registry).increment()
        #expect(registry.text().hasSuffix("hb_requests_total{_1st=\"x\"} 1\n"))
    }

    @Test("leaves out a metric that was destroyed, and one that is only described")
    func destroying() {
        registry.describe("other", "Nothing yet.")
        let meter = Meter(label: "level", factory: registry)
        meter.destroy()
        #expect(registry.text().isEmpty)
        #expect(registry.names == ["level", "other"])
    }

    @Test("leaves out an instrument of another kind under a known name")
    func kinds() {
        Counter(label: "x", factory: registry).increment()
        Meter(label: "x", dimensions: [("a", "b")], factory: registry).set(5)
        #expect(registry.text() == "# TYPE x counter\nx 1\n")
    }

    @Test("loses no value that many tasks record at once")
    func concurrency() async {
        let counter = Counter(label: "calls_total", factory: registry)
        let timer = CoreMetrics.Timer(label: "seconds", factory: registry)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<10_000 {
                        counter.increment()
                        timer.recordSeconds(1)
                    }
                }
            }
        }
        let text = registry.text()
        #expect(text.contains("\ncalls_total 80000\n") && text.contains("\nseconds_sum 80000\nseconds_count 80000\n"))
    }
}
