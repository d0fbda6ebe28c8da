import Foundation
import Gateway

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
