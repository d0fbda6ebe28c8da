import Foundation
import PackagePlugin

/// Makes texts of a target's scripts, templates and pages: each file that is not Swift becomes a constant of `EmbeddedText`.
///
/// SwiftPM's `.embedInCode` writes arrays of numbers instead, with which the compiler takes 170 times as long.
@main
struct EmbedText: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
        let files = (target as? any SourceModuleTarget)?.sourceFiles.filter { $0.type == .unknown }.map(\.url) ?? []
        let script = context.package.directoryURL.appending(path: "Plugins/EmbedText/embed-text")
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedText.swift")
        return [
            .buildCommand(
                displayName: "Embedding texts in \(target.name)", executable: script,
                arguments: ([output] + files).map(\.path), inputFiles: [script] + files, outputFiles: [output])
        ]
    }
}
