import AdapterRuntime
import CTimex
import Core
package import Foundation
import HTTPServer
import JavaScriptEngine
import PollScheduler
import Push
import PushModel
import Storage
import WorklightProject

/// The health checks of the server itself.
extension Installation {
    /// Operators need time to get a new certificate.
    package static let expiryNotice = TimeInterval(30 * 24 * 3600)
    /// A poll that has been due for longer, or a notification that has waited for longer, waits for something that does not work.
    static let longestWait = TimeInterval(60)
    /// The number of consecutive failures from which on a back end or a push service counts as down.
    static let mostFailures = 3

    /// The finding of a server that does not take requests yet, or no longer.
    var phaseFinding: HealthFinding? {
        let text: String
        switch server.facts.phase {
        case .none, .ready: return nil
        case .starting: text = "the server is starting"
        case .stopping: text = "the server is stopping"
        }
        return HealthFinding(
            severity: .warning, check: .server, text: text, remedy: "send requests to another server", isBlocking: true)
    }

    /// Writes a row to the store, as each notification does.
    func checkStore() async -> HealthCheck.Result {
        guard server.facts.phase != .none else { return .init() }
        if let damage = storeMetrics.damageFound {
            return .init(findings: [
                HealthFinding(
                    severity: .error, check: .store, text: "the store is damaged: \(damage.location): \(damage.reason)",
                    remedy: "stop the server, move the data folder away, and restore a backup", isBlocking: true)
            ])
        }
        let problem = await server.health.storeProbe.problem { [store, name = server.name, time] in
            // Adds zeros to the activity of now.
            try store.record(Activity(), of: name, at: time.now)
        }
        guard let problem else { return .init() }
        return .init(findings: [
            HealthFinding(
                severity: .error, check: .store, text: "the store cannot be written: \(problem)",
                remedy: "calls that need the store fail until then",
                isBlocking: true)
        ])
    }

    func checkDisk() -> HealthCheck.Result {
        guard let free = Self.freeSpace(of: folder.url), free < settings.leastFreeSpace else { return .init() }
        return .init(findings: [
            HealthFinding(
                severity: .warning, check: .disk,
                text: "the disk of the data folder \(folder.url.path) has \(free >> 20) MB left",
                remedy:
                    "free space on it, or lower health.freeSpace (now \(settings.leastFreeSpace >> 20) MB)")
        ])
    }

