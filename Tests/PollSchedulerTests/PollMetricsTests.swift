import Core
import Logging
import PollScheduler
import PrometheusExporter
import TestSupport
import Testing

@Suite("Metrics of polls")
struct PollMetricsTests {
    @Test("count runs by event source and outcome, and have the time of each")
    func runs() async throws {
        let fixture = PollFixture()
        let registry = PrometheusRegistry()
        fixture.probe.fail(news, with: "the back end is away")
        let scheduler = PollScheduler(
            store: fixture.store, time: fixture.time, logger: Logger(label: "polls") { _ in fixture.log },
            metrics: PollMetrics(factory: registry),
            run: { [probe = fixture.probe] in try await probe.run($0) })
        await scheduler.schedule([try poll(mail, every: 10), try poll(news, every: 10)])
        fixture.time.advance(by: .seconds(20))
        await scheduler.runDue()
        let lines = registry.text().split(separator: "\n")
        for line in [
            #"lamplighter_poll_runs_total{event_source="Mail.inbox",outcome="ok"} 1"#,
            #"lamplighter_poll_runs_total{event_source="Mail.inbox",outcome="failed"} 0"#,
            #"lamplighter_poll_runs_total{event_source="News.headlines",outcome="failed"} 1"#,
            "lamplighter_poll_seconds_count 2",
        ] {
            #expect(lines.contains { $0 == line }, "\(line)")
        }
    }
}
