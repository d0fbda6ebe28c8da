import Core
import Foundation
import Installation

/// A chart of values over time.
struct ConsoleChart {
    struct Series {
        let name: String
        var style = ConsoleStyle.plain
        /// The values, from the oldest to the newest; `nil` for a point without a measurement.
        let values: [Double?]
    }

    let title: String
    let series: [Series]
    /// Formats a value.
    let format: (Double) -> String
    /// The label of the oldest value: `15 minutes ago`.
    let start: String

    private static let height = 100.0

    var context: [String: Any] {
        let all = series.flatMap { $0.values.compactMap(\.self) }
        let highest = all.max() ?? 0
        let width = max((series.map(\.values.count).max() ?? 1) - 1, 1)
        // The last interval has no record at first.
        func latest(_ series: Series) -> String { series.values.suffix(2).compactMap(\.self).last.map(format) ?? "–" }
        let words = series.map { series in
            let highest = series.values.compactMap(\.self).max().map(format)
            return "\(series.name): now \(latest(series)), highest \(highest ?? "–")"
        }
        return [
            "title": title, "width": width, "highest": all.isEmpty ? "no data yet" : format(highest), "start": start,
            "latest": series.count == 1 ? latest(series[0]) : "",
            "summary": "\(title), since \(start). \(words.joined(separator: ". "))",
            "lines": series.flatMap { series in
                Self.lines(series.values, highest: highest).map {
                    ["style": series.style.rawValue, "points": $0] as [String: Any]
                }
            },
            "hasLegend": series.count > 1,
            "series": series.map {
                ["name": $0.name, "style": $0.style.rawValue, "latest": latest($0)] as [String: Any]
            },
        ]
    }

    /// The points of each part without gaps. A single value becomes a short line.
    private static func lines(_ values: [Double?], highest: Double) -> [String] {
        var lines: [[String]] = []
        var line: [String] = []
        for (index, value) in values.enumerated() {
            guard let value else {
                if !line.isEmpty { lines.append(line) }
                line = []
                continue
            }
            let y = highest > 0 ? height - value / highest * height : height
            line.append("\(index),\(Int(y.rounded()))")
        }
        if !line.isEmpty { lines.append(line) }
        return lines.map { $0.count == 1 ? "\($0[0]) \($0[0])" : $0.joined(separator: " ") }
    }
}

/// The server's name, mode and state in the header of each page of the console.
struct ConsoleHeader {
    /// The id of the strip on a page.
    static let id = "server-strip"

    let name: String
    let mode: InstallationSettings.Mode
    /// `nil` for browsers without a login, which see the name only.
    let report: HealthReport?

    var context: [String: Any] {
        var context: [String: Any] = ["id": Self.id, "server": name.printable]
        if let report {
            let (label, style) = Self.state(of: report)
            // Every account may open the overview, which begins with the findings.
            context["state"] = [
                "mode": mode.rawValue, "label": label, "style": style.rawValue, "href": "\(ConsoleSite.root)#state",
            ]
        }
        return context
    }

    private static func state(of report: HealthReport) -> (label: String, style: ConsoleStyle) {
        let errors = report.findings.count { $0.severity == .error }
        return switch report.state {
        case .notReady: ("Not ready", .bad)
        case .ready: ("Ready", .good)
        case .degraded where errors > 0: (errors.counted("error"), .bad)
        case .degraded: (report.findings.count.counted("warning"), .warn)
        }
    }
}
