import AdapterRuntime
import ArgumentParser
import Foundation
import Gateway
import WorklightProject

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read a project, run nothing, and list every problem with its place.")

    @Argument(help: ArgumentHelp("The Worklight project's folder.", valueName: "project"), completion: .directory)
    var project = "."

    func run() async throws {
        let folder = URL(fileURLWithPath: project, isDirectory: true).standardizedFileURL
        let (read, problems) = try await withProgress("reading \(folder.path)") {
            let read = Project(reading: folder)
            return (
                read, try await (read.problems + read.syntaxProblems() + Installation.loginProblems(of: read)).inOrder
            )
        }
        for problem in problems { Console.writeResult("\(problem)") }
        do {
            // What this shell overrides is no part of the project, but what its file takes from the environment is.
            let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("LAMPLIGHTER_") }
            let settings = try Settings.read(project: folder, environment: environment).checked()
            try Installation.checkPush(of: read, settings.installation)
        } catch let error as PushSettingsError {
            Console.writeResult("lamplighter.yaml: \(error)")
            throw ExitCode.failure
        } catch let error as SettingsError {
            Console.writeResult("\(error)")
            throw ExitCode.failure
        }
        let counts: [(Int, String)] = [
            (read.adapters.count, "adapter"), (read.applications.count, "application"),
            (problems.count { $0.severity == .error }, "error"),
            (problems.count { $0.severity == .warning }, "warning"), (problems.count { $0.severity == .note }, "note"),
        ]
        let words = counts.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        Console.note("read \(words[0]) and \(words[1]): \(words[2...].joined(separator: ", "))")
        if counts[2].0 > 0 { throw ExitCode.failure }
    }
}
