import AdapterChecks
import AdapterRuntime
import Core
import Foundation
import HTTPServer
import Installation
import Logging
import WorklightProject

/// The findings of `lamplighter check` in a project.
struct CheckReport {
    private let project: Project
    private let isStrict: Bool
    /// The problems, ordered by file and line.
    let problems: [ProjectError]

    /// - Parameters:
    ///   - settings: those that a server would start with; `nil` for those of the project's own file.
    ///   - refused: the problems that could not be fixed before.
    /// - Throws: `EngineStartError`.
    init(reading folder: URL, isStrict: Bool, settings: Settings? = nil, refused: [ProjectError] = []) async throws {
        let project = Project(reading: folder)
        self.project = project
        self.isStrict = isStrict
        let (settings, settingsProblems) = settings.map { ($0, []) } ?? Self.settings(of: project)
        var problems =
            try await refused + project.problems + project.syntaxProblems() + project.stylesheetProblems()
            + project.dataSourceProblems() + Installation.loginProblems(of: project)
        let loginKeys = Set(settings?.installation.loginKeys.keys.map(\.self) ?? [])
        problems = Self.merge(
            problems,
            await StrictCheck.problems(of: project, loginKeys: loginKeys).filter { isStrict || $0.isCertainFailure })
        problems += settingsProblems
        if let settings { problems += Self.problems(of: project, with: settings.installation) }
        self.problems = problems.inOrder
    }

    /// Merges the problems. A finding of the strict check replaces a note at the same position, and an error replaces a
    /// finding about Rhino's extensions on the same line.
    private static func merge(_ problems: [ProjectError], _ strict: [ProjectError]) -> [ProjectError] {
        let errors = problems.filter { $0.severity == .error && $0.line != nil }
        let told = strict.filter { problem in
            problem.id != CheckID.rhinoOnly.rawValue
                || !errors.contains { $0.file == problem.file && $0.line == problem.line }
        }
        let ofRhino = [CheckID.rhinoOnly.rawValue, CheckID.javaClass.rawValue]
        let others = problems.filter { note in
            note.severity != .note || !told.contains { ofRhino.contains($0.id ?? "") && $0.place == note.place }
        }
        return others + told
    }

    private static func settings(of project: Project) -> (Settings?, [ProjectError]) {
        do {
            // The overrides in this shell are not part of the project, but the variables that its file uses are.
            let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("LAMPLIGHTER_") }
            return (try Settings.read(project: project.folder, environment: environment).checked(), [])
        } catch {
            let problems = ((error as? SettingsError)?.problems ?? ["\(error)"]).map { problem in
                let match = problem.wholeMatch(of: /(lamplighter\.ya?ml):(?:(\d+): )?\s*((?s:.*))/)
                return ProjectError(
                    .error, file: match.map { String($0.1) } ?? settingsFile, line: match?.2.flatMap { Int($0) },
                    match.map { String($0.3) } ?? problem)
            }
            return (nil, problems)
        }
    }

    private static func problems(of project: Project, with settings: InstallationSettings) -> [ProjectError] {
        Installation.credentialReport(of: project, settings) + project.contextRootProblems(settings.contextRoot)
            + Installation.settingsProblems(of: project, settings) + certificateProblems(settings)
    }

    private static func certificateProblems(_ settings: InstallationSettings) -> [ProjectError] {
        guard let tls = settings.tls else { return [] }
        do {
            let certificate = try ServerCertificate(
                certificateFile: tls.certificate, keyFile: tls.key, clientAuthoritiesFile: tls.clientAuthorities,
                minimumVersion: settings.minimumTLSVersion,
                logger: Logger(label: "check") { _ in SwiftLogNoOpLogHandler() })
            let left = certificate.notAfter.timeIntervalSinceNow
            guard left < Installation.expiryNotice else { return [] }
            let day = certificate.notAfter.spelling.prefix(10)
            return [
                ProjectError(
                    left < 0 ? .error : .warning, file: settingsFile,
                    "the server's certificate \(tls.certificate) \(left < 0 ? "has expired" : "expires") on \(day)")
            ]
        } catch {
            return [ProjectError(.error, file: settingsFile, "\(error)")]
        }
    }

    static let settingsFile = "lamplighter.yaml"

    private func count(_ severity: ProjectError.Severity) -> Int { problems.count { $0.severity == severity } }

    var isFailure: Bool { !failures.isEmpty }

    /// The problems because of which the project fails.
    var failures: [ProjectError] { problems.filter { $0.severity == .error || (isStrict && $0.severity == .warning) } }

    /// The numbers of adapters and applications that were read.
    var size: String {
        Self.listed([(project.adapters.count, "adapter"), (project.applications.count, "application")])
            .joined(separator: " and ")
    }

    /// The numbers of files read and of problems found.
    var summary: String {
        let found = Self.listed([(count(.error), "error"), (count(.warning), "warning"), (count(.note), "note")])
        return "read \(size): \(found.joined(separator: ", "))"
    }

    private static func listed(_ counts: [(Int, String)]) -> [String] {
        counts.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    }

    /// One array: unknown members of a problem are `null`, and `fix` is present when `--fix` can fix it.
    var json: String {
        JSONValue.array(
            problems.map { problem in
                var object = JSONObject()
                object["file"] = .string(problem.file)
                object["line"] = problem.line.map { .number(Double($0)) } ?? .null
                object["column"] = problem.column.map { .number(Double($0)) } ?? .null
                object["severity"] = .string(problem.severity.rawValue)
                object["id"] = problem.id.map(JSONValue.string) ?? .null
                object["message"] = .string(problem.message)
                if let fix = problem.fix { object["fix"] = .string(fix) }
                return .object(object)
            }
        ).text
    }
}
