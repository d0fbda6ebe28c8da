import Core
import Foundation
import Logging
import Synchronization

/// Runs the health checks, and remembers since when each fault lasts.
///
/// The faults are in a file of the data folder, so that a restart does not change the time of their begin.
package final class HealthMonitor: Sendable {
    /// Checks run at least this often.
    package static let pause = Duration.seconds(10)
    /// A caller gets a report that is this old at most.
    static let maximumAge = Duration.seconds(1)
    static let fileName = "health.json"

    private struct State {
        var report: HealthReport
        var checkedAt: Duration?
        /// The checks that run now.
        var running: Task<HealthReport, Never>?
        /// The findings in the file.
        var written: [RememberedFinding]
    }

    private let file: URL
    private let ignored: Set<HealthCheck.Name>
    private let time: any TimeSource
    private let logger: Logger
    private let state: Mutex<State>
    let storeProbe: StoreProbe

    /// - Parameters:
    ///   - folder: the data folder.
    ///   - ignored: the checks that do not count.
    ///   - storePatience: how long a write to the store may take.
    init(
        folder: URL, ignoring ignored: Set<HealthCheck.Name>, storePatience: Duration, time: any TimeSource,
        logger: Logger
    ) {
        file = folder.appending(path: Self.fileName)
        (self.ignored, self.time, self.logger) = (ignored, time, logger)
        storeProbe = StoreProbe(patience: storePatience, time: time)
        let written = (try? JSONDecoder().decode([RememberedFinding].self, from: Data(contentsOf: file))) ?? []
        state = Mutex(
            State(
                report: HealthReport(findings: written.compactMap(\.finding), date: time.now), written: written))
    }

    /// The last report. It is up to ``pause`` old.
    var latest: HealthReport { state.withLock(\.report) }

    /// Returns a report that is ``maximumAge`` old at most.
    ///
    /// Callers at the same time share one run of the checks.
    func current(of installation: Installation) async -> HealthReport {
        let task: Task<HealthReport, Never>? = state.withLock { state in
            if let running = state.running { return running }
            if let last = state.checkedAt, time.uptime - last < Self.maximumAge { return nil }
            let task = Task { await self.check(installation) }
            state.running = task
            return task
        }
        guard let task else { return latest }
        return await task.value
    }

    private func check(_ installation: Installation) async -> HealthReport {
        let known = state.withLock { $0.report.findings }
        var found: [HealthFinding] = []
        for check in HealthCheck.all where !ignored.contains(check.name) {
            let result = await check.run(installation)
            found += result.findings
            let names = Set(result.findings.map(\.name))
            found += known.filter {
                $0.check == check.name && !names.contains($0.name)
                    && (result.undecided.contains($0.name) || result.undecided.contains(nil))
            }
        }
        let begins = Dictionary(known.map { ($0.id, $0.since) }) { first, _ in first }
        let now = time.now
        for index in found.indices {
            // The begin of a fault that an earlier run of the server has seen is the earlier one.
            let remembered = begins[found[index].id] ?? nil
            found[index].since = [found[index].since, remembered].compactMap(\.self).min() ?? now
        }
        let report = HealthReport(
            findings: found.filter { $0.severity == .error } + found.filter { $0.severity != .error }, date: now)
        // A command that opens the installation for a moment learns too little to overrule the server.
        let isServer = installation.server.facts.phase != .none
        if isServer { log(report.findings, former: known) }
        state.withLock { state in
            (state.report, state.checkedAt, state.running) = (report, time.uptime, nil)
            let remembered = report.findings.map(RememberedFinding.init)
            // On a full disk it is written later.
            if isServer, remembered != state.written,
                (try? JSONEncoder().encode(remembered).write(to: file, options: .atomic)) != nil
            {
                state.written = remembered
            }
        }
        return report
    }

    private func log(_ findings: [HealthFinding], former: [HealthFinding]) {
        let logged = Set(HealthCheck.all.filter(\.isLogged).map(\.name))
        let (current, known) = (Set(findings.map(\.id)), Set(former.map(\.id)))
        let isFirst = state.withLock { $0.checkedAt == nil }
        func isLogged(_ finding: HealthFinding) -> Bool { logged.contains(finding.check) || finding.isBlocking }
        for finding in findings where isLogged(finding) && (isFirst || !known.contains(finding.id)) {
            logger.log(level: finding.severity == .error ? .error : .warning, "health: \(finding.line)")
        }
        for finding in former where isLogged(finding) && !current.contains(finding.id) {
            logger.notice("health: no longer: \(finding.text)")
        }
    }
}

/// A finding in the file of the data folder.
private struct RememberedFinding: Codable, Hashable {
    let check: String
    let name: String?
    let severity: HealthFinding.Severity
    let text: String
    let remedy: String
    let since: Date?
    let isConnecting: Bool?
    let isBlocking: Bool

    init(_ finding: HealthFinding) {
        (check, name, severity) = (finding.check.rawValue, finding.name, finding.severity)
        (text, remedy, since) = (finding.text, finding.remedy, finding.since)
        (isConnecting, isBlocking) = (finding.isConnecting, finding.isBlocking)
    }

    /// `nil` for a check of another version of Lamplighter.
    var finding: HealthFinding? {
        guard let check = HealthCheck.Name(rawValue: check) else { return nil }
        return HealthFinding(
            severity: severity, check: check, name: name, text: text, remedy: remedy, since: since,
            isConnecting: isConnecting, isBlocking: isBlocking)
    }
}
