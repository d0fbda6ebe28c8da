import AdapterRuntime
import Core
import Foundation
import PrometheusExporter
import TestSupport
import Testing

@testable import Installation

/// Compares `deploy` with the metrics that the server exports, and lets promtool check both.
@Suite("Monitoring of the server", .defaultTimeLimit)
struct MonitoringFilesTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardizedFileURL
    /// The folder of the files for Prometheus and Grafana.
    static let deploy = repository.appending(path: "deploy")

    private static let connectivity = """
        <connectivity><connectionPolicy xsi:type="http:HTTPConnectionPolicyType">
        <domain>127.0.0.1</domain><port>1</port>
        </connectionPolicy></connectivity>
        """
    private static let files = [
        "adapters/A/A.xml": adapterXML("A", connectivity: connectivity),
        "adapters/A/A-impl.js": """
        WL.Server.createEventSource({ name: 'S', poll: { interval: 3600, onPoll: 'onPoll' } });
        function onPoll() {}
        function run() { return WL.Server.invokeHttp({ method: 'get', path: '/' }); }
        """,
    ]

    /// Returns the names of metrics in a file. A histogram's name is without `_bucket`, `_sum` and `_count`.
    private static func metricNames(in text: String) -> Set<String> {
        Set(
            text.matches(of: /(lamplighter|process)_[a-z_]+/).map { match in
                String(match.0).replacing(/_(bucket|sum|count)$/, with: "")
            })
    }

    @Test("promtool finds no problem in a running server's metrics")
    func metrics() async throws {
        try await RunningServer.run(files: Self.files, over: .http2) { (server) async throws in
            _ = await server.installation.runtime.invoke(adapter: "A", procedure: "run", parameters: "[]")
            let folder = try TemporaryFolder()
            try folder.write(try await Scrape(server).text, to: "metrics.txt")
            let checked = try await Promtool.run("check metrics < metrics.txt", in: folder.url)
            #expect(checked.status == 0 && checked.text.isEmpty, "\(checked.text)")
        }
    }

    @Test("the rules, the dashboard and the manual use names that the server exports, and the manual has them all")
    func names() async throws {
        try await RunningServer.run(files: Self.files, over: .http2) { (server) async throws in
            let known = server.installation.telemetry.metrics.registry.names
            // Nothing is exported without a description.
            #expect(known == Set(MetricName.allCases.map(\.rawValue)))
            for file in [
                "deploy/prometheus/lamplighter.rules.yml", "deploy/prometheus/lamplighter.test.yml",
                "deploy/grafana/lamplighter.json",
            ] {
                let text = try String(contentsOf: Self.repository.appending(path: file), encoding: .utf8)
                let used = Self.metricNames(in: text)
                #expect(!used.isEmpty && used.isSubset(of: known), "\(file): \(used.subtracting(known).sorted())")
            }
            let manual = try String(
                contentsOf: Self.repository.appending(path: "docs/operating/monitor.md"), encoding: .utf8)
            for name in known { #expect(manual.contains("| `\(name)` |"), "\(name)") }
        }
    }

    @Test("promtool accepts the rules, and each of them fires as in its test")
    func rules() async throws {
        let folder = Self.deploy.appending(path: "prometheus")
        for arguments in [
            "check rules lamplighter.rules.yml", "test rules lamplighter.test.yml",
            "check config --syntax-only prometheus.yml",
        ] {
            let checked = try await Promtool.run(arguments, in: folder)
            #expect(checked.status == 0, "\(arguments): \(checked.text)")
        }
    }

    @Test("each alert has a test, and a section in the manual that its runbook names")
    func alerts() throws {
        func read(_ path: String) throws -> String {
            try String(contentsOf: Self.repository.appending(path: path), encoding: .utf8)
        }
        let rules = try read("deploy/prometheus/lamplighter.rules.yml")
        let tests = try read("deploy/prometheus/lamplighter.test.yml")
        let manual = try read("docs/operating/monitor.md")
        let alerts = rules.matches(of: /- alert: (\w+)/).map { String($0.1) }
        #expect(alerts.count > 10)
        for alert in alerts {
            #expect(tests.contains("- name: \(alert)\n"), "\(alert)")
            #expect(manual.contains("\n### \(alert)\n"), "\(alert)")
            #expect(rules.contains("runbook: docs/operating/monitor.md#\(alert.lowercased())\n"), "\(alert)")
        }
    }

    @Test("the dashboard is JSON, and each of its panels has a query")
    func dashboard() throws {
        let json = try JSONValue(
            parsing: String(contentsOf: Self.deploy.appending(path: "grafana/lamplighter.json"), encoding: .utf8))
        let panels = (json["panels"]?.array ?? []).filter { $0["type"]?.string != "row" }
        #expect(panels.count > 10)
        for panel in panels {
            let queries = (panel["targets"]?.array ?? []).compactMap { $0["expr"]?.string }
            #expect(!queries.isEmpty && queries.allSatisfy { !$0.isEmpty }, "\(panel["title"]?.string ?? "")")
        }
    }
}
