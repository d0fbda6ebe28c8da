import AdapterChecks
import AdapterSyntax
import ArgumentParser
import Foundation
import ProjectImport
import ProjectTemplates
import WorklightProject

struct NewExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Make an archive of an adapter that exports its subscriptions on the old server.",
        discussion: """
            Writes NAME.adapter with one more procedure, to deploy on the old server. Called once, it reads a file of user ids there, one on \
            each line, and writes the subscriptions of these users to the adapter's event sources, for 'lamplighter import-devices'. The \
            procedure has a random name, since anybody may call it. Deploy the former adapter afterwards.
            """)

    @Argument(help: "The adapter's name, which is also its folder's.", completion: ProjectCompletion.adapters)
    var adapter: String

    @Option(help: ArgumentHelp("The file of user ids, on the old server.", valueName: "path"))
    var users: String

    @Option(help: ArgumentHelp("The file to write, on the old server.", valueName: "path"))
    var output: String

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("The archive; default: NAME.adapter in the current folder.", valueName: "file"))
    var archive: String?

    @Option(help: ProjectFolder.optionHelp, completion: .directory)
    var project: String?

    func run() async throws {
        let folder = try ProjectFolder.find(project)
        guard let found = Project(reading: folder).adapters.first(where: { $0.descriptor.name == adapter }) else {
            throw CommandError(
                description:
                    "there is no adapter '\(adapter)' in \(folder.path); name the project's folder with --project")
        }
        let facts = (try? SyntaxTree(found.script, file: found.descriptor.scriptPath)).map(ScriptFacts.init)
        let sources = (facts?.eventSources ?? []).compactMap(\.name)
        guard !sources.isEmpty else {
            throw CommandError(
                description:
                    "\(found.descriptor.scriptPath) names no event source: only an adapter that creates event sources "
                    + "can read their subscriptions")
        }
        let procedure = "lamplighterExport\(UUID().uuidString.replacing("-", with: "").prefix(16).lowercased())"
        let script = Templates.subscriptionExport(
            procedure: procedure, adapter: adapter, sources: sources, users: users, output: output)
        let path = archive ?? "\(adapter).adapter"
        try ExportAdapter.write(
            adapter: folder.appending(path: found.descriptor.path).deletingLastPathComponent(), named: adapter,
            procedure: procedure, script: script, to: URL(fileURLWithPath: path))
        CommandOutput.writeResult(path)
        CommandOutput.note(
            """
            deploy it on the old server, and call /CONTEXT/invoke?adapter=\(adapter)&procedure=\(procedure)&parameters=[] there \
            (7.x: /CONTEXT/adapters/\(adapter)/\(procedure)); then deploy the former adapter, and pass the written file to \
            'lamplighter import-devices'
            """)
    }
}
