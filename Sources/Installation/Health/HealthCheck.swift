import Foundation

/// One of the server's health checks. The list ``all`` feeds `/health`, `lamplighter status`, the console, the API and the metrics.
public struct HealthCheck: Sendable {
    /// The names of the checks, for the setting `health.ignore`.
    public enum Name: String, Sendable, Codable, CaseIterable {
        case server, store, disk, adapters, polls, deliveries, backEnds, credentials, certificate, accounts, clock,
            files, engine, updates, development
    }

    /// The faults that a check has found.
    struct Result: Sendable {
        var findings: [HealthFinding] = []
        /// The names of which the check knows nothing yet, since nothing was sent to them after the server's start: a fault of an earlier run remains
        /// until there is a response. A `nil` in it represents all names that are not among the findings.
        var undecided: Set<String?> = []
    }

    let name: Name
    /// True if each finding is logged. Findings of other checks have been logged in more detail where they occurred.
    let isLogged: Bool
    let run: @Sendable (Installation) async -> Result

    init(_ name: Name, isLogged: Bool, _ run: @escaping @Sendable (Installation) async -> Result) {
        (self.name, self.isLogged, self.run) = (name, isLogged, run)
    }

    /// All checks, in the order of their findings. The phase of the server is not among them: it changes at once, and no check returns it.
    static let all: [HealthCheck] = [
        HealthCheck(.store, isLogged: true) { await $0.checkStore() },
        HealthCheck(.disk, isLogged: true) { $0.checkDisk() },
        HealthCheck(.adapters, isLogged: false) { $0.checkAdapters() },
        HealthCheck(.polls, isLogged: false) { await $0.checkPolls() },
        HealthCheck(.deliveries, isLogged: true) { await $0.checkDeliveries() },
        HealthCheck(.backEnds, isLogged: true) { $0.checkBackEnds() },
        HealthCheck(.credentials, isLogged: true) { $0.checkCredentials() },
        HealthCheck(.certificate, isLogged: true) { $0.checkCertificate() },
        HealthCheck(.accounts, isLogged: true) { await $0.checkAccounts() },
        HealthCheck(.clock, isLogged: true) { $0.checkClock() },
        HealthCheck(.files, isLogged: true) { $0.checkFiles() },
        HealthCheck(.engine, isLogged: true) { $0.checkEngine() },
        HealthCheck(.updates, isLogged: true) { $0.checkUpdates() },
        HealthCheck(.development, isLogged: false) { $0.checkDevelopment() },
    ]
}
