import Foundation
import TestSupport
import Testing

/// Scrapes a server once a minute of its clock, and has promtool evaluate the alert rules on the samples.
///
/// The samples are those of `GET /metrics`, with the labels and the series `up` that Prometheus adds. The first scrape is minute 0.
struct AlertRun {
    private static let instance = #"instance="10.0.0.7:10081""#

    private let server: RunningServer
    private let time: ManualTime
    private var scrapes: [Scrape] = []

    /// - Parameter time: the clock of the server.
    init(_ server: RunningServer, _ time: ManualTime) { (self.server, self.time) = (server, time) }

    /// The latest scrape.
    var latest: Scrape? { scrapes.last }

    /// Lets so many minutes pass, and scrapes the server in each.
    ///
    /// - Parameter activity: runs in each minute before the scrape, with the number of the minute.
    mutating func scrape(minutes: Int, after activity: (Int) async throws -> Void = { _ in }) async throws {
        for _ in 0..<minutes {
            time.advance(by: .seconds(60))
            try await activity(scrapes.count)
            scrapes.append(try await Scrape(server))
        }
    }

    /// Expects that an alert fires in the last minute, once, and in none of the first `healthy` minutes.
    ///
    /// - Parameter labels: the labels of the alert, without `instance`, as PromQL has them.
    func expectFiring(_ alert: String, labels: String, healthy: Int) async throws {
        let folder = try TemporaryFolder()
        try folder.write(testFile(of: alert, labels: labels, healthy: healthy), to: "run.test.yml")
        let tested = try await Promtool.run("test rules run.test.yml", in: folder.url)
        #expect(tested.status == 0, "\(alert): \(tested.text)")
        withExtendedLifetime(folder) {}
    }

    /// The values of each series, `_` for a scrape without it.
    private var series: [(name: String, values: String)] {
        let samples = scrapes.map { $0.samples.merging(["up": "1"]) { $1 } }
        return Set(samples.flatMap(\.keys)).sorted().map { name in
            (name, samples.map { $0[name] ?? "_" }.joined(separator: " "))
        }
    }

    /// The file for `promtool test rules`. `ALERTS` is the series that Prometheus makes of the states of alerts.
    private func testFile(of alert: String, labels: String, healthy: Int) -> String {
        let rules = MonitoringFilesTests.deploy.appending(path: "prometheus/lamplighter.rules.yml").path
        let input = series.map { series in
            let name = Self.quoted(Self.withTarget(series.name))
            return "      - series: \(name)\n        values: \(Self.quoted(series.values))"
        }
        let state = #"alertname="\#(alert)", alertstate="firing""#
        let firing = "ALERTS{\(state)}"
        return """
            rule_files: [\(Self.quoted(rules))]
            evaluation_interval: 1m
            tests:
              - interval: 1m
                input_series:
            \(input.joined(separator: "\n"))
                promql_expr_test:
                  - expr: \(Self.quoted("max_over_time(\(firing)[\(healthy)m])"))
                    eval_time: \(healthy - 1)m
                  - expr: \(Self.quoted(firing))
                    eval_time: \(scrapes.count - 1)m
                    exp_samples:
                      - labels: \(Self.quoted("ALERTS{\(state), \(Self.instance), \(labels)}"))
                        value: 1

            """
    }

    /// Adds the labels that Prometheus adds to each sample of a target.
    private static func withTarget(_ sample: String) -> String {
        let target = #"\#(instance), job="lamplighter""#
        return sample.hasSuffix("}") ? "\(sample.dropLast()), \(target)}" : "\(sample){\(target)}"
    }

    /// Returns a quoted string in YAML.
    private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }
}

/// The command `promtool` of Debian's package prometheus.
enum Promtool {
    /// Runs the command in a shell.
    ///
    /// - Returns: its exit status and its output.
    static func run(_ arguments: String, in folder: URL) async throws -> (status: Int32, text: String) {
        let output = Pipe()
        let process = try ChildProcess(
            "/bin/sh", ["-c", "promtool \(arguments)"], folder: folder, output: output, errors: output)
        let text = await output.fileHandleForReading.allText()
        return (await process.exitStatus, text)
    }
}
