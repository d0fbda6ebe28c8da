import AdapterChecks
import AdapterRuntime
import ArgumentParser
import Core
import Foundation
import WorklightProject

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "List every problem of a project with its position, without running a script.")

    @Argument(help: ProjectFolder.help, completion: .directory)
    var project: String?

    @Flag(help: "Also report code that loads but fails later, and count warnings as failures.")
    var strict = false

    @Flag(help: "Rewrite Rhino-only syntax as standard JavaScript where this is safe, then check again.")
    var fix = false

    @Flag(help: "With --fix: change nothing, and print what would be changed, as a patch.")
    var dryRun = false

    @Flag(help: "Print a JSON array of the problems.")
    var json = false

    func validate() throws {
        if dryRun, !fix { throw ValidationError("--dry-run needs --fix: it prints the changes of --fix") }
        if dryRun, json { throw ValidationError("--dry-run prints a patch, and --json an array: choose one of them") }
    }

    func run() async throws {
        let folder = try ProjectFolder.find(project)
        try ProjectFolder.checkExistence(of: folder)
        var refused: [ProjectError] = []
        if fix {
            let fixes = try await ScriptFixes(of: Project(reading: folder)) { try await $0.syntaxProblems() }
            refused = fixes.refused
            if dryRun { return try show(fixes) }
            try apply(fixes.scripts)
        }
        let report = try await withProgress("reading \(folder.path)") {
            try await CheckReport(reading: folder, isStrict: strict, refused: refused)
        }
        if json {
            CommandOutput.writeResult(report.json)
        } else {
            for problem in report.problems { CommandOutput.writeResult("\(problem)".printable) }
        }
        CommandOutput.note(report.summary)
        if report.isFailure { throw ExitCode.failure }
    }

    private func show(_ fixes: ScriptFixes) throws {
        for script in fixes.scripts { CommandOutput.writePart(script.difference) }
        for problem in fixes.refused { CommandOutput.note("\(problem)") }
        CommandOutput.note(summary(of: fixes.scripts, "would be changed"))
        if !fixes.refused.isEmpty { throw ExitCode.failure }
    }

    private func apply(_ fixes: [FixedScript]) throws {
        for script in fixes {
            try script.write()
            for change in script.changes { CommandOutput.note("fixed \(change)") }
        }
        CommandOutput.note(summary(of: fixes, "changed"))
    }

    private func summary(of fixes: [FixedScript], _ verb: String) -> String {
        let places = fixes.reduce(0) { $0 + $1.changes.count }
        return "\(places) place\(places == 1 ? "" : "s") in \(fixes.count) file\(fixes.count == 1 ? "" : "s") \(verb)"
    }
}
