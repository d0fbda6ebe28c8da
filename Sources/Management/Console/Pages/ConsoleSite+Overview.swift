import Core
import Foundation
import Installation

/// The overview: the server's alerts, counts and recent activity.
extension ConsoleSite {
    static let overviewPages = [
        ConsolePage("", menu: ConsoleMenuEntry(group: .server, label: "Overview")) { call in
            let range = call.field("range").flatMap { ActivityRange(rawValue: $0) } ?? .quarterHour
            let overview = try await call.get("overview")
            let activity = try await call.get("activity", query: ["range": range.rawValue])
            let charts = charts(of: activity, range, now: call.api.installation.time.now)
            return ConsoleView(
                title: "Overview",
                sections: [
                    ConsoleSection(live: "state", stateBlocks(overview)),
                    ConsoleSection(
                        "Deliveries in the store", live: "deliveries",
                        [.counts(stateCounts(overview["deliveries"] ?? .null))]),
                    ConsoleSection("Registered and connected", live: "registered", registeredBlocks(overview)),
                    ConsoleSection(
                        "Last \(range.label)", live: "activity", [.buttons(rangeButtons(range)), .charts(charts)]),
                ])
        }
    ]

    private static func stateBlocks(_ overview: JSONValue) -> [ConsoleBlock] {
        let alerts = overview["alerts"]?.array ?? []
        let counts =
            "\(overview.texts("adapters").count.counted("adapter")) and "
            + "\(overview.texts("eventSources").count.counted("event source")); "
            + "\(overview.text("mode") ?? "") mode, store in \(overview.text("store") ?? "")."
        guard !alerts.isEmpty else {
            return [.paragraph([.text("All is well. The server runs \(counts)")], .good)]
        }
        let blocks = alerts.map { alert -> ConsoleBlock in
            let text = (alert.text("text") ?? "") + ";"
            let since = alert.text("since").map { [ConsoleValue.text("Since"), .time($0)] }
            let first = since == nil ? text.prefix(1).uppercased() + text.dropFirst() : text
            let values =
                (since ?? []) + [
                    .text(first), .text("\(alert.text("remedy") ?? "")."),
                ] + (alert.text("lastTried").map { [.text("Last tried"), .time($0)] } ?? [])
                + (target(of: alert).map { [.link("See", $0)] } ?? [])
            return .paragraph(values, alert.text("severity") == "error" ? .bad : .warn)
        }
        return blocks + [.paragraph([.muted("The server runs \(counts)")])]
    }

    /// Returns the page with the details; `nil` if no page shows them.
    private static func target(of alert: JSONValue) -> String? {
        switch alert.text("subject") {
        case "adapters": consolePath("adapters")
        case "polls", "backEnds":
            // Adapter.EventSource, or the adapter and how it reaches the back end.
            consolePath("adapters", String((alert.text("name") ?? "").prefix { $0 != "." && $0 != " " }))
        case "credentials": consolePath("credentials")
        case "deliveries": consoleAddress("deliveries", ["state": "queued"])
        default: nil
        }
    }

    private static func registeredBlocks(_ overview: JSONValue) -> [ConsoleBlock] {
        [
            .counts([
                ConsoleCount("devices", overview.integer("devices"), href: consolePath("devices")),
                ConsoleCount("subscriptions", overview.integer("subscriptions"), href: consolePath("subscriptions")),
                ConsoleCount("phone numbers", overview.integer("smsSubscriptions"), href: consolePath("subscriptions")),
                ConsoleCount("sessions of apps", overview.integer("sessions"), href: consolePath("sessions")),
            ])
        ]
    }

    private static func rangeButtons(_ range: ActivityRange) -> [ConsoleValue] {
        ActivityRange.allCases.map {
            .go(
                $0.label, $0 == .quarterHour ? root : "\(root)?range=\($0.rawValue)", name: "",
                style: $0 == range ? .plain : .quiet)
        }
    }

    // MARK: Charts

    private static func charts(of activity: JSONValue, _ range: ActivityRange, now: Date) -> [ConsoleChart] {
        let items = Dictionary(
            activity.items.compactMap { item in
                item.text("start").flatMap { Date(spelling: $0) }.map { (Int($0.timeIntervalSince1970), item) }
            }
        ) { first, _ in first }
        let end = Int(now.timeIntervalSince1970) / range.interval * range.interval
        let starts = stride(from: end - range.length + range.interval, through: end, by: range.interval)
        func values(_ value: (JSONValue) -> Double) -> [Double?] { starts.map { items[$0].map(value) } }
        func rate(_ keys: String...) -> [Double?] {
            values { item in
                keys.reduce(0) { $0 + (item[$1]?.number ?? 0) } / max(item["seconds"]?.number ?? 1, 1)
            }
        }
        func chart(_ title: String, _ series: [ConsoleChart.Series], _ format: @escaping (Double) -> String)
            -> ConsoleChart
        {
            ConsoleChart(title: title, series: series, format: format, start: "\(range.label) ago")
        }
        return [
            chart(
                "Calls of procedures",
                [
                    .init(name: "all", values: rate("calls")),
                    .init(name: "failed", style: .bad, values: rate("failedCalls")),
                ],
                perSecond),
            chart(
                "Deliveries that ended",
                [
                    .init(name: "delivered", style: .good, values: rate("delivered")),
                    .init(name: "refused or expired", style: .bad, values: rate("refused", "expired")),
                    .init(name: "previewed", style: .warn, values: rate("previewed")),
                ], perSecond),
            chart(
                "Deliveries that wait", [.init(name: "waiting", values: values { $0["waiting"]?.number ?? 0 })],
                { $0.formatted(.number.locale(.console)) }),
            chart(
                "Age of the oldest delivery that has not ended",
                [.init(name: "age", values: values { $0["oldestDelivery"]?.number ?? 0 })], duration),
            chart(
                "Lateness of polls", [.init(name: "lateness", values: values { $0["pollLateness"]?.number ?? 0 })],
                duration),
            chart(
                "Errors in the log",
                [.init(name: "errors", style: .bad, values: rate("errors").map { $0.map { $0 * 60 } })],
                { "\(number($0))/min" }),
        ]
    }

    private static func perSecond(_ value: Double) -> String { "\(number(value))/s" }

    /// With three significant digits.
    private static func number(_ value: Double) -> String {
        value.formatted(.number.precision(.significantDigits(1...3)).locale(.console))
    }

    private static func duration(_ seconds: Double) -> String {
        switch seconds {
        case ..<120: "\(number(seconds)) s"
        case ..<7200: "\(number(seconds / 60)) min"
        default: "\(number(seconds / 3600)) h"
        }
    }
}
