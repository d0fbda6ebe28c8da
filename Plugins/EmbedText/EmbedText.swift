import Foundation
import PackagePlugin

/// Makes texts of a target's scripts, templates and pages: each file that is not Swift becomes a constant of `EmbeddedText`.
///
/// SwiftPM's `.embedInCode` writes arrays of numbers instead: for 270 kB the compiler needed 39 s of processor time, and 0.6 s for texts.
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
