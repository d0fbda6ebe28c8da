import ArgumentParser
import Core
import Foundation
import Installation

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check the engine, the project, files, the store and the server, a line each.",
        discussion: """
            Changes nothing. Run it as the server's user. It checks settings, project, engine, permissions, disk and log. Of a server that runs it \
            shows the findings of its health checks; without one it checks the store, the ports and the limits of the system.

            Exit status: 0 without errors, 1 with errors.
            """)

    @Argument(help: ProjectFolder.help, completion: .directory)
    var project: String?

    @OptionGroup var store: StoreOptions

    @Flag(help: "Print a JSON array of the lines.")
    var json = false

    func run() async throws {
        var lines: [Diagnosis]
        do {
            let settings = try store.settings(of: project).checked()
            guard ProjectFolder.isProject(settings.installation.project) else {
                throw ValidationError(
                    "\(settings.installation.project.path) is not a Worklight project; name the project's folder, such as /var/lib/lamplighter"
                )
            }
            let doctor = Doctor(settings)
            lines = await withProgress("checking") { await doctor.run() }
        } catch let error as SettingsError {
            // Without settings the folders are unknown.
            lines = error.problems.map { .error("settings", $0, nil) } + (await Doctor.checkEngine())
        }
        if CommandOutput.isJSON {
            CommandOutput.writeResult(JSONValue.array(lines.map(\.json)).text)
        } else {
            CommandOutput.writeFields(lines.map { ($0.state.rawValue, $0.line.printableLine) })
        }
        if lines.contains(where: { $0.state == .error }) { throw ExitCode.failure }
    }
}
