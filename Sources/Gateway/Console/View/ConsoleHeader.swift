/// The server's name, mode and state in the header of each page of the console.
struct ConsoleHeader {
    /// The id of the strip on a page.
    static let id = "server-strip"

    let name: String
    let mode: InstallationSettings.Mode
    /// `nil` for visitors without a login, who see the name only.
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
