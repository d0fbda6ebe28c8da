import AdapterRuntime
import Foundation
import Gateway
import JavaScriptEngine
import Logging

/// What can be set in `lamplighter.yaml`, by an environment variable, and where there is one by a flag; the later wins.
struct Settings {
    var installation: InstallationSettings
    var logLevel = Logger.Level.info

    init(project: URL) {
        installation = InstallationSettings(project: project)
    }
}

/// One setting: its key, and how its text becomes a value.
struct Setting: Sendable {
    /// As in `lamplighter.yaml`, levels separated by dots.
    let key: String
    /// What a good text looks like, for people.
    let expected: String
    /// Takes over a text; false when it is not as expected.
    let apply: @Sendable (inout Settings, String) -> Bool

    /// `limits.cpuTime` is `LAMPLIGHTER_LIMITS_CPU_TIME`.
    var environmentVariable: String {
        let words = key.replacing(".", with: "_").replacing(/([a-z])([A-Z])/) { "\($0.1)_\($0.2)" }
        return "LAMPLIGHTER_" + words.uppercased()
    }

    static let all: [Setting] = [
        Setting(key: "host", expected: "a host name or address to listen on") { settings, text in
            settings.installation.host = text
            return !text.isEmpty
        },
        Setting(key: "port", expected: "a port from 0 to 65535, 0 for any that is free") { settings, text in
            guard let port = Int(text), (0...65535).contains(port) else { return false }
            settings.installation.port = port
            return true
        },
        Setting(key: "contextRoot", expected: "a path that begins with '/', such as /wl") { settings, text in
            settings.installation.contextRoot = text
            return text.wholeMatch(of: /(\/[A-Za-z0-9._~-]+)*\/?/) != nil && text.hasPrefix("/")
        },
        Setting(key: "data", expected: "a folder") { settings, text in
            settings.installation.data = URL(
                fileURLWithPath: text, relativeTo: settings.installation.project)
            return !text.isEmpty
        },
        Setting(key: "mode", expected: "development or production") { settings, text in
            guard let mode = InstallationSettings.Mode(rawValue: text) else { return false }
            settings.installation.mode = mode
            return true
        },
        Setting(key: "logLevel", expected: "trace, debug, info, notice, warning or error") { settings, text in
            guard let level = Logger.Level(rawValue: text) else { return false }
            settings.logLevel = level
            return true
        },
        .duration("gracePeriod") { $0.installation.gracePeriod = $1 },
        .duration("limits.wallClock") { $0.installation.runtime.calls.wallClock = $1 },
        .duration("limits.cpuTime") { settings, duration in
            settings.installation.runtime.calls.cpuTime = duration
            settings.installation.runtime.loading.cpuTime = duration
        },
        .duration("limits.poll.wallClock") { $0.installation.runtime.polls.wallClock = $1 },
        .duration("limits.poll.cpuTime") { $0.installation.runtime.polls.cpuTime = $1 },
        .count("limits.heap", "megabytes, 16 or more", from: 16) { settings, megabytes in
            settings.installation.runtime.setForAll { $0.heap = megabytes << 20 }
        },
        .count("limits.stackDepth", "kilobytes from 256 to 4096", from: 256, to: 4096) { settings, kilobytes in
            settings.installation.runtime.setForAll { $0.stackDepth = kilobytes << 10 }
        },
        .count("limits.waitingCalls", "calls, 1 or more", from: 1) { $0.installation.runtime.waitingCalls = $1 },
        .count("limits.scopes", "scopes, 1 or more", from: 1) { $0.installation.runtime.scopes.number = $1 },
        .count("limits.scopeMemory", "megabytes, 16 or more", from: 16) { settings, megabytes in
            settings.installation.runtime.scopes.memory = megabytes << 20
        },
        .count("limits.machines", "virtual machines from 1 to 4096", from: 1, to: 4096) {
            $0.installation.runtime.scopes.machines = $1
        },
        .duration("limits.quietTime") { $0.installation.runtime.scopes.quietTime = $1 },
        .count("limits.backEndResponse", "megabytes, 1 or more", from: 1, to: 4096) {
            $0.installation.runtime.backEndResponse = $1 << 20
        },
        .duration("deliveries.retention", unit: "days", seconds: 86_400) { $0.installation.deliveryRetention = $1 },
    ]

    private static func duration(
        _ key: String, unit: String = "seconds", seconds: Double = 1,
        _ set: @escaping @Sendable (inout Settings, Duration) -> Void
    ) -> Setting {
        Setting(key: key, expected: "a positive number of \(unit)") { settings, text in
            guard let number = Double(text), number > 0, number * seconds < 1e10 else { return false }
            set(&settings, .seconds(number * seconds))
            return true
        }
    }

    private static func count(
        _ key: String, _ expected: String, from minimum: Int, to maximum: Int = 1 << 20,
        _ set: @escaping @Sendable (inout Settings, Int) -> Void
    ) -> Setting {
        Setting(key: key, expected: "a whole number of \(expected)") { settings, text in
            guard let number = Int(text), (minimum...maximum).contains(number) else { return false }
            set(&settings, number)
            return true
        }
    }
}
