import Core
import Foundation
import Installation
import JavaScriptEngine
import Storage
import WorklightProject

/// The checks of `lamplighter doctor`: those of a running server, and those that need an operator's hand. They change nothing.
struct Doctor {
    let settings: InstallationSettings
    let all: Settings

    var data: URL { settings.dataFolder }

    init(_ settings: Settings) {
        all = settings
        self.settings = settings.installation
    }

    /// Runs all checks.
    func run() async -> [Diagnosis] {
        var lines = await Self.checkEngine() + checkUser()
        // Files that cannot be read cannot be checked.
        guard !lines.contains(where: { $0.subject == "data folder" && $0.state == .error }) else { return lines }
        lines += await checkProject() + checkOwners() + checkSecrets() + checkLogFile() + checkDisk()
        let isRunning = DataFolder.isInUse(data)
        if isRunning {
            lines += await checkServer()
        } else {
            lines += [checkLastServer()]
            lines += await checkPorts()
            lines += [await checkStore(), checkOpenFiles()]
            lines += checkClock()
        }
        return lines
    }

    private static var engineRemedy: String {
        EngineProcess.hasJIT
            ? "scripts run all the same; install the newest Lamplighter, or report this version to its maintainers"
            : "unset JSC_useJIT, and remove MemoryDenyWriteExecute from the systemd unit"
    }

    /// Checks the installed JavaScriptCore as the server does when it starts.
    static func checkEngine() async -> [Diagnosis] {
        let downgrade =
            "install a version \(EngineCheck.lastKnownVersion) of libjavascriptcoregtk-4.1-0, the last that is known to be good"
        do {
            let check = try await EngineCheck.run()
            let name = "JavaScriptCoreGTK \(check.version)"
            let lines =
                check.failures.map { Diagnosis.error("engine", "\(name): \($0)", downgrade) }
                + check.warnings.map {
                    Diagnosis.warning("engine", "\(name): \($0)", Self.engineRemedy)
                }
            return lines.isEmpty ? [.ok("engine", "\(name) passes its checks")] : lines
        } catch {
            return [.error("engine", "\(error)", downgrade)]
        }
    }

    /// The project as `lamplighter check` reads it, with the credentials and certificates of the settings.
    private func checkProject() async -> [Diagnosis] {
        do {
            let report = try await CheckReport(reading: settings.project, isStrict: false, settings: all)
            func isOfSettings(_ problem: ProjectError) -> Bool { problem.file == CheckReport.settingsFile }
            var lines = report.failures.map { Diagnosis.error("project", "\($0)", nil) }
            let warnings = report.problems.filter { $0.severity == .warning }
            lines += warnings.filter(isOfSettings).map {
                Diagnosis(state: .warning, subject: "project", text: "\($0)", remedy: nil)
            }
            let others = warnings.count { !isOfSettings($0) }
            if others > 0 {
                lines.append(
                    .warning(
                        "project", "\(others) warning\(others == 1 ? "" : "s")", "'lamplighter check' lists them"))
            }
            return lines.isEmpty ? [.ok("project", "\(settings.project.path): \(report.size)")] : lines
        } catch {
            return [.error("project", "\(error)", nil)]
        }
    }

    private func checkStore() async -> Diagnosis {
        let name = settings.store.map { "\($0)" } ?? data.appending(path: SQLStore.fileName).path
        do {
            let found = try settings.store.map { try SQLStore.examine($0) } ?? SQLStore.examine(folder: data.path)
            guard let found else { return .ok("store", "\(name): none yet; the first start makes it") }
            let text = "\(name): complete, its tables have version \(found.version)"
            return .ok("store", text + (found.isOlder ? "; the next start upgrades them" : ""))
        } catch {
            return .error("store", "\(error)", nil)
        }
    }

    /// In production only, as in the server's health check.
    private func checkClock() -> [Diagnosis] {
        guard settings.mode == .production, !settings.ignoredChecks.contains(.clock) else { return [] }
        guard let finding = HealthFinding.clock else { return [.ok("clock", "synchronized")] }
        return [.warning("clock", finding.text, finding.remedy)]
    }
}
