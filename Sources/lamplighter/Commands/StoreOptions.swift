import ArgumentParser
import Foundation
import Installation
import Logging

/// The location of the store, and the log level.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The folder of the store, if it is not PROJECT/.lamplighter.", valueName: "path"),
        completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp("trace, debug, info, notice, warning, error or critical.", valueName: "level"),
        completion: .list(Logger.Level.allCases.map(\.rawValue)))
    var logLevel: String?

    /// Returns the settings, overridden by the flags.
    ///
    /// - Parameter project: the path of the project's folder, if the command line has one.
    /// - Throws: ``SettingsError``, `ValidationError`.
    func settings(of project: String?) throws -> Settings {
        let folder = try ProjectFolder.find(project)
        try ProjectFolder.checkExistence(of: folder)
        var settings = try Settings.read(project: folder, environment: ProcessInfo.processInfo.environment)
        if let data {
            settings.note("data", data, isSecret: false, expected: "a folder", source: "flag --data")
            settings.installation.data = URL(fileURLWithPath: data, isDirectory: true)
        }
        if let logLevel {
            guard let level = Logger.Level(rawValue: logLevel) else {
                throw ValidationError(
                    "--log-level \(logLevel): expected trace, debug, info, notice, warning, error or critical")
            }
            settings.logLevel = level
            settings.note(
                "logLevel", logLevel, isSecret: false,
                expected: "trace, debug, info, notice, warning, error or critical",
                source: "flag --log-level")
        }
        return settings
    }
}
