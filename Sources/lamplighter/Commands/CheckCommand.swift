import AdapterRuntime
import ArgumentParser
import Foundation
import WorklightProject

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read a project, run nothing, and list every problem with its place.")

    @Argument(help: ArgumentHelp("The Worklight project's folder.", valueName: "project"))
    var project = "."

    func run() async throws {
        let folder = URL(fileURLWithPath: project, isDirectory: true).standardizedFileURL
        let read = Project(reading: folder)
        let problems = try await read.problems + read.syntaxProblems()
        for problem in problems { Console.writeResult("\(problem)") }
        do {
            _ = try Settings.read(project: folder, environment: [:])
        } catch let error as SettingsError {
            Console.writeResult("\(error)")
            throw ExitCode.failure
        }
        let errors = problems.count { $0.severity == .error }
        let adapters = read.adapters.count
        Console.note(
            "\(adapters) adapter\(adapters == 1 ? "" : "s") read, \(errors) error\(errors == 1 ? "" : "s"), "
                + "\(problems.count - errors) warning\(problems.count - errors == 1 ? "" : "s")")
        if errors > 0 { throw ExitCode.failure }
    }
}
