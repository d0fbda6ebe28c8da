package import Core
package import Foundation

/// A fault that a health check has found.
package struct HealthFinding: Sendable, Hashable {
    package enum Severity: String, Sendable, Codable, CaseIterable {
        /// Something does not work.
        case error
        /// Something will stop working, or is not as it should be.
        case warning
    }

    package let severity: Severity
    let check: HealthCheck.Name
    /// The adapter, event source or service; `nil` if there is only one.
    var name: String?
    /// The problem, as a sentence without its full stop; no secret and no user's data.
    package let text: String
    /// The remedy, in the same form.
    package let remedy: String
    /// The time of its begin. A check that does not know it leaves it out, and gets the time at which the fault was first found.
    package var since: Date?
    /// The time of the last attempt to use what does not work; `nil` for findings that are checked each time.
    package var lastTried: Date?
    /// True if an open connection ends the fault; `nil` for findings that are not about back ends.
    var isConnecting: Bool?
    /// True if load balancers should send requests to other servers.
    var isBlocking = false

    /// Identifies a fault: two findings with the same id are the same fault. A warning that becomes an error has another id.
    struct ID: Hashable, Sendable {
        let check: HealthCheck.Name
        let name: String?
        let severity: Severity
    }

    var id: ID { ID(check: check, name: name, severity: severity) }

    package var json: JSONValue {
        var object: JSONObject = ["severity": .string(severity.rawValue), "subject": .string(check.rawValue)]
        object["name"] = name.map(JSONValue.string)
        object["text"] = .string(text)
        object["remedy"] = .string(remedy)
        object["since"] = (since?.spelling).map(JSONValue.string)
        object["lastTried"] = (lastTried?.spelling).map(JSONValue.string)
        return .object(object)
    }

    /// The finding as a line of a log or a terminal.
    package var line: String { "\(text); \(remedy)" }
}

/// The result of all health checks.
package struct HealthReport: Sendable {
    package enum HealthState: String, Sendable, CaseIterable {
        /// All checks passed.
        case ready
        /// The server works, but something does not.
        case degraded
        /// The server should get no requests.
        case notReady = "not ready"
    }

    /// Worst first.
    package var findings: [HealthFinding]
    /// The time of the checks.
    var date: Date

    package var state: HealthState {
        findings.contains(where: \.isBlocking) ? .notReady : findings.isEmpty ? .ready : .degraded
    }

    /// True if the store cannot be written.
    package var isStoreFailing: Bool { findings.contains { $0.check == .store } }

    /// The state and the findings, for accounts with the role monitor.
    package var json: JSONValue {
        [
            "status": .string(state.rawValue), "checkedAt": .string(date.spelling),
            "findings": .array(findings.map(\.json)),
        ]
    }
}