    /// Returns the bytes that this process may still write to a folder's disk; `nil` if the system does not report them.
    package static func freeSpace(of folder: URL) -> Int? {
        var status = statvfs()
        guard statvfs(folder.path, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }

    func checkAdapters() -> HealthCheck.Result {
        var findings = problems.filter { $0.severity == .error }.map { problem in
            HealthFinding(
                severity: .error, check: .adapters, name: problem.place, text: "\(problem)",
                remedy: "correct the file and deploy it, or restart the server")
        }
        let hasAdapters =
            !project.adapters.isEmpty
            || project.problems.contains { $0.severity == .error && $0.file.hasPrefix("adapters/") }
        // A project without adapters is normal while one is written.
        if hasAdapters || settings.mode == .production, runtime.adapterNames.isEmpty {
            findings.append(
                HealthFinding(
                    severity: .error, check: .adapters, text: "no adapter of the project is loaded",
                    remedy: "correct the project, and restart the server or deploy the adapters", isBlocking: true))
        }
        return .init(findings: findings)
    }

    func checkPolls() async -> HealthCheck.Result {
        let polls = await deployments.scheduler.status()
        let now = time.now
        return .init(
            findings: polls.compactMap { poll in
                let source = poll.eventSource
                if poll.consecutiveFailures > 0 {
                    let reason = poll.failure.map { ": \($0.split(separator: "\n").first ?? "")" } ?? ""
                    return HealthFinding(
                        severity: .error, check: .polls, name: "\(source)",
                        text: "the poll of \(source) fails\(reason)",
                        remedy: "see the log of the adapter \(source.adapter)", since: poll.failingSince)
                }
                guard server.facts.phase == .ready, settings.store == nil, poll.runningSince == nil,
                    let due = poll.nextDue, now.timeIntervalSince(due) > Self.longestWait
                else { return nil }
                return HealthFinding(
                    severity: .error, check: .polls, name: "\(source)",
                    text: "the poll of \(source) is due and does not run",
                    remedy: "see whether calls wait for machines (limits.machines) or the processor is busy", since: due
                )
            })
    }

    func checkDeliveries() async -> HealthCheck.Result {
        guard !settings.holdsDeliveries else {
            return .init(findings: [
                HealthFinding(
                    severity: .warning, check: .deliveries,
                    text: "this server sends no notifications: deliveries.hold is set",
                    remedy: "cancel the deliveries that must not be sent, remove the setting, and restart the server")
            ])
        }
        guard server.facts.phase == .ready,
            let oldest = try? await runBlocking({ [store] in try store.outbox.oldestDeliveries() })
        else { return .init() }
        return .init(
            findings: oldest.compactMap { oldest in
                let age = time.now.timeIntervalSince(oldest.created)
                guard age > Self.longestWait else { return nil }
                let name = [oldest.applicationID, "\(oldest.channel)"].compactMap(\.self).joined(separator: " ")
                return HealthFinding(
                    severity: age > Self.longestWait * 5 ? .error : .warning, check: .deliveries, name: name,
                    text: "notifications on the channel \(oldest.channel) "
                        + (oldest.applicationID.map { "for \($0) " } ?? "") + "wait",
                    remedy: "see the reasons in the list of deliveries, the other findings, and the log for the outbox",
                    since: oldest.created)
            })
    }

    func checkBackEnds() -> HealthCheck.Result {
        let statuses = runtime.backEnds
        var findings = statuses.filter { $0.failuresInARow >= Self.mostFailures }.map { status in
            let kind = status.kind == .http ? "back end" : "database"
            return HealthFinding(
                severity: .error, check: .backEnds, name: status.name,
                text: "the \(kind) of the adapter \(status.adapter) does not respond: \(status.reason ?? "")",
                remedy: "check the \(kind) and the adapter's connectionPolicy", since: status.failingSince,
                lastTried: status.lastTried, isConnecting: status.isConnecting)
        }
        // A fault from before the start ends with a response, or with a connection if it is about connecting.
        for var known in server.health.latest.findings where known.check == .backEnds {
            guard let name = known.name, !findings.contains(where: { $0.name == name }),
                BackEndStatus.parse(name, among: runtime.adapterNames) != nil
            else { continue }
            let status = statuses.first { $0.name == name }
            guard status?.lastAnswer == nil, known.isConnecting != true || status?.lastConnection == nil else {
                continue
            }
            known.lastTried = status?.lastTried ?? known.lastTried
            findings.append(known)
        }
        return .init(findings: findings)
    }

    /// Tries a connection to each back end about which there is a finding. Returns at once; the next checks have the results.
    package func tryFailingBackEnds() {
        for finding in server.health.latest.findings where finding.check == .backEnds {
            guard let (adapter, kind) = BackEndStatus.parse(finding.name ?? "", among: runtime.adapterNames) else {
                continue
            }
            runtime.tryConnection(of: adapter, kind, within: .seconds(10))
        }
    }

    func checkCredentials() -> HealthCheck.Result {
        let all = deliveries.credentials.status
        let known = server.health.latest.findings.filter { $0.check == .credentials }.compactMap(\.name)
        // Only a response decides whether a service still refuses the credential that it refused before the start.
        let undecided = all.filter {
            $0.answers.lastSuccess == nil && $0.answers.lastRefusal == nil && $0.problem == nil
        }.map(\.refusalName)
        let down = Set(
            server.health.latest.findings.filter { $0.check == .credentials && $0.severity == .error }.map(\.name))
        var findings = CredentialStatus.findings(of: all, at: time.now, down: down)
        if let problem = deliveries.credentials.reloadProblem {
            findings.append(
                HealthFinding(
                    severity: .error, check: .credentials, name: "reload",
                    text: "the changed credentials were rejected, and the former ones are in use: \(problem)",
                    remedy:
                        "correct the files, and reload the credentials; do not restart before, since the server would then read the rejected files"
                ))
        }
        if settings.mode == .production, all.isEmpty, !runtime.eventSources.isEmpty {
            findings.append(
                HealthFinding(
                    severity: .error, check: .credentials,
                    text: "there are no credentials for any push service, so every notification is refused",
                    remedy: "set the credentials below push (docs/push-services.md), and restart the server"))
        }
        return .init(
            findings: findings,
            undecided: Set(undecided).intersection(known))
    }

    func checkCertificate() -> HealthCheck.Result {
        guard let certificate = server.facts.certificate else { return .init() }
        var findings: [HealthFinding] = []
        let file = settings.tls?.certificate ?? ""
        let expires = certificate.notAfter
        if expires.timeIntervalSince(time.now) < Self.expiryNotice {
            let isOver = expires <= time.now
            findings.append(
                HealthFinding(
                    severity: isOver ? .error : .warning, check: .certificate,
                    text: isOver
                        ? "the server's certificate \(file) has expired on \(expires.spelling.prefix(10))"
                        : "the server's certificate \(file) expires on \(expires.spelling.prefix(10))",
                    remedy: "put a new certificate into the file; the server takes it up by itself",
                    since: isOver ? expires : nil))
        }
        if let rejection = certificate.rejection {
            findings.append(
                HealthFinding(
                    severity: .error, check: .certificate, name: "new",
                    text: "the new certificate was rejected: \(rejection)",
                    remedy: "correct the files; the former certificate stays in use"))
        }
        return .init(findings: findings)
    }

    func checkAccounts() async -> HealthCheck.Result {
        let file = security.accounts.file
        do {
            _ = try await runBlocking { try file.accounts() }
        } catch {
            return .init(findings: [
                HealthFinding(
                    severity: .error, check: .accounts, text: "nobody can log in with a password: \(error)",
                    remedy: "correct the line, or restore the file")
            ])
        }
        guard let mode = file.foreignAccess else { return .init() }
        return .init(findings: [
            HealthFinding(
                severity: .warning, check: .accounts,
                text: "other users of this machine may change the accounts file \(file.path) (mode \(mode))",
                remedy: "run chmod 600 on it, and check the accounts in it")
        ])
    }

    /// In production only: tokens, certificates and expiries need the right time.
    func checkClock() -> HealthCheck.Result {
        guard settings.mode == .production, let finding = HealthFinding.clock else { return .init() }
        return .init(findings: [finding])
    }

    func checkFiles() -> HealthCheck.Result {
        if let text = server.facts.connectionLimit {
            return .init(findings: [
                HealthFinding(
                    severity: .warning, check: .files, text: text,
                    remedy: "raise the limit on open files (ulimit -n, LimitNOFILE in systemd)")
            ])
        }
        guard let (open, limit) = FileDescriptorLimit.use, open * 10 > limit * 9 else { return .init() }
        return .init(findings: [
            HealthFinding(
                severity: .warning, check: .files, text: "\(open) of \(limit) files that the system allows are open",
                remedy: "raise the limit on open files (ulimit -n, LimitNOFILE in systemd)")
        ])
    }

    func checkEngine() -> HealthCheck.Result {
        if let warning = EngineProcess.warning {
            return .init(findings: [
                HealthFinding(
                    severity: .warning, check: .engine, text: warning, remedy: "build the program with 'make release'")
            ])
        }
        guard !runtime.adapterNames.isEmpty, !EngineProcess.hasJIT else { return .init() }
        return .init(findings: [
            HealthFinding(
                severity: .warning, check: .engine,
                text: "JavaScriptCore runs without its JIT compiler, so scripts take several times as long",
                remedy: "unset JSC_useJIT, and remove MemoryDenyWriteExecute from the systemd unit")
        ])
    }

    /// Finds a program or a library that an update has replaced.
    func checkUpdates() -> HealthCheck.Result {
        let paths = ReplacedFiles.paths
        guard let first = paths.first else { return .init() }
        return .init(findings: [
            HealthFinding(
                severity: .warning, check: .updates,
                text:
                    "the server uses \(first)\(paths.count > 1 ? " and \(paths.count - 1) more files" : "") from before an update",
                remedy: "restart the server")
        ])
    }

    /// Finds settings that developers need and production must not have.
    func checkDevelopment() -> HealthCheck.Result {
        var findings: [HealthFinding] = []
        func warn(_ name: String, _ text: String, _ remedy: String) {
            findings.append(
                HealthFinding(severity: .warning, check: .development, name: name, text: text, remedy: remedy))
        }
        if settings.isDevelopmentOpen, settings.mode == .development {
            warn(
                "development.open", "every program on this machine may call procedures without the development key",
                "set development.open to false")
        }
        if settings.mode == .production {
            for service in deliveries.credentials.sandboxes {
                warn(
                    service, "\(service) is reached at an address of this machine, as push-sandbox is",
                    "remove the setting endpoint of \(service)")
            }
        }
        return .init(findings: findings)
    }
}

extension HealthFinding {
    /// The finding about the machine's clock; `nil` if a program synchronizes it.
    package static var clock: HealthFinding? {
        guard ClockSynchronization.isUnsynchronized else { return nil }
        return HealthFinding(
            severity: .warning, check: .clock,
            text: "the kernel reports that no program synchronizes this machine's clock",
            remedy:
                "run chrony, ntpd or systemd-timesyncd; in a virtual machine whose host does it, set health.ignore to clock"
        )
    }
}

/// The kernel's opinion of the machine's clock.
private enum ClockSynchronization {
    /// True if no program synchronises the clock (NTP); false if the kernel does not report it.
    static var isUnsynchronized: Bool {
        var state = timex()
        return adjtimex(&state) == TIME_ERROR
    }
}

extension BackEndStatus {
    /// The name of a finding: the adapter, and how it reaches the back end.
    fileprivate var name: String { "\(adapter) \(kind.rawValue)" }

    /// Reads a finding's name; `nil` if there is no such adapter.
    fileprivate static func parse(_ name: String, among adapters: [String]) -> (adapter: String, kind: Kind)? {
        let parts = name.split(separator: " ").map(String.init)
        guard parts.count == 2, adapters.contains(parts[0]), let kind = Kind(rawValue: parts[1]) else { return nil }
        return (parts[0], kind)
    }
}
