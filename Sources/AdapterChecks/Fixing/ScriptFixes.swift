import Core
public import WorklightProject

/// Rewrites syntax that only Rhino knew in today's JavaScript, where that is mechanical.
public struct ScriptFixes: Sendable {
    /// The scripts that change. Unchanged scripts are left out.
    public let scripts: [FixedScript]
    /// The errors of the scripts that stay unchanged because the engine would refuse the fixed version: one for each.
    public let refused: [ProjectError]

    /// Computes the changes to the scripts of a project, and writes nothing.
    ///
    /// - Parameter engineProblems: what the engine has against the scripts of a project. Nothing is written that it has more
    ///   against than against the script as it is.
    public init(
        of project: Project, engineProblems: (Project) async throws -> [ProjectError]
    ) async rethrows {
        let all = await Self.fixedScripts(of: project)
        guard !all.isEmpty else {
            (scripts, refused) = ([], [])
            return
        }
        let texts = Dictionary(all.map { ($0.path, $0.after) }) { first, _ in first }
        let before = Set(try await engineProblems(project).filter { $0.severity == .error }.map(ReportedProblem.init))
        let after = try await engineProblems(project.with(scripts: texts)).filter { $0.severity == .error }
        let new = Dictionary(
            after.filter { !before.contains(ReportedProblem($0)) }.map { ($0.file, $0) },
            uniquingKeysWith: { first, _ in first })
        scripts = all.filter { new[$0.path] == nil }
        refused = all.compactMap { script in new[script.path].map { script.refusal(because: $0) } }
    }

    private static func fixedScripts(of project: Project) async -> [FixedScript] {
        await ThreadPool.shared.run { project.adapters.compactMap { FixedScript($0, of: project) } }
    }

    /// The messages about a file, whatever their position: fixes move positions.
    private struct ReportedProblem: Hashable {
        let file: String
        let message: String

        init(_ problem: ProjectError) {
            file = problem.file
            message = problem.message
        }
    }
}
