import Foundation
import PackagePlugin

/// Makes the constant `BuildCommit.current` of the commit that is built.
///
/// Git writes to `logs/HEAD` when another commit is checked out or made; the constant is made again then.
@main
struct EmbedCommit: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
        let script = context.package.directoryURL.appending(path: "Plugins/EmbedCommit/embed-commit")
        let log = context.package.directoryURL.appending(path: ".git/logs/HEAD")
        let output = context.pluginWorkDirectoryURL.appending(path: "BuildCommit.swift")
        // A folder without Git's, such as an unpacked archive of the source, has no commit.
        let inputs = FileManager.default.fileExists(atPath: log.path) ? [script, log] : [script]
        return [
            .buildCommand(
                displayName: "Embedding the commit", executable: script,
                arguments: [output.path, context.package.directoryURL.path], inputFiles: inputs, outputFiles: [output])
        ]
    }
}
