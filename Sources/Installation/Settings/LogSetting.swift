import Foundation

/// The settings under `log`.
package struct LogSettings: Sendable {
    /// The form of a line.
    package enum Format: String, Sendable, CaseIterable {
        /// A readable line, such as `2026-11-21T07:12:13.123Z info PushAdapter: submitNotification >> bjones`.
        case text
        /// A JSON object on one line.
        case json
    }

    package var format = Format.text
    /// The path of the file to append the log to; `nil` for standard error.
    package var file: String?
}

/// The settings of the log of `lamplighter serve`.
extension Setting {
    static let log: [Setting] = [
        Setting(
            key: "log.format", expected: LogSettings.Format.allCases.map(\.rawValue).joined(separator: " or "),
            show: { $0.log.format.rawValue }
        ) { settings, text in
            guard let format = LogSettings.Format(rawValue: text) else { return false }
            settings.log.format = format
            return true
        },
        Setting(key: "log.file", expected: "a file", unset: "standard error", show: { $0.log.file }) { settings, text in
            settings.log.file = URL(filePath: text, relativeTo: settings.installation.project).path
            return !text.isEmpty
        },
        .flag("log.access", of: \.installation.logsRequests),
    ]
}

/// The settings of traces.
extension Setting {
    static let traces: [Setting] = [
        Setting(
            key: "traces.endpoint",
            expected:
                "the address of an OpenTelemetry collector that takes OTLP over HTTP, such as http://127.0.0.1:4318",
            unset: "no traces", show: { $0.installation.traceEndpoint }
        ) { settings, text in
            guard var url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil,
                url.user() == nil, url.query() == nil
            else { return false }
            if ["", "/"].contains(url.path()) { url.append(path: "v1/traces") }
            settings.installation.traceEndpoint = url.absoluteString
            return true
        },
        Setting(
            key: "traces.ratio", expected: "a number from 0 to 1, the share of traces that are exported",
            show: { $0.installation.traceRatio.settingText }
        ) { settings, text in
            guard let ratio = Double(text), (0...1).contains(ratio) else { return false }
            settings.installation.traceRatio = ratio
            return true
        },
    ]
}
